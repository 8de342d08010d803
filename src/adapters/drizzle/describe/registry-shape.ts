/** The type of a registry derived from Drizzle tables: kinds by field, targets by relation. */

import type { Many, One, Relations, Table, View } from 'drizzle-orm';
import type { FieldKind, ItemKind } from '../../../schema/index.ts';
import type { OverriddenJson } from './column-json.ts';
import type { ColumnKinds } from './describe-kinds.ts';
import type { ManyToMany } from './many-to-many.ts';

/**
 * The type of `drizzleRegistry(tables, relations, overrides)`. It consists of mapped types, so that the compiler
 * evaluates only the models and paths that a rules literal names.
 */
export type DrizzleShape<Tables, Relations, Overrides> = {
  readonly [Model in keyof Tables & string]: {
    readonly native: true;
    readonly fields: FieldKinds<ColumnsOf<Tables[Model]>, Member<Overrides, Model>>;
    readonly values: FieldValues<ColumnsOf<Tables[Model]>, Member<Overrides, Model>>;
    readonly folded: FoldedFields<ColumnsOf<Tables[Model]>, Member<Overrides, Model>>;
    readonly relations: RelationsOf<
      DeclaredOn<RelationsByTable<Relations> & RelationsByTable<Tables>, NameOf<Tables[Model]>>,
      ModelsByTable<Tables>,
      Member<Overrides, Model>
    >;
  };
};

type Member<T, Key> = Key extends keyof T ? T[Key] : undefined;

/** The columns of a table, or those that a view selects. */
export type ColumnsOf<T> = T extends Table
  ? T['_']['columns']
  : T extends View
    ? T['_']['selectedFields']
    : never;
type NameOf<T> = T extends Table | View ? T['_']['name'] : never;

type FieldKinds<Columns, Overrides> = {
  readonly [Path in keyof Columns as VisiblePath<Columns, Path & string, Overrides>]: KindOf<
    Columns[Path],
    Member<Overrides, Path>
  >;
};

/** The values of all columns; only those of visible paths are looked up. */
type FieldValues<Columns, Overrides> = {
  readonly [Path in keyof Columns]: OverriddenJson<
    Columns[Path],
    KindOf<Columns[Path], Member<Overrides, Path>>,
    Member<Overrides, Path>
  >;
};

/** Whether each column has a folded companion, by override or by name. */
type FoldedFields<Columns, Overrides> = {
  readonly [Path in keyof Columns]: Member<Overrides, Path> extends {
    readonly foldedField: infer Said;
  }
    ? Said extends false
      ? false
      : true
    : KindOf<Columns[Path], Member<Overrides, Path>> extends FoldedKinds
      ? HasKind<
          Columns,
          `${Path & string}Folded` | `${Path & string}_folded`,
          Overrides,
          'string'
        > extends false
        ? false
        : true
      : false;
};

/** The path of a field that rules may name: not left out, not internal, not a companion. */
type VisiblePath<Columns, Path extends string, Overrides> =
  Member<Overrides, Path> extends false | { readonly internal: true }
    ? never
    : IsCompanion<Columns, Path, Overrides> extends true
      ? never
      : [KindOf<Columns[Path & keyof Columns], Member<Overrides, Path>>] extends [never]
        ? never
        : Path;

/** The kind of a column, by override or column type; `never` where it has none. */
export type KindOf<Column, Override> = Override extends {
  readonly kind: infer Kind extends FieldKind;
}
  ? Kind
  : Column extends { readonly _: { columnType: infer Type; enumValues: infer Values } }
    ? string extends Type
      ? FieldKind
      : Type extends keyof ColumnKinds
        ? ColumnKinds[Type] extends 'string'
          ? IsEnum<Values> extends true
            ? 'enum'
            : 'string'
          : ColumnKinds[Type]
        : // The compiler does not know the SQL type of a custom one.
          Type extends `${string}CustomColumn`
          ? FieldKind
          : Type extends 'PgArray'
            ? ArrayOf<Column>
            : 'opaque'
    : never;

/** The kind of an array by that of its members. */
type ArrayOf<Column> = Column extends { readonly _: { baseColumn: infer Item } }
  ? KindOf<Item, undefined> extends infer Kind extends ItemKind
    ? `${Kind}[]`
    : 'opaque'
  : 'opaque';

/** Drizzle types plain text as `[string, ...string[]]`, text with `enum` as the tuple of its members. */
type IsEnum<Values> = Values extends readonly (infer Member)[]
  ? string extends Member
    ? false
    : true
  : false;

type FoldedKinds = 'string' | 'uuid' | 'enum';
type OrderedKinds = 'uuid' | 'enum' | 'decimal';

type IsCompanion<Columns, Path extends string, Overrides> =
  Member<Overrides, Path> extends { readonly internal: false }
    ? false
    : KindOf<Columns[Path & keyof Columns], Member<Overrides, Path>> extends 'string'
      ? Path extends `${infer Base}Folded` | `${infer Base}_folded`
        ? HasKind<Columns, Base, Overrides, FoldedKinds>
        : Path extends `${infer Base}Order` | `${infer Base}_order`
          ? HasKind<Columns, Base, Overrides, OrderedKinds>
          : false
      : false;

type HasKind<Columns, Path extends string, Overrides, Kinds> = Path extends keyof Columns
  ? Member<Overrides, Path> extends false
    ? false
    : [KindOf<Columns[Path], Member<Overrides, Path>>] extends [Kinds]
      ? true
      : false
  : false;

/** Model names by table name. */
type ModelsByTable<Tables> = {
  [Model in keyof Tables & string as NameOf<Tables[Model]> & string]: Model;
};

/** Relation declarations by the name of their table, from a record or a tuple. */
type RelationsByTable<Declared> = {
  [
    Key in keyof Declared as '_' extends keyof Declared[Key] ? never : SourceOf<Declared[Key]>
  ]: Declared[Key];
};

type SourceOf<Declaration> =
  Declaration extends Relations<infer Source, infer _Config>
    ? Source
    : Declaration extends ManyToMany<infer Source, infer _Path, infer _Target>
      ? Source
      : never;

type DeclaredOn<ByTable, Name> = Name extends keyof ByTable ? ByTable[Name] : never;

/** The relations of one model; `Declaration` is the union of the declarations on its table. */
type RelationsOf<Declaration, Models, Overrides> = {
  readonly [
    Path in PathsOf<Declaration> as Member<Overrides, Path> extends false ? never : Path
  ]: RelationAt<Declaration, Path, Models, Member<Overrides, Path>>;
};

type PathsOf<Declaration> =
  Declaration extends Relations<string, infer Config>
    ? keyof Config & string
    : Declaration extends ManyToMany<string, infer Path, string>
      ? Path
      : never;

type RelationAt<Declaration, Path extends string, Models, Override> =
  Declaration extends ManyToMany<string, infer Own, infer Target>
    ? Path extends Own
      ? RelationTo<Target, 'many', Models, Override>
      : never
    : Declaration extends Relations<string, infer Config>
      ? Path extends keyof Config
        ? Config[Path] extends One<infer Target, boolean>
          ? RelationTo<Target, 'one', Models, Override>
          : Config[Path] extends Many<infer Target>
            ? RelationTo<Target, 'many', Models, Override>
            : never
        : never
      : never;

type RelationTo<TableName, Cardinality, Models, Override> = {
  readonly target: Override extends { readonly target: infer Target extends string }
    ? Target
    : TableName extends keyof Models
      ? Models[TableName] & string
      : never;
  readonly cardinality: Cardinality;
};
