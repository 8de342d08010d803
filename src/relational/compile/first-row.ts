/**
 * The row of a `one` relation whose columns are not known to be unique: the first by the primary key that the request
 * may see. A plain join would repeat the row that refers to several.
 */

import { configurationError } from '../../schema/index.ts';
import { type LoweringContext, keyNames, modelOf } from './model-context.ts';
import { keyTerms, lowerOrder, orderSql } from './order/order.ts';
import type { PhysicalHop, PhysicalRelation } from './physical.ts';
import { type JoinedModel, Scope, joinsSql } from './scope.ts';
import { columnSql, pairs, tableSql } from './sql-names.ts';
import { type Sql, join } from './sql-text.ts';

/** Whether the relation finds at most one row for each: its key is declared, and the catalogue is not known to lack it. */
export const joinsOneRow = (context: LoweringContext, relation: PhysicalRelation): boolean =>
  isDeclaredUnique(context, relation) && context.lacking?.has(relation) !== true;

/**
 * Whether the declaration says that there is at most one row for each: the relation joins all columns of the target's
 * primary key, or of another of its unique keys.
 */
export function isDeclaredUnique(
  context: LoweringContext,
  { target, hops }: PhysicalRelation,
): boolean {
  const [hop, ...more] = hops;
  if (!hop) return true;
  if (more.length > 0) return false;
  const model = modelOf(context, target);
  const { uniqueKeys = [] } = model.physical;
  return [keyNames(model), ...uniqueKeys].some((key) => isWithin(key, hop.to));
}

/**
 * Refuses the `one` relations that may find several rows, of which the first would be read.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID that names each of them
 */
export function refuseFirstRows(context: LoweringContext): void {
  const found = [...context.physical.values()].flatMap(({ model, relations }) =>
    [...relations.values()]
      .filter(
        (relation) =>
          relation.cardinality === 'one' &&
          context.physical.has(relation.target) &&
          !isDeclaredUnique(context, relation),
      )
      .map(({ path }) => `${model}.${path}`),
  );
  if (found.length === 0) return;
  throw configurationError(
    `strict: ${found.join(', ')} may find several rows, because the columns are not declared unique; declare their unique key, or make the relation "many".`,
  );
}

/** Whether the columns of a key, of which there is at least one, are among the columns of a join. */
export const isWithin = (key: readonly string[], columns: readonly string[]): boolean =>
  key.length > 0 && key.every((name) => columns.includes(name));

/** The condition of a join in which at most the first row of the relation meets it. */
export function firstRow(
  outer: Scope,
  from: string,
  { hops }: PhysicalRelation,
  target: JoinedModel,
): Sql {
  const { context, aliases } = outer;
  const { model, unscoped } = target;
  const [first, ...rest] = hops as readonly [PhysicalHop, ...PhysicalHop[]];
  const start = aliases.next();
  const scope = new Scope(context, { alias: start, model, optional: false, unscoped }, aliases);
  let end = start;
  for (const hop of rest) end = scope.attach(end, hop, 'inner');
  const found: JoinedModel = { alias: end, model, optional: false, unscoped };
  const ordered = end === start ? scope : new Scope(context, found, aliases);
  const order = orderSql(
    ordered,
    lowerOrder(ordered, keyTerms(context, model.schema.model, 'last'), false),
  );
  const rows = context.rowCondition(scope, found, 'where');
  const keys = (alias: string) => keyNames(model).map((name) => columnSql(context, alias, name));
  const [own, others] = [keys(target.alias), keys(end)];
  const key = own.length === 1 ? own.join() : `(${own.join(', ')})`;
  const condition: Sql[] = [
    `${key} = (select ${others.join(', ')} from ${tableSql(context, first.table)} as ${context.dialect.quote(start)}`,
    joinsSql(context, scope.joins),
    ' where ',
    pairs(context, from, first.from, start, first.to),
    rows ? [' and ', rows] : '',
    ' order by ',
    order,
    ' limit 1)',
  ];
  // The columns once more, so that an index on them finds the row where a composite key is compared.
  if (rest.length > 0) return condition;
  return join([pairs(context, from, first.from, target.alias, first.to), condition], ' and ');
}
