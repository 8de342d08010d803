/** The work of runs over many jobs of a queue: those with given ids, or those that a filter of the search accepts. */

import * as z from 'zod';
import { setImmediate } from 'node:timers/promises';

import { JobState, SearchJobsQuery, seenById } from '../../contract/index.ts';
import type { ErrorKey, SeenJob, StartBulkBody } from '../../contract/index.ts';
import { BoardError } from '../../core/index.ts';
import type { BulkControl, BulkEngine, BulkProgress, HookRequest } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { DriverRefusal } from '../model/driver.ts';
import type { BulkSelection, JobCommand, Refusal } from '../model/driver.ts';
import { SearchBudget } from '../model/search-budget.ts';
import { withoutData } from '../model/read-limits.ts';
import type { JobStatus } from '../model/types.ts';
import { shownReason } from '../present/job-view.ts';
import { matches } from '../redis/matches-criteria.ts';
import { timeouts } from '../timeouts.ts';
import { invalidBody } from './add-job.ts';
import { closedField, criteriaOf } from './search-handlers.ts';
import type { Query } from './search-handlers.ts';
import type { Scope } from './scope.ts';
import { snapshotTime } from './snapshot-time.ts';

type Act = BulkSelection['act'];

/** The statuses whose jobs a run may take; the first one is taken without a status in the filter. */
const statusesOf: Readonly<Record<Act, readonly JobStatus[]>> = {
  retry: ['failed', 'completed'],
  promote: ['delayed'],
  remove: ['waiting', 'prioritized', 'paused', 'delayed', 'completed', 'failed'],
};

/** The answer for a job in the wrong state, as of the command on a single job. */
const stateKeys: Readonly<Record<Act, ErrorKey>> = {
  retry: 'JOB_NOT_RETRIABLE',
  promote: 'JOB_NOT_DELAYED',
  remove: 'JOB_CHANGED',
};

/** The answer for each other refusal. */
const keys: Readonly<Record<Exclude<Refusal, 'state'>, ErrorKey>> = {
  missing: 'JOB_NOT_FOUND',
  active: 'JOB_IS_ACTIVE',
  changed: 'JOB_CHANGED',
  scheduled: 'JOB_BELONGS_TO_JOB_SCHEDULER',
  taken: 'JOB_CHANGED',
  unsupported: 'JOB_EDIT_NOT_SUPPORTED',
  parent: 'JOB_PARENT_PROTECTED',
  child: 'QUEUE_READ_ONLY',
  exists: 'JOB_SCHEDULER_EXISTS',
};

function refusedBy(act: Act, refused: Partial<Record<Refusal, number>>): BulkProgress['refused'] {
  const counts: Partial<Record<ErrorKey, number>> = {};
  for (const [refusal, count] of Object.entries(refused) as [Refusal, number][]) {
    const key = refusal === 'state' ? stateKeys[act] : keys[refusal];
    counts[key] = (counts[key] ?? 0) + count;
  }
  return counts;
}

/** Parameters of the search that a filter has not. */
const ofPages: ReadonlySet<string> = new Set(['id', 'limit', 'cursor']);

/** The filter as a validated query of the search. */
function queryOf(filter: Readonly<Record<string, string>>): Query {
  const known = SearchJobsQuery instanceof z.ZodObject ? SearchJobsQuery.shape : {};
  for (const name of Object.keys(filter)) {
    if (ofPages.has(name) || !Object.hasOwn(known, name))
      throw invalidBody(`filter.${name.slice(0, 100)}`);
  }
  const given = Object.entries(filter).filter(([, value]) => value !== '');
  const parsed = SearchJobsQuery.safeParse(Object.fromEntries(given));
  if (!parsed.success) throw invalidBody(`filter.${parsed.error.issues[0]?.path.join('.') ?? ''}`);
  return parsed.data;
}

