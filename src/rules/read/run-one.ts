/** Reads one row by its key, under the rules of a list. */

import { QueryError, checkConfiguration } from '../../schema/index.ts';
import type { CompiledQueryRules, ScopeIn } from '../declare/compiled.ts';
import { type ItemKey, planOfItem, rowNotFound } from '../plan/plan-item.ts';
import type { ListRequestInput } from '../request/list-request.ts';
import type { PairedRules } from '../typed/pairing.ts';
import { assertPair } from './assert-source.ts';
import type { RowIn } from './list-result.ts';
import { itemOptionTable } from './option-tables.ts';
import { type ItemOptions, answered } from './run-query.ts';
import { observed } from './observed.ts';
import type { PreparedRead, QuerySource, Row } from './source.ts';

/**
 * Reads one row by its primary key, with the fields and relations that the request asks for and the rules allow. Scopes,
 * `transformPlan` and restrictions of the model hold as in a list; `fields` and `includes` are the only parameters of
 * the request.
 *
 * @param source where the row is read from; made by an adapter
 * @param key the value of the primary key, or an object with the value of each part: `{ orderId: 7, lineNo: 1 }`
 * @param request a raw query string, a `URLSearchParams` or an object that a framework's parser produced; `''` for the
 * default fields
 * @param rules the result of `defineQueryRules`
 * @param options hooks and limits of this call
 * @throws {QueryError} ROW_NOT_FOUND with status 404 when no row that the request may see has the key, which includes
 * values that the kind of the key does not have; with status 400 when the request is refused; 5xx when the source
 * cannot answer, and SOURCE_CONFIGURATION_INVALID when `key` lacks a part or has an unknown one
 */
export async function runOne<
  R = Row,
  Customize = unknown,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
>(
  source: QuerySource<R, Customize, Listed>,
  key: ItemKey,
  request: ListRequestInput,
  rules: PairedRules<Rules, Listed> & Rules,
  options?: ItemOptions<Customize, ScopeIn<Rules>>,
): Promise<RowIn<R, Listed, Rules>>;
export async function runOne<R, Customize>(
  source: QuerySource<R, Customize>,
  key: ItemKey,
  request: ListRequestInput,
  rules: CompiledQueryRules,
  options: ItemOptions<Customize> = {},
): Promise<R> {
  checkConfiguration('runOne', options, itemOptionTable);
  assertPair(source, rules);
  options.signal?.throwIfAborted();
  return observed('row', source, options, (given) =>
    answered<R, R>(source, planOfItem(key, request, rules, options.scope), rules, given, (read) =>
      rowOf(read, rules),
    ),
  );
}

/** The first row of a plan that has at most one. */
async function rowOf<R>(read: PreparedRead<R>, rules: CompiledQueryRules): Promise<R> {
  const { rows } = await read.rows().catch((error: unknown) => {
    // The request has no filters: no column holds a value of the key.
    const isKey = error instanceof QueryError && error.code === 'FILTER_VALUE_INVALID';
    throw isKey ? rowNotFound(rules) : error;
  });
  const row = rows[0];
  if (row === undefined) throw rowNotFound(rules);
  return row;
}
