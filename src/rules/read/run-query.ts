/** Runs a query: request to plan, plan to rows, rows to the result. */

import { checkConfiguration } from '../../schema/index.ts';
import { assertPair } from './assert-source.ts';
import { checkSource } from './check-source.ts';
import type { CompiledQueryRules, ScopeIn } from '../declare/compiled.ts';
import type { PairedRules } from '../typed/pairing.ts';
import { countedRows } from './counted-rows.ts';
import type { ListRequestInput } from '../request/list-request.ts';
import {
  type KeysetPage,
  type ListResult,
  type OffsetPage,
  type RowIn,
  type WholeList,
  keysetResult,
  lastPage,
} from './list-result.ts';
import type { ResolvedPlan } from '../plan/plan.ts';
import { keptPlan } from '../plan/kept-parts.ts';
import { paginationInvalid } from '../request/request-error.ts';
import { checkServed } from '../plan/scopes.ts';
import { observed } from './observed.ts';
import { runOptionTable } from './option-tables.ts';
import type {
  CustomizeScope,
  ExplainedStatement,
  PreparedRead,
  QuerySource,
  ReadOptions,
  Row,
} from './source.ts';
import type { QueryTimings, Timed } from './timings.ts';
import { type TransformPlan, transformedPlan } from '../plan/transform-plan.ts';

/** Options of reading one row. */
export interface ItemOptions<Customize = unknown, Scope = unknown> {
  /** Changes the statement that reads the row, as in `QueryOptions`. Default: none. */
  readonly customize?: Customize | undefined;
  /** Milliseconds until QUERY_TIMEOUT, as in `QueryOptions`. Default: 30 seconds; `0` for none. */
  readonly timeoutMs?: number | undefined;
  /** Ends the read when it is aborted. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** The values for the functions of `settings.scopes`; required where the rules have scopes. */
  readonly scope?: Scope | undefined;
  /**
   * Adds conditions to the plan. They are AND-ed at the root: they decide which rows are listed, and filter neither
   * included relations nor the rows that a filter through a relation examines; `settings.scopes` does both. Default:
   * none.
   */
  readonly transformPlan?: TransformPlan | undefined;
  /**
   * Told how long the parts of the request took, in milliseconds, when the result is complete; not told of a request
   * that fails. An error that it throws fails the request. Default: none.
   */
  readonly onTimings?: ((timings: QueryTimings) => void) | undefined;
}

/** Options of one query. */
export interface QueryOptions<Customize = unknown, Scope = unknown> extends ItemOptions<
  Customize,
  Scope
> {
  /** The part of the data that cursors are valid in, as in `PlanOptions`. Default: the conditions of the scopes. */
  readonly cursorScope?: string | undefined;
  /** The statements that `customize` changes. Default: `both`. */
  readonly customizeScope?: CustomizeScope | undefined;
  /**
   * Whether the result has `explained`: each statement that Sluice has run, with the plan that the database has for it
   * (`EXPLAIN`, which does not run it again). For developers: the plan repeats values and names of columns, so that list
   * endpoints refuse the option. Default `false`.
   */
  readonly explain?: boolean | undefined;
}

let warnedOfScope = false;

/** Rows and count under different conditions disagree, so the first use logs a warning. */
function warnOfScope(scope: string | undefined) {
  if (scope === undefined || scope === 'both' || warnedOfScope) return;
  warnedOfScope = true;
  console.warn(
    `sluice: customizeScope "${scope}" changes one of the two statements; rows and total may disagree.`,
  );
}

/**
 * Runs a request against a source under compiled rules. Where the compiler knows the rules, the result has the pages
 * that they allow, and its rows the fields and relations that they can show.
 *
 * @param source where rows are read from; made by an adapter
 * @param request a raw query string, a `URLSearchParams` or an object that a framework's parser produced
 * @param rules the result of `defineQueryRules`
 * @param options hooks and limits of this call
 * @throws {QueryError} with status 400 when the request is refused, 5xx when the source cannot answer
 */
