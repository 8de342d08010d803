/** The jobs of a run: the conditions of its filter, and the limits of every plan over them. */

import { SearchPgqJobsQuery } from '../../contract/index.ts';
import { BoardError, isFilterParam } from '../../core/index.ts';
import { adding } from '../../filters/index.ts';
import type { Predicate, TransformPlan } from '../../../rules/index.ts';
import { jsonFields } from '../listings/search-rules.ts';
import type { Authorised } from '../listings/visible-queues.ts';
import { searchConditions } from '../reads/search-conditions.ts';
import type { SearchRequest } from '../reads/search-request.ts';
import type { ShownValues } from '../reads/shown-values.ts';
import type { JobState } from '../schema/tables.ts';
import type { JobAction } from './change-jobs.ts';

/** Runs over the jobs of one queue. */
export interface Run {
  readonly sender: Authorised;
  readonly queueName: string;
  readonly action: JobAction;
  /** The time at which it began, on the clock of the database; jobs created later stay. */
  readonly until: string;
}

/** Parameters of the search that a filter has not. */
const ofPages: ReadonlySet<string> = new Set(['queues', 'limit', 'cursor', 'order']);

/** An unusable part of the body. */
export const invalid = (field: string): BoardError =>
  new BoardError('INVALID_REQUEST_BODY', { code: 'INVALID_REQUEST', options: { field } });

/** A value of the list grammar without a character that it could mean. */
const nothing = /^[\s",\\]*$/;

/** The filter as conditions of the search. */
export function conditionsOf(
  values: ShownValues,
  filter: Readonly<Record<string, string>>,
): SearchRequest {
  const { shape } = SearchPgqJobsQuery;
  const named: Record<string, string> = {};
  for (const [name, value] of Object.entries(filter)) {
    const isPath = jsonFields.some((field) => name.startsWith(`${field}.`));
    // A text in quotes, or a list, may have nothing in it either.
    if ((isFilterParam(name) || isPath) && nothing.test(value)) {
      throw invalid(`filter.${name.slice(0, 100)}`);
    }
    if (isFilterParam(name) || isPath) continue;
    if (ofPages.has(name) || !Object.hasOwn(shape, name)) {
      throw invalid(`filter.${name.slice(0, 100)}`);
    }
    named[name] = value;
  }
  const parsed = SearchPgqJobsQuery.safeParse(named);
  if (!parsed.success) throw invalid(`filter.${parsed.error.issues[0]?.path.join('.') ?? ''}`);
  return searchConditions(values, parsed.data, new URLSearchParams(filter).toString());
}

/** The jobs after an id up to another one. */
export interface Page {
  readonly after: string;
  readonly last: string;
}

/** Limits a plan to jobs of the queue in the states that existed at a time, to a page of them, and by further conditions. */
export function limitedTo(
  queueName: string,
  states: readonly JobState[],
  until: string,
  {
    page,
    conditions = [],
  }: { readonly page?: Page | undefined; readonly conditions?: readonly Predicate[] | undefined },
): TransformPlan {
  const condition = (path: string, operator: 'in' | 'lte' | 'gt', value: unknown): Predicate =>
    ({ type: 'condition', path, operator, value }) as Predicate;
  return adding([
    condition('queueName', 'in', [queueName]),
    condition('state', 'in', states),
    condition('createdOn', 'lte', until),
    ...(page ? [condition('id', 'gt', page.after), condition('id', 'lte', page.last)] : []),
    ...conditions,
  ]);
}
