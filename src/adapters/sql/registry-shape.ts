/** The types derived from declared tables: their registry, and the rows of a source. */

import type { Included, JsonForm } from '../../rules/index.ts';
import type { FieldKind } from '../../schema/index.ts';
import type { KindOfType } from '../../relational/index.ts';
import type { SqlTable, SqlTables } from './tables.ts';

/** The type of `sqlRegistry(tables)`. Tables that are not literals give the general type. */
export type SqlShape<Tables extends SqlTables> = {
  readonly [Model in keyof Tables & string]: {
    readonly fields: FieldKinds<Tables[Model]['columns']>;
    readonly values: FieldValues<Tables[Model]['columns']>;
    readonly folded: FoldedFields<Tables[Model]['columns']>;
    readonly relations: RelationShapes<Tables[Model]>;
  };
};

/** The type of `sqlRegistry(tables, { families })` with one family: rules may use what that family has. */
export type NativeSqlShape<Tables extends SqlTables> = {
  readonly [Model in keyof SqlShape<Tables>]: SqlShape<Tables>[Model] & { readonly native: true };
};

type FieldKinds<Columns> = {
  readonly [Path in VisiblePaths<Columns>]: KindOf<Columns[Path]>;
};

/** The values of all columns; only those of visible paths are looked up. */
type FieldValues<Columns> = {
  readonly [Path in keyof Columns]: Present<Columns[Path]> | NullIn<Columns[Path]>;
};

/** Whether each column has a folded companion, declared or by name. */
type FoldedFields<Columns> = {
  readonly [Path in keyof Columns]: Companion<
    Columns,
    Path,
    'foldedField',
    FoldedKinds,
    `${Path & string}Folded` | `${Path & string}_folded`
  > extends infer Name
    ? [Name] extends [false]
      ? false
      : true
    : never;
};

type VisiblePaths<Columns> = string extends keyof Columns
  ? string
  : {
      [Path in keyof Columns]: IsVisible<Columns, Path & string> extends true ? Path : never;
    }[keyof Columns] &
      string;

type IsVisible<Columns, Path extends string> = Columns[Path & keyof Columns] extends {
  readonly internal: infer Internal;
}
  ? Internal extends true
    ? false
    : true
  : Path extends CompanionNames<Columns>
    ? false
    : true;

/** Kind of a column: the declared one, `enum` where members are declared, else that of its type. */
export type KindOf<Column> = Column extends { readonly kind: infer Kind extends FieldKind }
  ? Kind
  : Column extends { readonly enumValues: readonly string[] }
    ? Column extends { readonly type: `${string}[]` }
      ? 'enum[]'
      : 'enum'
    : Column extends string
      ? StringKind<Column>
      : Column extends { readonly type: infer Type extends string }
        ? StringKind<Type>
        : FieldKind;

type StringKind<Type extends string> = string extends Type ? FieldKind : KindOfType<Type>;

type FoldedKinds = 'string' | 'uuid' | 'enum';
type OrderedKinds = 'uuid' | 'enum' | 'decimal';

/** Paths that are companions: those that a column names, and those that match the naming convention. */
type CompanionNames<Columns> = {
  [Path in keyof Columns & string]:
    | Companion<Columns, Path, 'foldedField', FoldedKinds, `${Path}Folded` | `${Path}_folded`>
    | Companion<
        Columns,
        Path,
        'portableOrderField',
        OrderedKinds,
        `${Path}Order` | `${Path}_order`
      >;
}[keyof Columns & string];

type Companion<
  Columns,
  Path extends keyof Columns,
  Role extends string,
  Kinds,
  Conventional extends string,
> = Columns[Path] extends { readonly [Said in Role]: infer Name }
  ? Name
  : KindOf<Columns[Path]> extends Kinds
    ? {
        [Name in Conventional & keyof Columns]: KindOf<Columns[Name]> extends 'string'
          ? Name
          : never;
      }[Conventional & keyof Columns]
    : never;

type RelationShapes<Table extends SqlTable> = Table extends { readonly relations: infer Relations }
  ? {
      readonly [Path in keyof Relations & string]: Relations[Path] extends {
        readonly one: infer Target extends string;
      }
        ? { readonly target: Target; readonly cardinality: 'one' }
        : Relations[Path] extends { readonly many: infer Target extends string }
          ? { readonly target: Target; readonly cardinality: 'many' }
          : never;
    }
  : Record<never, never>;

/**
 * A row of `Model` in a result of `runQuery`: fields in the JSON form of their kind (strings for bigint, decimal, dates
 * and bytes), members of an enum, included relations as rows. The projection of the request decides which fields and
 * relations a row has, so all of them are optional.
 */
export type SqlRow<Tables extends SqlTables, Model extends string> = string extends keyof Tables
  ? { [field: string]: unknown }
  : Model extends keyof Tables
    ? {
        [Path in VisiblePaths<Tables[Model]['columns']>]?:
          | Present<Tables[Model]['columns'][Path]>
          | NullIn<Tables[Model]['columns'][Path]>;
      } & {
        [Path in keyof RelationShapes<Tables[Model]> & string]?: RelatedRow<
          Tables,
          RelationShapes<Tables[Model]>[Path]
        >;
      }
    : never;

type NullIn<Column> = Column extends { readonly nullable: true } ? null : never;

type Present<Column> = Column extends { readonly enumValues: readonly (infer Member)[] }
  ? KindOf<Column> extends 'enum[]'
    ? (Member | null)[]
    : Member
  : KindOf<Column> extends infer Kind extends FieldKind
    ? JsonForm<Kind>
    : unknown;

type RelatedRow<Tables extends SqlTables, Relation> = Relation extends {
  readonly target: infer Target extends string;
  readonly cardinality: infer Cardinality extends 'one' | 'many';
}
  ? Included<Cardinality, SqlRow<Tables, Target>>
  : never;
