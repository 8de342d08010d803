/** The work of runs over many jobs of a queue: those with given ids, or those that a filter of the search accepts. */

import * as z from 'zod';

import { PgqJobState, SearchPgqJobsQuery, seenById } from '../../contract/index.ts';
import type { ErrorKey, StartBulkBody } from '../../contract/index.ts';
import { BoardError, type HookRequest, isFilterParam } from '../../core/index.ts';
import type { BulkControl, BulkEngine, BulkProgress, BulkWork } from '../../core/index.ts';
import { type Predicate, type QueryPlan, runQuery } from '../../../rules/index.ts';
import { isTimeout } from '../connect/read-errors.ts';
import { translateError } from '../connect/translate-error.ts';
import { keysetPage } from '../listings/keyset-page.ts';
import { jsonFields } from '../listings/search-rules.ts';
import type { Installation } from '../listings/installation.ts';
import type { JobSchema, VisibleQueues } from '../listings/visible-queues.ts';
import { searchConditions } from '../reads/all-jobs.ts';
import { countJobs } from '../reads/counts.ts';
import { findJob, jobStatesById } from '../reads/job-rows.ts';
import type { SearchRequest } from '../reads/search-request.ts';
import type { ShownValues } from '../reads/shown-values.ts';
import { versionOf } from '../reads/version.ts';
import type { JobState } from '../schema/tables.ts';
import { type JobAction, changeJobs, methods, removeRefs } from './change-jobs.ts';
import { type HeldJob, awaitedElsewhere, holdJobs, holdNextJobs } from './held-jobs.ts';
import { allowedStates } from './job-commands.ts';
import type { CommandStep, WritableSchemas } from './writable-schemas.ts';

/** Jobs per transaction. */
const chunkSize = 200;

/** Jobs per page of a dry run. */
const pageSize = 1_000;

/** The id before all others. */
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** Parameters of the search that a filter has not. */
const ofPages: ReadonlySet<string> = new Set(['queues', 'limit', 'cursor', 'order']);

const invalid = (field: string): BoardError =>
  new BoardError('INVALID_REQUEST_BODY', { code: 'INVALID_REQUEST', options: { field } });

/** The filter as conditions of the search. */
function conditionsOf(
  values: ShownValues,
  filter: Readonly<Record<string, string>>,
): SearchRequest {
  const { shape } = SearchPgqJobsQuery;
  const named: Record<string, string> = {};
  for (const [name, value] of Object.entries(filter)) {
    const isPath = jsonFields.some((field) => name.startsWith(`${field}.`));
    if (isFilterParam(name) || isPath) continue;
    if (ofPages.has(name) || !Object.hasOwn(shape, name)) {
      throw invalid(`filter.${name.slice(0, 100)}`);
    }
    if (value !== '') named[name] = value;
  }
  const parsed = SearchPgqJobsQuery.safeParse(named);
  if (!parsed.success) throw invalid(`filter.${parsed.error.issues[0]?.path.join('.') ?? ''}`);
  return searchConditions(values, parsed.data, new URLSearchParams(filter).toString());
}

/** Limits a plan to jobs of the queue in the states, and to some ids or to those that existed at a time. */
function within(
  queueName: string,
  states: readonly JobState[],
  ids: readonly string[] | undefined,
  until: string,
): (plan: QueryPlan) => QueryPlan {
  const condition = (path: string, operator: 'in' | 'lte', value: unknown): Predicate =>
    ({ type: 'condition', path, operator, value }) as Predicate;
  const own = [
    condition('queueName', 'in', [queueName]),
    condition('state', 'in', states),
    condition('createdOn', 'lte', until),
    ...(ids ? [condition('id', 'in', ids)] : []),
  ];
  return (plan) => ({
    ...plan,
    where: { type: 'and', predicates: plan.where ? [plan.where, ...own] : own },
  });
}

/** Runs over the jobs of one queue. */
interface Run {
  readonly request: HookRequest;
  readonly queueName: string;
  readonly action: JobAction;
  /** The time at which it began, on the clock of the database; jobs created later stay. */
  readonly until: string;
}

type Refused = Partial<Record<ErrorKey, number>>;

/** Jobs by their ids, as the client has seen them. */
type Seen = ReturnType<typeof seenById>;

/** The jobs that the command may change, and the counts of all. */
function sortOut<Job extends Pick<HeldJob, 'id' | 'state'>>(
  action: JobAction,
  ids: readonly string[],
  found: readonly Job[],
  seen: Seen,
  edited: ReadonlySet<string>,
) {
  const unchanged = found.filter(
    ({ id, state }) => (seen.get(id)?.expectedState ?? state) === state && !edited.has(id),
  );
  const jobs = unchanged.filter(({ state }) => allowedStates[action].includes(state));
  const refused: Refused = {
    JOB_NOT_FOUND: ids.length - found.length,
    JOB_CHANGED: found.length - unchanged.length,
    PGQ_JOB_STATE_CONFLICT: unchanged.length - jobs.length,
  };
  return { jobs, counts: { examined: ids.length, matched: found.length, refused } };
}

