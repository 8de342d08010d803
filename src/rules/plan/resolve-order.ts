/** Resolves `sort` to order terms, followed by the primary key in the direction of the last of them. */

import { QueryError, nullsOf } from '../../schema/index.ts';
import type { AskedRows } from '../declare/compiled.ts';
import { resolvedTarget } from '../declare/path-target.ts';
import type { OrderTerm } from './plan.ts';
import { orderTerm } from './resolved.ts';
import { fieldNotAllowed, wrongForm } from '../request/request-error.ts';
import { isPath } from '../request/request-key.ts';

interface RequestedSort {
  readonly path: string;
  readonly descending: boolean;
}

/**
 * Reads the items of `sort`; `aggregates` tells whether the endpoint has values over relations.
 *
 * @throws {QueryError} QUERY_SYNTAX_INVALID when an item is not a path.
 */
export function readSorts(items: readonly string[], aggregates: boolean): RequestedSort[] {
  return items.map((item) => {
    const descending = item.startsWith('-');
    const path = descending ? item.slice(1) : item;
    if (!isPath(path, aggregates)) throw wrongForm('sort');
    return { path, descending };
  });
}

/**
 * The order of the answer. The primary key follows the direction of the last sort, so that one index of its columns and
 * the key can be read in either direction.
 *
 * @throws {QueryError} FIELD_NOT_ALLOWED when the rules do not name a path, SORT_CONFLICT when one has two directions.
 */
export function resolveOrder(
  rules: AskedRows,
  sorts: readonly RequestedSort[],
): readonly OrderTerm[] {
  const terms = new Map<string, OrderTerm>();
  for (const { path, descending } of sorts) {
    const sort = rules.sorts.get(path);
    if (!sort) throw fieldNotAllowed('sort', path);
    const way = wayOf(rules, descending);
    const before = terms.get(path);
    if (before && before.direction !== way.direction) {
      throw new QueryError('SORT_CONFLICT', 'A path is sorted in both directions.', { path });
    }
    if (before) continue;
    terms.set(path, orderTerm(sort.target, { ...way, nulls: sort.nulls ?? way.nulls }));
  }
  // A companion may not be filled yet: rows without one are told apart by the stored values of the key.
  const stored: OrderTerm[] = [];
  const way = wayOf(rules, sorts.at(-1)?.descending === true);
  for (const path of rules.schema.primaryKey) {
    const target = resolvedTarget(rules.registry, rules.model, path);
    if (!target) continue;
    if (!terms.has(path)) terms.set(path, orderTerm(target, way));
    if (!target.field?.portableOrderField) continue;
    const { portableOrderField: _companion, ...field } = target.field;
    stored.push(orderTerm({ ...target, field }, way));
  }
  return Object.freeze([...terms.values(), ...stored]);
}

/** The way of a term without a fixed position of nulls. */
function wayOf(
  { families }: AskedRows,
  descending: boolean,
): Pick<OrderTerm, 'direction' | 'nulls'> {
  return {
    direction: descending ? 'desc' : 'asc',
    nulls: descending === (nullsOf(families) === 'first') ? 'last' : 'first',
  };
}
