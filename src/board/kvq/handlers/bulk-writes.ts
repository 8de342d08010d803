/** Changes all jobs of a state, in steps, until the client disconnects; and removes queues. */

import { KeyedMutex, withTimeout } from '../../../lib/index.ts';
import { setImmediate } from 'node:timers/promises';
import type { BulkRun } from '../../contract/index.ts';
import { Accepted, BoardError, requestMs } from '../../core/index.ts';
import type { EngineHandlers, HandlerContext } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { BulkCounts, BulkStep, CleanableStatus } from '../model/driver.ts';
import type { JobStatus } from '../model/types.ts';
import { bulkTimeoutMs, obliterating, type Scope } from './scope.ts';
import { snapshotTime } from './snapshot-time.ts';
import { timeouts } from '../timeouts.ts';

/** Minimum age in milliseconds of the jobs that cleaning a status removes. */
const grace = 5_000;

/** Status names in paths, with the job status of each. */
const cleanable: ReadonlyMap<string, CleanableStatus> = new Map([
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['delayed', 'delayed'],
  ['active', 'active'],
  ['wait', 'waiting'],
  ['waiting', 'waiting'],
  ['prioritized', 'prioritized'],
  ['paused', 'paused'],
]);

/**
 * The statuses that emptying a queue removes, in the order in which jobs pass through them; active jobs and parents of
 * active children stay.
 */
const emptied: readonly CleanableStatus[] = [
  'delayed',
  'prioritized',
  'paused',
  'waiting',
  'completed',
  'failed',
];

/** The rest of a command on all jobs of some statuses. */
export interface RestOfCommand {
  readonly action: 'retry' | 'promote' | 'remove';
  readonly statuses: readonly JobStatus[];
  /** Jobs that came into their status after this time stay. */
  readonly until: number;
  readonly reach: readonly string[];
  /** Instead, the queue is removed: whether active jobs are as well. */
  readonly obliterates?: { readonly force: boolean };
  /** Jobs that the request has changed already. */
  readonly done: number;
}

/** A step that is repeated, and the rest of the command from there on. */
interface Part {
  readonly step: BulkStep;
  readonly rest: Omit<RestOfCommand, 'done'>;
}

/** Begins a run for the rest; undefined where the queue has a run already. */
export type HandOver = (queueName: string, rest: RestOfCommand) => Promise<BulkRun | undefined>;

/** The jobs of a command by outcome, and the run that does the rest. */
interface Outcome extends BulkCounts {
  readonly run?: BulkRun | undefined;
}

/** The answer, with the run that does the rest. */
const answered = <Body extends object>(body: Body, run: BulkRun | undefined) =>
  run ? new Accepted({ ...body, run }) : body;

