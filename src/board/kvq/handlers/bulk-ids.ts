/** The parts of runs over jobs with given ids: which command each gets, its conditions, and why it was refused. */

import type { SeenJob } from '../../contract/index.ts';
import type { RunClaim } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { DriverRefusal } from '../model/driver.ts';
import type {
  BulkSelection,
  JobCommand,
  JobConditions,
  NotePart,
  Refusal,
  SelectionRun,
} from '../model/driver.ts';
import { withoutData } from '../model/read-limits.ts';
import type { JobStatus } from '../model/types.ts';
import type { Scope } from './scope.ts';

type Act = BulkSelection['act'];

/** The statuses whose jobs a run may take; the first one is taken without a status in the filter. */
export const statusesOf: Readonly<Record<Act, readonly JobStatus[]>> = {
  retry: ['failed', 'completed'],
  promote: ['delayed'],
  remove: ['waiting', 'prioritized', 'paused', 'delayed', 'completed', 'failed'],
};

/** Changes at a time on a datastore. */
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
export function commandsOf(queue: BoardQueue, act: Act, reach: readonly string[]): JobCommand[] {
  if (act === 'remove') return [{ act, reach }];
  if (act === 'promote') return [{ act }];
  const states = queue.allowCompletedRetries
    ? (['failed', 'completed'] as const)
    : (['failed'] as const);
  return states.map((from) => ({ act, from }));
}

/** The conditions of a command on a job that the client has seen; a refusal if it is another one. */
async function conditionsOf(
  scope: Scope,
  queue: BoardQueue,
  id: string,
  { expectedState, ifUnchanged }: SeenJob,
): Promise<JobConditions | Refusal> {
  if (ifUnchanged === undefined) return { expectedState };
  const job = await scope.jobIfAny(queue, id);
  if (!job) return 'missing';
  if (scope.versionOf(queue, job) !== ifUnchanged) return 'changed';
  return { expectedState, revision: job.revision };
}

/** Tries the commands on a job; the refusal of the last one. */
async function refusalOf(
  { driver }: BoardQueue,
  id: string,
  commands: readonly JobCommand[],
  conditions: JobConditions,
  mark: RunClaim | undefined,
): Promise<Refusal | undefined> {
  let refusal: Refusal | undefined;
  for (const command of commands) {
    try {
      await driver.change(id, command, conditions, mark);
      return undefined;
    } catch (error) {
      if (!(error instanceof DriverRefusal)) throw error;
      ({ refusal } = error);
      if (refusal !== 'state') return refusal;
    }
  }
  return refusal;
}

/** Changes jobs with given ids; the refusals. `note` writes them, where the datastore writes them with the changes. */
export async function changeIds(
  scope: Scope,
  queue: BoardQueue,
  jobs: readonly (readonly [id: string, seen: SeenJob])[],
  commands: readonly JobCommand[],
  { mark, keeps, note }: Pick<SelectionRun, 'mark' | 'keeps'> & { readonly note: NotePart },
): Promise<ReadonlyMap<string, Refusal>> {
  const { driver } = queue;
  const refused = new Map<string, Refusal>();
  const fitting = new Map<string, JobConditions>();
  await each(jobs, atATime[driver.store.datastore], async ([id, job]) => {
    const conditions = await conditionsOf(scope, queue, id, job);
    if (typeof conditions === 'string') refused.set(id, conditions);
    else if (driver.changePart) fitting.set(id, conditions);
    else {
      const refusal = await refusalOf(queue, id, commands, conditions, mark);
      if (refusal) refused.set(id, refusal);
    }
  });
  const noted: NotePart = (within, more) => note(within, more && new Map([...refused, ...more]));
  await driver.changePart?.(fitting, commands, noted, keeps);
  return refused;
}

/** The ids of jobs with another version than the one that the client has seen. */
async function changedAmong(
  scope: Scope,
  queue: BoardQueue,
  jobs: readonly (readonly [id: string, seen: SeenJob])[],
): Promise<ReadonlySet<string>> {
  const { store } = queue.driver;
  const changed = new Set<string>();
  const versioned = jobs.filter(([, { ifUnchanged }]) => ifUnchanged !== undefined);
  await each(versioned, atATime[store.datastore], async ([id, { ifUnchanged }]) => {
    const job = await scope.jobIfAny(queue, id);
    if (!job || scope.versionOf(queue, job) !== ifUnchanged) changed.add(id);
  });
  return changed;
}

/** States in which the command would be refused, by the refusal; without a change. */
export async function countIds(
  scope: Scope,
  queue: BoardQueue,
  act: Act,
  jobs: readonly (readonly [id: string, seen: SeenJob])[],
): Promise<Partial<Record<Refusal, number>>> {
  const refused: Partial<Record<Refusal, number>> = {};
  const ids = jobs.map(([id]) => id);
  const stored = await queue.driver.store.flowJobs(ids, 1, withoutData);
  const changed = await changedAmong(scope, queue, jobs);
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