export async function runQuery<
  R = Row,
  Customize = unknown,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
>(
  source: QuerySource<R, Customize, Listed>,
  request: ListRequestInput,
  rules: PairedRules<Rules, Listed> & Rules,
  options?: QueryOptions<Customize, ScopeIn<Rules>>,
): Promise<
  // Written out, so that editors show the pages.
  | OffsetPage<RowIn<R, Listed, Rules>, Rules>
  | KeysetPage<RowIn<R, Listed, Rules>, Rules>
  | WholeList<RowIn<R, Listed, Rules>, Rules>
>;
export async function runQuery<R, Customize>(
  source: QuerySource<R, Customize>,
  request: ListRequestInput,
  rules: CompiledQueryRules,
  options: QueryOptions<Customize> = {},
): Promise<ListResult<R>> {
  checkConfiguration('runQuery', options, runOptionTable);
  assertPair(source, rules);
  if (!options.explain) return listAnswer(source, request, rules, options);
  const explained: ExplainedStatement[] = [];
  return { ...(await listAnswer(source, request, rules, { ...options, explained })), explained };
}

/**
 * `runQuery` with options that have been checked, on a source that has been compared with the rules.
 */
export function listAnswer<R, Customize>(
  source: QuerySource<R, Customize>,
  request: ListRequestInput,
  rules: CompiledQueryRules,
  options: QueryOptions<Customize> & Pick<ReadOptions, 'explained'>,
): Promise<ListResult<R>> {
  options.signal?.throwIfAborted();
  if (options.customize) warnOfScope(options.customizeScope);
  return observed('list', source, options, (given) =>
    answered<R, ListResult<R>>(
      source,
      keptPlan(request, rules, options, source),
      rules,
      given,
      (read, plan) => resultOf(read, plan, rules),
    ),
  );
}

/** Runs the host's hook on a plan, prepares the read, and makes the answer of it. */
export function answered<R, Answer>(
  source: QuerySource<R>,
  requested: ResolvedPlan,
  rules: CompiledQueryRules,
  options: QueryOptions & Timed,
  answerOf: (read: PreparedRead<R>, plan: ResolvedPlan) => Promise<Answer>,
): Promise<Answer> {
  const { transformPlan, scope } = options;
  const plan = transformPlan ? transformedPlan(requested, rules, transformPlan, scope) : requested;
  checkSource(source, rules);
  if (plan.scopes) checkServed(plan, source);
  const read = source.prepare(plan, rules, options);
  const answer = () => answerOf(read, plan);
  return read.within ? read.within(answer) : answer();
}

/** Reads the rows of a plan and, where its window has a total, their count. */
async function resultOf<R>(
  read: PreparedRead<R>,
  { page: window, count, order }: ResolvedPlan,
  rules: CompiledQueryRules,
): Promise<ListResult<R>> {
  if (window.mode === 'keyset') return keysetResult(rules, order, window, await read.rows());
  if (window.mode === 'all') {
    const { rows, hasMore } = await read.rows();
    if (hasMore) {
      throw paginationInvalid('paginate', `may not be false for more than ${window.maxRows} rows`, {
        maxRows: window.maxRows,
      });
    }
    return { data: rows };
  }
  const { page, perPage } = window;
  if (count.type === 'none') {
    const { rows, hasMore } = await read.rows();
    return { data: rows, page, perPage, hasNextPage: hasMore };
  }
  const { page: counted, total } = await countedRows(rules, read, window);
  if (count.type === 'exact' || total <= count.cap) {
    return { data: counted.rows, page, perPage, total, lastPage: lastPage(total, perPage) };
  }
  return {
    data: counted.rows,
    page,
    perPage,
    total: count.cap,
    lastPage: lastPage(count.cap, perPage),
    totalCapped: true,
  };
}
