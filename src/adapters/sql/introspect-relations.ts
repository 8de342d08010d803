/** Derives relations from foreign keys: to one row, back to many rows, and through join tables. */

import type {
  CatalogueColumn,
  CatalogueForeignKey,
  CatalogueTable,
} from '../../relational/index.ts';
import { type Naming, joinNames, nameOf, namesOf } from './introspect-names.ts';
import type { SqlRelation } from './tables.ts';
import type { FieldKind } from '../../schema/index.ts';

/** A column with its path and its kind. */
export interface FoundColumn {
  readonly path: string;
  readonly column: CatalogueColumn;
  readonly kind: FieldKind;
}

/** A table that can be listed, with its columns by name. */
export interface FoundTable {
  readonly table: CatalogueTable;
  readonly columns: ReadonlyMap<string, FoundColumn>;
  /** Paths of the primary key, in key order. */
  readonly primaryKey: readonly string[];
  readonly model: string;
}

/** A foreign key between two of the tables. */
interface Link {
  readonly source: FoundTable;
  readonly target: FoundTable;
  readonly key: CatalogueForeignKey;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** A model and its relations by path. */
interface RelatedTable {
  readonly found: FoundTable;
  readonly relations: ReadonlyMap<string, SqlRelation>;
}

/** The schemas that are read. */
interface ReadSchemas {
  readonly schemas: ReadonlySet<string>;
  /** Whether tables are declared with their schema. */
  readonly areWritten: boolean;
}

/** A foreign key that gives no relation. */
export interface LeftKey {
  readonly table: CatalogueTable;
  readonly key: CatalogueForeignKey;
  readonly reason: string;
}

/** The models, without join tables, and their relations; and the foreign keys that give none. */
export function relationsOf(
  tables: readonly FoundTable[],
  naming: Naming,
  read: ReadSchemas,
): { readonly related: RelatedTable[]; readonly left: LeftKey[] } {
  const keys = tables.flatMap((source) => linksOf(source, tables, read.schemas));
  const links = keys.filter((each) => 'target' in each);
  const joining = joinTables(tables, links);
  const models = tables.filter((table) => !joining.has(table));
  const related = new Map(
    models.map((found) => {
      const paths = [...found.columns.values()].map(({ path }) => path);
      const relations = new Map<string, SqlRelation>();
      return [found, { found, relations, free: namesOf('as-is', new Set(paths)) }];
    }),
  );
  const add = (to: FoundTable, name: string, relation: SqlRelation): void => {
    const entry = related.get(to);
    entry?.relations.set(entry.free(name), relation);
  };
  const inverse: (() => void)[] = [];
  const left = keys.filter((each) => 'reason' in each);
  for (const link of links) {
    const { source, target, from, to } = link;
    if (joining.has(source)) continue;
    if (joining.has(target)) {
      left.push({ table: source.table, key: link.key, reason: noModel(target.table.name) });
      continue;
    }
    const alone = links.every(
      (each) => each === link || each.source !== source || each.target !== target,
    );
    add(source, ownName(link, alone, naming), {
      one: target.model,
      from,
      to,
      ...(link.key.isEnforced && { foreignKey: true }),
    });
    const back =
      alone && source !== target
        ? source.model
        : joinNames(source.model, 'by', stemOf(link, naming), naming);
    inverse.push(() =>
      add(
        target,
        back,
        isUnique(link)
          ? { one: source.model, from: to, to: from, nullable: true }
          : { many: source.model, from: to, to: from },
      ),
    );
  }
  // Inverse relations get their names last, so that names derived from columns take precedence.
  for (const each of inverse) each();
  for (const table of joining) {
    const [first, second] = links.filter(({ source }) => source === table) as [Link, Link];
    for (const [near, far] of [
      [first, second],
      [second, first],
    ] as const) {
      add(near.target, manyName(near, far, naming), {
        many: far.target.model,
        from: near.to,
        to: far.to,
        through: {
          table: table.table.name,
          ...(read.areWritten && { schema: table.table.schema }),
          from: near.key.columns,
          to: far.key.columns,
        },
      });
    }
  }
  return { related: [...related.values()], left };
}

const noModel = (table: string): string => `it references "${table}", which is not a model`;

/**
 * Foreign keys in the order of the table's columns, which is the same in every database. A key that is declared twice
 * counts once.
 */
function linksOf(
  source: FoundTable,
  tables: readonly FoundTable[],
  schemas: ReadonlySet<string>,
): (Link | LeftKey)[] {
  const { columns, foreignKeys } = source.table;
  const position = ({ columns: [first] }: CatalogueForeignKey) =>
    columns.findIndex(({ name }) => name === first);
  const distinct = new Map(
    foreignKeys.map((key) => [JSON.stringify([key.columns, key.schema, key.table, key.to]), key]),
  );
  return [...distinct.values()]
    .toSorted((left, right) => position(left) - position(right))
    .map((key) => {
      const target = tables.find(
        ({ table }) => table.name === key.table && table.schema === key.schema,
      );
      const from = pathsOf(source, key.columns);
      const to = target && pathsOf(target, key.to);
      // SQLite accepts a key without the names of its targets, however many there are.
      if (target && from && to?.length === from.length) return { source, target, key, from, to };
      const { table, schema } = key;
      const reason = target
        ? `it references columns that "${table}" does not have`
        : schemas.has(schema)
          ? noModel(table)
          : `it references "${schema}.${table}", whose schema is not read`;
      return { table: source.table, key, reason };
    });
}

function pathsOf({ columns }: FoundTable, names: readonly string[]): readonly string[] | undefined {
  const paths = names.flatMap((name) => columns.get(name)?.path ?? []);
  return paths.length === names.length ? paths : undefined;
}

/** The tables that join two models. One that references another of them is a model itself. */
function joinTables(tables: readonly FoundTable[], links: readonly Link[]): Set<FoundTable> {
  const formed = new Set(tables.filter((table) => isJoinTable(table, links)));
  const further = new Set(
    links.filter(({ target }) => formed.has(target)).map(({ source }) => source),
  );
  return new Set([...formed].filter((table) => !further.has(table)));
}

/** Whether a table consists of two foreign keys only. */
function isJoinTable(table: FoundTable, links: readonly Link[]): boolean {
  const own = links.filter(({ source }) => source === table);
  const joined = own.flatMap(({ key }) => key.columns);
  const columns = table.table.columns;
  const others = own.every(({ target }) => target !== table);
  return (
    own.length === 2 &&
    others &&
    joined.length === columns.length &&
    columns.every(({ name }) => joined.includes(name))
  );
}

/** Whether at most one row references each target row. */
function isUnique({ source, key }: Link): boolean {
  return source.table.uniqueKeys.some(
    (unique) => unique.length > 0 && unique.every((name) => key.columns.includes(name)),
  );
}

/** The column of a key without its key suffix: `manager_id` and `managerId` give `manager`. */
function stemOf({ key }: Link, naming: Naming): string {
  const [column = ''] = key.columns;
  return nameOf(/^(.+?)(?:_id|Id|_ID|ID)$/.exec(column)?.[1] ?? column, naming);
}

/**
 * The stem of the column, where it differs from the column; else the target, followed by the column where several keys
 * have this target.
 */
function ownName(link: Link, alone: boolean, naming: Naming): string {
  const { key, target } = link;
  const stem = stemOf(link, naming);
  if (key.columns.length === 1 && stem !== nameOf(key.columns[0] ?? '', naming)) return stem;
  return alone ? target.model : joinNames(stem, '', target.model, naming);
}

/** The far model, or the far key's stem where a table is joined with itself: `follower_id` gives `followers`. */
function manyName(near: Link, far: Link, naming: Naming): string {
  if (near.target !== far.target) return far.target.model;
  const stem = stemOf(far, naming);
  return stem.endsWith('s') ? stem : `${stem}s`;
}