/** Changes the jobs that a transaction holds, all of them in states that allow the command. */
async function changeHeld(
  step: CommandStep,
  { queueName, action }: Run,
  jobs: readonly HeldJob[],
  signal: AbortSignal,
): Promise<{ changed: number; refused: Refused }> {
  if (action !== 'delete') {
    const { affected, refused } = await changeJobs(step, action, queueName, jobs, signal);
    return { changed: affected, refused: { PGQ_POLICY_CONFLICT: refused } };
  }
  const states = allowedStates.delete;
  const awaited = await awaitedElsewhere(step, queueName, jobs, states, true);
  const refs = jobs.filter(({ id }) => !awaited.has(id)).map(({ id }) => ({ queueName, id }));
  const changed = await removeRefs(step, refs);
  return { changed, refused: { PGQ_JOB_HAS_DEPENDENTS: awaited.size } };
}

/** The work of runs. */
export class BulkCommands implements BulkEngine {
  readonly #installation: Installation;
  readonly #schemas: WritableSchemas;
  readonly #queues: VisibleQueues;
  readonly #values: ShownValues;
  readonly translateError: typeof translateError = translateError;

  constructor(
    installation: Installation,
    schemas: WritableSchemas,
    queues: VisibleQueues,
    values: ShownValues,
  ) {
    this.#installation = installation;
    this.#schemas = schemas;
    this.#queues = queues;
    this.#values = values;
  }

  sees(request: HookRequest, queueName: string): Promise<boolean> {
    return this.#queues.allows(request, queueName);
  }

