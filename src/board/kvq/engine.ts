/** The engine of boards for BullMQ and Bull: its options, its queues, and a handler for each route. */

import * as option from '../../lib/option-rows.ts';
import { sqlState, type OptionTableOf } from '../../lib/index.ts';
import { BoardError, bulkOf } from '../core/index.ts';
import type { BoardEngine, EngineFactory, EngineHost } from '../core/index.ts';
import { QueryError } from '../../schema/index.ts';
import type { BoardQueue } from './queue/board-queue.ts';
import { DriverRefusal } from './model/driver.ts';
import { activityHandlers } from './handlers/activity.ts';
import { bulkEngine, restRun } from './handlers/bulk-runs.ts';
import { bulkWrites } from './handlers/bulk-writes.ts';
import { jobPages } from './handlers/job-pages.ts';
import { jobReads } from './handlers/job-reads.ts';
import { jobWrites } from './handlers/job-writes.ts';
import { queueListing } from './handlers/queue-listing.ts';
import { queueReads } from './handlers/queue-reads.ts';
import { queueWrites } from './handlers/queue-writes.ts';
import { schedulerCreation } from './handlers/scheduler-creation.ts';
import { schedulerReads } from './handlers/scheduler-reads.ts';
import { schedulerWrites } from './handlers/scheduler-writes.ts';
import { Scope } from './handlers/scope.ts';
import { searchHandlers } from './handlers/search-handlers.ts';
import { ProblemLog } from './queue/problem-log.ts';
import { QueueRegistry } from './queue/queue-registry.ts';
import { defaultReadBytes } from './model/read-limits.ts';
import type { Datastore } from './model/types.ts';
import { InvalidPosition } from './model/search-criteria.ts';
import { HeavyReads } from '../core/index.ts';
import { Snapshots } from './reads/snapshots.ts';
import { unavailableAnswer } from './errors/unavailable.ts';
import { defaultTimeouts, timeoutTable, withTimeouts, type KvqTimeouts } from './timeouts.ts';
import { attentionReader } from './reads/activities.ts';

/** Options of the engine. */
export interface KvqOptions {
  readonly queues?: readonly BoardQueue[];
  /**
   * Milliseconds for which counts and pages are cached and shared among requests. Default 500; with 0, only concurrent
   * requests share a read. A change through this board invalidates the cache at once.
   */
  readonly snapshotMs?: number;
  /**
   * Maximum bytes of job data that a page, a log window or a flow reads. Parts beyond it are left out and marked.
   * Default 16,000,000.
   */
  readonly maxReadBytes?: number;
  /** How long the board waits for its datastores; whole milliseconds from 1. */
  readonly timeouts?: KvqTimeouts;
}

/** The engine before it is opened; its queues may change at any time. */
export interface KvqEngineFactory extends EngineFactory<'kvq'> {
  readonly registry: QueueRegistry;
  readonly queues: ReadonlyMap<string, BoardQueue>;
}

/** The types of the options besides the queues; checked by `createBoard`. */
export const kvqOptionTable = {
  snapshotMs: option.wholeNumber(0, 2 ** 31 - 1),
  maxReadBytes: option.wholeNumber(1, 2 ** 31 - 1),
  timeouts: option.objectOf(timeoutTable),
} satisfies OptionTableOf<Omit<KvqOptions, 'queues'>>;

const defaultSnapshotMs = 500;

/** The error for a library refusal that no handler has translated. */
function refused({ refusal }: DriverRefusal): BoardError {
  if (refusal === 'unsupported') return new BoardError('JOB_EDIT_NOT_SUPPORTED');
  return new BoardError(refusal === 'missing' ? 'JOB_NOT_FOUND' : 'JOB_IS_ACTIVE');
}

/** The datastore of the queue; without a queue that of all, or else the one that the error tells of. */
function datastoreOf({ byName }: QueueRegistry, error: unknown, queueName?: string): Datastore {
  const named = queueName === undefined ? undefined : byName.get(queueName);
  const found = new Set(
    (named ? [named] : [...byName.values()]).map(({ driver }) => driver.store.datastore),
  );
  const [first = 'kv', second] = found;
  return second === undefined ? first : sqlState(error) === undefined ? 'kv' : 'sql';
}

function translateError(error: unknown, datastore: Datastore): BoardError | undefined {
  const unavailable = unavailableAnswer(error, datastore);
  if (unavailable) return unavailable;
  // A search in a database is subject to the limits of query rules.
  if (error instanceof QueryError && error.status === 400) {
    return new BoardError('INVALID_QUERY_PARAM', { code: 'INVALID_REQUEST', cause: error });
  }
  if (error instanceof InvalidPosition) {
    return new BoardError('INVALID_QUERY_PARAM', {
      code: 'INVALID_REQUEST',
      options: { field: 'cursor' },
    });
  }
  return error instanceof DriverRefusal ? refused(error) : undefined;
}

function open(
  registry: QueueRegistry,
  {
    snapshotMs: keepFor = defaultSnapshotMs,
    maxReadBytes = defaultReadBytes,
    timeouts,
  }: KvqOptions,
  host: EngineHost,
): BoardEngine<'kvq'> {
  const { options, permissions, versionOf, whoSent } = host;
  const { showWorkers, hideKvDetails, logger, traceUrl, fingerprint, historyProvider } = options;
  const problems = new ProblemLog(logger);
  const heavy = new HeavyReads();
  const translate = (error: unknown, queueName?: string) =>
    translateError(error, datastoreOf(registry, error, queueName));
  const snapshots = new Snapshots(registry, { keepFor, withWorkers: showWorkers, problems });
  const scope = new Scope(registry, snapshots, {
    showWorkers,
    maxReadBytes,
    hideKvDetails,
    problems,
    traceUrl,
    fingerprint,
    historyProvider,
    permissions,
    versionOf,
    whoSent,
    heavy,
  });
  const limits = { ...defaultTimeouts, ...timeouts };
  const bulk = bulkOf(host, withTimeouts(limits, bulkEngine(scope, translate)));
  return {
    engine: 'kvq',
    handlers: withTimeouts(limits, {
      ...bulk.handlers,
      ...queueReads(scope),
      ...queueWrites(scope),
      ...bulkWrites(scope, (queueName, rest) => bulk.handOver(restRun(queueName, rest))),
      ...jobReads(scope),
      ...jobPages(scope),
      ...activityHandlers(scope, keepFor),
      ...jobWrites(scope),
      ...schedulerCreation(scope),
      ...schedulerReads(scope),
      ...schedulerWrites(scope),
      ...searchHandlers(scope),
    }),
    historyScope: (request) => scope.history(request),
    ...withTimeouts(limits, {
      attentionReadings: attentionReader(registry, snapshots, keepFor),
      listQueues: queueListing(scope),
    }),
    translateError: translate,
    // The other connections belong to the queues, and the queues to the host.
    close: async () => {
      heavy.close();
      await bulk.close();
      snapshots.forget();
    },
  };
}

/** Creates the engine from checked options. */
export function kvqEngine(options: KvqOptions = {}): KvqEngineFactory {
  const registry = new QueueRegistry(options.queues);
  return {
    engine: 'kvq',
    registry,
    queues: registry.byName,
    everyQueueIsReadOnly: () => registry.isReadOnly,
    open: async (host) => open(registry, options, host),
  };
}
