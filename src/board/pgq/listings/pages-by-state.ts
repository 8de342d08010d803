/** Reads a page of jobs in all states as one page per state, each by index, merged in listing order. */

import {
  type CompiledQueryRules,
  type PageRows,
  type PreparedRead,
  type QuerySource,
  type ResolvedCondition,
  type ResolvedPlan,
  resolvePredicate,
} from '../../../rules/index.ts';
import { unionSession } from './union-read.ts';
import type { ReadSession } from '../connect/read-channel.ts';
import { type JobState, jobStates } from '../schema/tables.ts';

interface PositionedRow<Row> {
  readonly row: Row;
  readonly place: readonly (string | null)[];
}

/** The conditions that every row of the plan meets. */
function conditionsOf({ where }: ResolvedPlan): readonly ResolvedCondition[] {
  if (where === null) return [];
  const all = where.type === 'and' ? where.predicates : [where];
  return all.filter((member) => member.type === 'condition');
}

/** Whether a job in the state may meet the condition. */
function admits({ row, value }: ResolvedCondition, state: JobState): boolean {
  switch (row.comparison) {
    case 'equality':
      return (value === state) !== row.negated;
    case 'membership':
      return (Array.isArray(value) && value.includes(state)) !== row.negated;
    case 'order':
    case 'range':
    case 'pattern':
    case 'null':
      return true;
  }
}

/** The states that the conditions of the plan allow; `undefined` where the index does not help. */
function statesOf(plan: ResolvedPlan): readonly JobState[] | undefined {
  const conditions = conditionsOf(plan);
  // The primary key index finds a few jobs by id.
  if (conditions.some(({ path, operator }) => path === 'id' && operator === 'eq')) return undefined;
  const onState = conditions.filter(({ path }) => path === 'state');
  const states = jobStates.filter((state) =>
    onState.every((condition) => admits(condition, state)),
  );
  return states.length < 2 ? undefined : states;
}

function inState(plan: ResolvedPlan, rules: CompiledQueryRules, state: JobState): ResolvedPlan {
  const condition = resolvePredicate(rules, {
    type: 'condition',
    path: 'state',
    operator: 'eq',
    value: state,
  });
  const predicates = [...(plan.where ? [plan.where] : []), condition];
  return { ...plan, where: { type: 'and', predicates } };
}

/** Canonical times have three or six fractional digits; with equal length, they compare as strings. */
function comparable(text: string | null): string {
  if (text === null) return '';
  return text.length === 24 && text.endsWith('Z') ? `${text.slice(0, -1)}000Z` : text;
}

function byPosition(descending: boolean) {
  const sign = descending ? -1 : 1;
  return (left: PositionedRow<unknown>, right: PositionedRow<unknown>): number => {
    for (const [index, text] of left.place.entries()) {
      const a = comparable(text);
      const b = comparable(right.place[index] ?? null);
      if (a !== b) return a < b ? -sign : sign;
    }
    return 0;
  };
}

/** The first rows of all pages in order; the last rows for a page that is read backwards. */
function merged<Row>(plan: ResolvedPlan, pages: readonly PageRows<Row>[]): PageRows<Row> {
  if (plan.page.mode !== 'keyset') throw new TypeError('Only keyset pages can be merged.');
  const { perPage, position } = plan.page;
  const all = pages.flatMap(({ rows, place }) =>
    rows.map((row, index): PositionedRow<Row> => ({ row, place: place?.(index) ?? [] })),
  );
  all.sort(byPosition(plan.order[0]?.direction === 'desc'));
  const hasMore = all.length > perPage || pages.some((page) => page.hasMore);
  const kept = position?.direction === 'before' ? all.slice(-perPage) : all.slice(0, perPage);
  const place = (index: number) => kept[index]?.place ?? [];
  const rows = kept.map(({ row }) => row);
  if (rows.length === 0) return { rows, hasMore };
  return { rows, hasMore, first: place(0), last: place(rows.length - 1), place };
}

/**
 * The source of a session, with keyset pages over several states read per state: the listing index starts with queue
 * and state, so a page over all states would sort the whole queue. All states are read in one statement; otherwise, a
 * job that changes its state in between would be on the page twice or not at all.
 */
export function pagesByState<Row, Customize>(
  session: ReadSession,
  sourceOn: (session: ReadSession) => QuerySource<Row, Customize>,
): QuerySource<Row, Customize> {
  const source = sourceOn(session);
  return {
    ...source,
    prepare(plan, rules, options) {
      const states = plan.page.mode === 'keyset' ? statesOf(plan) : undefined;
      if (!states) return source.prepare(plan, rules, options);
      const together = sourceOn(unionSession(session, states.length));
      const reads = states.map((state) =>
        together.prepare(inState(plan, rules, state), rules, options),
      );
      const read: PreparedRead<Row> = {
        concurrent: false,
        countKey: reads.map((one) => one.countKey).join('\n'),
        rows: async () => merged(plan, await Promise.all(reads.map((one) => one.rows()))),
        count: () => Promise.reject(new TypeError('Merged pages cannot be counted.')),
      };
      return read;
    },
  };
}