export function bulkWrites(scope: Scope, handOver: HandOver) {
  const mutex = new KeyedMutex();

  /** Runs one bulk operation at a time per queue; concurrent ones would count and move the same jobs twice. */
  const change = async <Result>(
    queue: BoardQueue,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    // Report an unavailable datastore at once instead of after waiting for the mutex.
    await queue.driver.store.ready();
    return mutex.run(queue.name, () => scope.change(queue, work, bulkTimeoutMs));
  };

  /** Runs steps until none is left, the client disconnects, or a run does the rest, since they take long. */
  const run = (
    queue: BoardQueue,
    parts: readonly Part[],
    signal: Pick<AbortSignal, 'aborted'>,
  ): Promise<Outcome> =>
    change(queue, async () => {
      let end = performance.now() + requestMs;
      let [changed, skipped, spared] = [0, 0, 0];
      for (const { step, rest } of parts) {
        for (let more = true; more && !signal.aborted;) {
          const outcome = await withTimeout(step(), timeouts().stepMs);
          changed += outcome.changed;
          skipped += outcome.skipped;
          spared += outcome.spared;
          ({ more } = outcome);
          await setImmediate();
          if (!more || signal.aborted || performance.now() < end) continue;
          const begun = await handOver(queue.name, { ...rest, done: changed });
          if (begun) return { changed, skipped, spared, run: begun };
          end = Infinity;
        }
      }
      return { changed, skipped, spared };
    });

  /** The parts of a command on some statuses, one for each. */
  const partsOf = <Status extends JobStatus>(
    statuses: readonly Status[],
    rest: Omit<RestOfCommand, 'done' | 'statuses'>,
    stepOf: (status: Status) => BulkStep,
  ): Part[] =>
    statuses.map((status, at) => ({
      step: stepOf(status),
      rest: { ...rest, statuses: statuses.slice(at) },
    }));

  /** Removes the jobs of these statuses that existed at the time `until`. */
  const remove = async (
    { request, signal }: Pick<HandlerContext, 'request' | 'signal'>,
    queue: BoardQueue,
    statuses: readonly CleanableStatus[],
    until: number,
  ) => {
    const { driver } = queue;
    const reach = await scope.reach(request, queue);
    // A library without a status has no such jobs, so cleaning must not remove jobs of another status.
    const present = statuses.filter((status) => driver.statuses.includes(status));
    const rest = { action: 'remove', until, reach } as const;
    const parts = partsOf(present, rest, (status) => driver.cleanStep(status, until, reach));
    const { changed, spared, run: begun } = await run(queue, parts, signal);
    return answered({ removed: changed, spared }, begun);
  };

  return {
    async retryJobs(context) {
      const queue = await scope.writable(context);
      const { queueStatus } = context.params;
      if (!queue.allowRetries) throw new BoardError('RETRIES_DISABLED');
      if (queueStatus !== 'failed' && queueStatus !== 'completed') {
        throw new BoardError('STATUS_NOT_RETRIABLE', { options: { status: queueStatus } });
      }
      if (queueStatus === 'completed' && !queue.allowCompletedRetries) {
        throw new BoardError('COMPLETED_RETRIES_DISABLED');
      }
      const until = await snapshotTime(queue, [queueStatus]);
      const rest = { action: 'retry', until, reach: [] } as const;
      const step = () => queue.driver.retryStep(queueStatus, until);
      const parts = partsOf([queueStatus], rest, step);
      const { changed, skipped, run: begun } = await run(queue, parts, context.signal);
      return answered({ retried: changed, skipped }, begun);
    },

    async promoteJobs(context) {
      const queue = await scope.writable(context);
      const until = await snapshotTime(queue, ['delayed']);
      const rest = { action: 'promote', until, reach: [] } as const;
      const parts = partsOf(['delayed'], rest, () => queue.driver.promoteStep(until));
      const { changed, skipped, run: begun } = await run(queue, parts, context.signal);
      return answered({ promoted: changed, skipped }, begun);
    },

    async cleanJobs(context) {
      const queue = await scope.writable(context);
      const status = cleanable.get(context.params.queueStatus);
      if (!status) {
        throw new BoardError('INVALID_QUERY_PARAM', {
          code: 'INVALID_REQUEST',
          options: { field: 'queueStatus' },
        });
      }
      return remove(context, queue, [status], Date.now() - grace);
    },

    async emptyQueue(context) {
      const queue = await scope.writable(context);
      return remove(context, queue, emptied, await snapshotTime(queue, emptied));
    },

    async obliterateQueue(context) {
      const queue = await scope.writable(context);
      const { driver } = queue;
      const [read] = await driver.store.facts([driver.store], false);
      if (read && 'error' in read) throw read.error;
      if (!read?.facts.isPaused) throw new BoardError('QUEUE_NOT_PAUSED');
      const reach = await scope.reach(context.request, queue);
      const force = context.body.force === true;
      const rest = { action: 'remove', statuses: [], until: 0, reach } as const;
      const parts = [
        { step: driver.obliterateStep(force, reach), rest: { ...rest, obliterates: { force } } },
      ];
      // A client that disconnects does not leave a part of the queue.
      const { changed, run: begun } = await obliterating(run(queue, parts, { aborted: false }));
      return begun ? new Accepted({ removed: changed, run: begun }) : {};
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