/** The status that the run takes its jobs from. */
function statusOf(queue: BoardQueue, act: Act, { status }: Query): JobStatus {
  const allowed = statusesOf[act];
  const [first] = allowed;
  const chosen = status ?? (act === 'remove' ? undefined : first);
  if (!chosen || !allowed.includes(chosen)) throw invalidBody('filter.status');
  if (act === 'retry' && chosen === 'completed' && !queue.allowCompletedRetries) {
    throw new BoardError('COMPLETED_RETRIES_DISABLED');
  }
  return chosen;
}

/** Jobs with given ids per chunk, and changes at a time on a datastore. */
const idsPerChunk = 200;
const atATime = { kv: 50, sql: 2 } as const;

/** Runs the work on all items, a few at a time. */
async function each<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const next = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, next));
}

/** The commands to try on a job, until one is not refused because of its state. */
function commandsOf(
  queue: BoardQueue,
  act: Act,
  reach: readonly string[],
  { expectedState }: SeenJob,
): JobCommand[] {
  if (act === 'remove') return [{ act, reach }];
  if (act === 'promote') return [{ act }];
  const states = queue.allowCompletedRetries
    ? (['failed', 'completed'] as const)
    : (['failed'] as const);
  const expected = states.filter((from) => from === expectedState);
  return (expected.length > 0 ? expected : states).map((from) => ({ act, from }));
}

async function refusalOf(
  queue: BoardQueue,
  id: string,
  commands: readonly JobCommand[],
  seen: SeenJob,
): Promise<Refusal | undefined> {
  let refusal: Refusal | undefined;
  for (const command of commands) {
    try {
      await queue.driver.change(id, command, seen);
      return undefined;
    } catch (error) {
      if (!(error instanceof DriverRefusal)) throw error;
      ({ refusal } = error);
      if (refusal !== 'state') return refusal;
    }
  }
  return refusal;
}

/** The ids of jobs with another version than the one that the client has seen. */
async function changedAmong(
  queue: BoardQueue,
  jobs: readonly (readonly [id: string, seen: SeenJob])[],
): Promise<ReadonlySet<string>> {
  const { store } = queue.driver;
  const changed = new Set<string>();
  const versioned = jobs.filter(([, { ifUnchanged }]) => ifUnchanged !== undefined);
  await each(versioned, atATime[store.datastore], async ([id, { ifUnchanged }]) => {
    if ((await store.job(id))?.version !== ifUnchanged) changed.add(id);
  });
  return changed;
}

/** States in which the command would be refused, by the refusal; without a change. */
async function countIds(
  queue: BoardQueue,
  act: Act,
  jobs: readonly (readonly [id: string, seen: SeenJob])[],
): Promise<Partial<Record<Refusal, number>>> {
  const refused: Partial<Record<Refusal, number>> = {};
  const ids = jobs.map(([id]) => id);
  const stored = await queue.driver.store.flowJobs(ids, 1, withoutData);
  const changed = await changedAmong(queue, jobs);
  for (const [index, [id, { expectedState }]] of jobs.entries()) {
    const job = stored[index];
    const isExpected =
      (expectedState === undefined || job?.state === expectedState) && !changed.has(id);
    const isAllowed =
      job &&
      isExpected &&
      (act === 'remove'
        ? job.state !== 'active'
        : statusesOf[act].includes(job.state as JobStatus));
    if (isAllowed) continue;
    const ofState: Refusal = act === 'remove' ? 'active' : 'state';
    const ofJob: Refusal = isExpected ? ofState : 'changed';
    const refusal: Refusal = job ? ofJob : 'missing';
    refused[refusal] = (refused[refusal] ?? 0) + 1;
  }
  return refused;
}