  async prepare(request: HookRequest, body: StartBulkBody): Promise<BulkWork> {
    const { queueName, action, ids, filter, dryRun } = body;
    if (action === 'promote') {
      throw new BoardError('BULK_ACTION_NOT_SUPPORTED', { options: { action } });
    }
    const run: Run = {
      request,
      queueName,
      action: action === 'remove' ? 'delete' : action,
      until: await this.#now(),
    };
    if (ids && !ids.every((id) => z.guid().safeParse(id).success)) throw invalid('ids');
    // A job has one id, however a client writes it.
    const seen = seenById({ ...body, ids: ids?.map((id) => id.toLowerCase()) });
    for (const { expectedState: state } of seen.values()) {
      const isState = state === undefined || PgqJobState.safeParse(state).success;
      if (!isState) throw invalid('expectedState');
    }
    const asked = filter && conditionsOf(this.#values, filter);
    // Tells errors of the queue, the permission to write and the filter before the run begins.
    await this.#schemas.openSteps(request, queueName, [methods[run.action]], async () => undefined);
    if (asked) {
      await this.#installation.open(async (opened) => {
        const schema = await this.#queues.require(opened, request, queueName);
        await this.#matching(schema, run, asked, [beforeAll]);
      });
    }
    return {
      queueName,
      action,
      dryRun,
      run: async (control) => {
        if (ids && dryRun) await this.#countIds(run, seen, control);
        else if (ids) await this.#overIds(run, seen, control);
        else if (asked && dryRun) await this.#count(run, asked, control);
        else if (asked) await this.#overFilter(run, asked, control);
      },
    };
  }

  /** Reads the states without a lock. */
  async #countIds(
    { request, queueName, action }: Run,
    seen: Seen,
    { signal, expect, report }: BulkControl,
  ): Promise<void> {
    const ids = [...seen.keys()];
    expect(ids.length);
    for (let at = 0; at < ids.length && !signal.aborted; at += chunkSize) {
      const chunk = ids.slice(at, at + chunkSize);
      const counts = await this.#installation.open(async (opened) => {
        const schema = await this.#queues.require(opened, request, queueName);
        const states = await jobStatesById(schema, queueName, chunk);
        const found = [...states].map(([id, state]) => ({ id, state }));
        const edited = await this.#editedAmong(schema, queueName, found, seen);
        return sortOut(action, chunk, found, seen, edited).counts;
      });
      report({ ...counts, changed: 0 });
    }
  }

  async #overIds(run: Run, seen: Seen, { signal, expect, report }: BulkControl): Promise<void> {
    const { request, queueName, action } = run;
    const ids = [...seen.keys()];
    expect(ids.length);
    await this.#schemas.openSteps(request, queueName, [methods[action]], async (transaction) => {
      for (let at = 0; at < ids.length && !signal.aborted; at += chunkSize) {
        const chunk = ids.slice(at, at + chunkSize);
        report(
          await transaction(async (step): Promise<BulkProgress> => {
            const held = await holdJobs(step, queueName, chunk);
            const edited = await this.#editedAmong(step.schema, queueName, held, seen);
            const { jobs, counts } = sortOut(action, chunk, held, seen, edited);
            const { changed, refused } = await changeHeld(step, run, jobs, signal);
            return { ...counts, changed, refused: { ...refused, ...counts.refused } };
          }),
        );
      }
    });
  }

  async #overFilter(
    run: Run,
    asked: SearchRequest,
    { signal, expect, report }: BulkControl,
  ): Promise<void> {
    const { request, queueName, action } = run;
    expect(await this.#total(run));
    await this.#schemas.openSteps(request, queueName, [methods[action]], async (transaction) => {
      let after = beforeAll;
      for (let count = chunkSize; count === chunkSize && !signal.aborted;) {
        const done = await transaction(async (step) => {
          const states = allowedStates[action];
          const next = await holdNextJobs(step, queueName, states, after, chunkSize);
          const ids = next.jobs.map(({ id }) => id);
          const matching = await this.#matching(step.schema, run, asked, ids);
          const jobs = next.jobs.filter(({ id }) => matching.has(id));
          const { changed, refused } = await changeHeld(step, run, jobs, signal);
          return { ...next, matched: jobs.length, changed, refused };
        });
        ({ count, last: after = after } = done);
        const { matched, changed, refused } = done;
        report({ examined: count, matched, changed, refused });
      }
    });
  }

  /** The ids of jobs with another version than the one that the client has seen. */
  async #editedAmong(
    schema: JobSchema,
    queueName: string,
    found: readonly Pick<HeldJob, 'id'>[],
    seen: Seen,
  ): Promise<ReadonlySet<string>> {
    const edited = new Set<string>();
    for (const { id } of found) {
      const version = seen.get(id)?.ifUnchanged;
      if (version === undefined) continue;
      // One at a time: a job may be large.
      const row = await findJob(schema, queueName, id);
      if (!row || versionOf(row, this.#values.closed) !== version) edited.add(id);
    }
    return edited;
  }

  /** Counts the jobs without a lock. */
  async #count(
    { request, queueName, action, until }: Run,
    { filters, paths }: SearchRequest,
    { signal, report }: BulkControl,
  ): Promise<void> {
    await this.#installation.open(async (opened) => {
      const schema = await this.#queues.require(opened, request, queueName);
      const { rules, source } = schema.listings.search(paths);
      let cursor: string | null = null;
      do {
        const page = new URLSearchParams(filters);
        page.append('sort', 'createdOn,id');
        page.append('fields', 'id,createdOn');
        page.append('perPage', String(pageSize));
        if (cursor !== null) page.append('cursor', cursor);
        const found = keysetPage(
          await schema.read((session) =>
            runQuery(source(session), page, rules, {
              ...schema.jobOptions,
              transformPlan: within(queueName, allowedStates[action], undefined, until),
            }),
          ),
        );
        const { length } = found.data;
        report({ examined: length, matched: length });
        cursor = found.nextCursor;
      } while (cursor !== null && !signal.aborted);
    });
  }

  async #now(): Promise<string> {
    const [row] = await this.#installation.read((session) =>
      session.query('select extract(epoch from clock_timestamp()) * 1000 as now', []),
    );
    // The next millisecond, which is after every job so far.
    return new Date(Math.ceil(Number(row?.['now'] ?? 0)) + 1).toISOString();
  }

  /** The ids whose jobs the filter accepts. */
  async #matching(
    { listings, read, jobOptions }: JobSchema,
    { queueName, action, until }: Run,
    { filters, paths }: SearchRequest,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const { rules, source } = listings.search(paths);
    const page = new URLSearchParams(filters);
    page.append('fields', 'id');
    page.append('perPage', String(ids.length));
    const { data } = await read((session) =>
      runQuery(source(session), page, rules, {
        ...jobOptions,
        transformPlan: within(queueName, allowedStates[action], ids, until),
      }),
    );
    return new Set(data.flatMap(({ id }) => id ?? []));
  }

  /** The number of jobs in states that allow the command; `null` if counting takes too long. */
  async #total({ request, queueName, action }: Run): Promise<number | null> {
    const filter = { queueName: { eq: queueName }, state: { in: [...allowedStates[action]] } };
    try {
      return await this.#installation.open(async (opened) => {
        const schema = await this.#queues.require(opened, request, queueName);
        return countJobs(schema, schema.listings.rules.countedJobs, { filter });
      });
    } catch (error) {
      if (!isTimeout(error)) throw error;
      return null;
    }
  }
}
