/** Finds the two joins of a many-to-many relation through its join table. */

import { getTableColumns, getTableName, getTableUniqueName, is, One } from 'drizzle-orm';
import type { Column, Relation, Table } from 'drizzle-orm';
import { configurationError } from '../../../schema/index.ts';
import { foreignKeysOf, primaryKeyOf, type ColumnLink } from './describe-metadata.ts';
import type { ManyToMany } from './many-to-many.ts';

/** Relations that are declared on the join table itself. */
interface DeclaredOnJoinTable {
  readonly relations: ReadonlyMap<string, Relation | ManyToMany>;
}

/**
 * The hops from source to join table to target. The columns of each end are given by `from` and `to`, or
 * else by the only `one()` relation or foreign key to that end.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an end is not determined, naming the relation.
 */
export function joinTableLinks(
  model: string,
  relation: ManyToMany,
  declared: DeclaredOnJoinTable | undefined,
): ColumnLink[] {
  const { path, through, source, target } = relation;
  const links = linksOf(through, declared);
  const refuse = (end: 'from' | 'to', table: Table): never => {
    throw configurationError(
      `${model}.${path}: the columns of ${getTableName(through)} that refer to ${getTableName(table)} are not determined; name them with ${end} in manyToMany.`,
      { model, path },
    );
  };
  const back = endOf(relation.from, source, links, relation.to) ?? refuse('from', source);
  const forth = endOf(relation.to, target, links, back.from) ?? refuse('to', target);
  return [{ from: back.to, table: through, to: back.from }, forth];
}

/** The link to one end: the named one, or the only one that is not the other end's. */
function endOf(
  named: readonly Column[] | null,
  table: Table,
  links: readonly ColumnLink[],
  taken: readonly Column[] | null,
): ColumnLink | undefined {
  const here = links.filter((link) => getTableUniqueName(link.table) === getTableUniqueName(table));
  if (!named) {
    const free = taken ? here.filter((link) => !sameColumns(link.from, taken)) : here;
    return free.length === 1 ? free[0] : undefined;
  }
  const declared = here.find((link) => sameColumns(link.from, named));
  if (declared) return declared;
  const columns = getTableColumns(table);
  const to = primaryKeyOf(table).flatMap((property) => columns[property] ?? []);
  return to.length === named.length ? { from: named, table, to } : undefined;
}

function linksOf(through: Table, declared: DeclaredOnJoinTable | undefined): ColumnLink[] {
  const links: ColumnLink[] = [];
  for (const relation of declared?.relations.values() ?? []) {
    if (!is(relation, One) || !relation.config) continue;
    const { fields, references } = relation.config;
    links.push({ from: fields, table: relation.referencedTable, to: references });
  }
  for (const key of foreignKeysOf(through)) {
    const known = links.some(
      (link) =>
        getTableUniqueName(link.table) === getTableUniqueName(key.table) &&
        sameColumns(link.from, key.from),
    );
    if (!known) links.push(key);
  }
  return links;
}

function sameColumns(left: readonly Column[], right: readonly Column[]): boolean {
  return (
    left.length === right.length &&
    left.every((column) => right.some((other) => other.name === column.name))
  );
}