export function bulkEngine(scope: Scope, translateError: BulkEngine['translateError']): BulkEngine {
  /** The work over ids. */
  const overIds =
    (
      queue: BoardQueue,
      act: Act,
      seen: ReturnType<typeof seenById>,
      reach: readonly string[],
      dryRun: boolean,
    ) =>
    async ({ signal, expect, report }: BulkControl): Promise<void> => {
      const jobs = [...seen];
      expect(jobs.length);
      for (let at = 0; at < jobs.length && !signal.aborted; at += idsPerChunk) {
        const chunk = jobs.slice(at, at + idsPerChunk);
        let refused: Partial<Record<Refusal, number>> = {};
        if (dryRun) refused = await countIds(queue, act, chunk);
        else {
          await scope.change(
            queue,
            () =>
              each(chunk, atATime[queue.driver.store.datastore], async ([id, job]) => {
                const commands = commandsOf(queue, act, reach, job);
                const refusal = await refusalOf(queue, id, commands, job);
                if (refusal) refused[refusal] = (refused[refusal] ?? 0) + 1;
              }),
            timeouts().stepMs,
          );
        }
        const failed = Object.values(refused).reduce((sum, count) => sum + count, 0);
        const missing = refused.missing ?? 0;
        report({
          examined: chunk.length,
          matched: chunk.length - missing,
          changed: dryRun ? 0 : chunk.length - failed,
          refused: refusedBy(act, refused),
        });
        await setImmediate();
      }
    };

  /** The work over the jobs that a filter accepts. */
  const overFilter =
    (queue: BoardQueue, selection: BulkSelection) =>
    async ({ signal, expect, report }: BulkControl): Promise<void> => {
      const { driver } = queue;
      // A library without the status has no such jobs.
      if (!driver.statuses.includes(selection.status)) return;
      const [read] = await driver.store.facts([driver.store], false);
      expect(read && 'facts' in read ? (read.facts.counts[selection.status] ?? 0) : null);
      const step = driver.selectionStep(selection);
      for (let more = true; more && !signal.aborted;) {
        const counts = selection.dryRun
          ? await step()
          : await scope.change(queue, step, timeouts().stepMs);
        ({ more } = counts);
        report({ ...counts, refused: refusedBy(selection.act, counts.refused) });
        await setImmediate();
      }
    };

  const selectionOf = async (
    request: HookRequest,
    queue: BoardQueue,
    act: Act,
    { filter = {}, dryRun }: StartBulkBody,
    reach: readonly string[],
  ): Promise<BulkSelection> => {
    const query = queryOf(filter);
    const status = statusOf(queue, act, query);
    const closed = closedField(queue, query);
    if (closed) throw closed;
    const { limit: _limit, status: _status, ...criteria } = criteriaOf(query);
    const view = await scope.view(request);
    const whole = { ...criteria, statuses: [], limit: 1, budget: new SearchBudget() };
    const { path: _path, ...ofReason } = { ...whole, name: '', from: -Infinity, to: Infinity };
    const shown = (error: string): string => shownReason(view, queue, error);
    const unread = { name: '', data: '', timestamp: 0 };
    return {
      act,
      status,
      until: await snapshotTime(queue, [status]),
      reach,
      dryRun,
      criteria,
      // A reason counts as it is shown: it may name a hidden child.
      accepts: (job) =>
        matches(criteria.error === undefined ? job : { ...job, error: shown(job.error) }, whole),
      acceptsReason: (error) => matches({ ...unread, error: shown(error) }, ofReason),
    };
  };

  return {
    translateError,
    sees: async (request, queueName) =>
      (await scope.visible(request)).some(({ name }) => name === queueName),
    async prepare(request, body) {
      const { queueName, action, ids, dryRun } = body;
      const queue = await scope.writable({ params: { queueName }, request });
      if (action === 'cancel' || action === 'resume') {
        throw new BoardError('BULK_ACTION_NOT_SUPPORTED', { options: { action } });
      }
      if (action === 'retry' && !queue.allowRetries) throw new BoardError('RETRIES_DISABLED');
      const seen = seenById(body);
      for (const { expectedState: state } of seen.values()) {
        const isState = state === undefined || JobState.safeParse(state).success;
        if (!isState) throw invalidBody('expectedState');
      }
      const reach = action === 'remove' ? await scope.reach(request, queue) : [];
      const run = ids
        ? overIds(queue, action, seen, reach, dryRun)
        : overFilter(queue, await selectionOf(request, queue, action, body, reach));
      return { queueName, action, dryRun, run };
    },
  };
}
