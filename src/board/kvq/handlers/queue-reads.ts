/** Handlers that read queues: the listing, and the resources of one queue. */

import { withTimeout } from '../../../lib/index.ts';
import {
  BoardError,
  SharedAnswers,
  SharedBody,
  jsonPieces,
  signatureKey,
} from '../../core/index.ts';
import { isReadAction, type BoardAction } from '../../contract/index.ts';
import type { EngineHandlers, Grants, HookRequest } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { presentJob } from '../present/present-job.ts';
import {
  pageRange,
  presentQueue,
  presentDefaultOptions,
  QueueTexts,
} from '../present/present-queue.ts';
import type { Shown } from '../present/present-queue.ts';
import type { HeavyRead } from '../../core/index.ts';
import { asError } from '../queue/problem-log.ts';
import type { AppJob, AppQueue, JobStatus, QueueMetrics, Status } from '../model/types.ts';
import { assertSomeRead, isUnavailable, unavailableAnswer } from '../errors/unavailable.ts';
import type { Scope } from './scope.ts';
import { timeouts } from '../timeouts.ts';

type Handlers = EngineHandlers<'kvq'>;

/** The answer with all queues that a sender may see. */
interface Listing {
  queues: AppQueue[];
  /** The actions of the sender; absent where the host restricts none. */
  allowed?: BoardAction[];
}

/** The jobs of the active queue: a page of one status, or the first jobs of each. */
async function activeJobs(
  scope: Scope,
  queue: BoardQueue,
  query: {
    status?: Status | undefined;
    page: number;
    jobsPerPage: number;
    data?: 'true' | 'false' | undefined;
  },
  request: HookRequest,
): Promise<AppJob[]> {
  const { start, end } = pageRange(query.status, query.page, query.jobsPerPage);
  const wanted: readonly JobStatus[] =
    query.status === undefined || query.status === 'latest'
      ? queue.driver.statuses
      : queue.driver.statuses.filter((status) => status === query.status);
  if (wanted.length === 0) return [];
  const limits = { ...scope.limits, withData: query.data !== 'false' };
  const pages = await scope.snapshots.pages(queue, wanted, start, end, limits);
  // A job that moves during the read may appear in two statuses.
  const jobs = new Map(
    pages.flatMap(({ status, jobs: some }) =>
      some.map((job) => [job.id, { job, status }] as const),
    ),
  );
  const view = await scope.view(request);
  return Array.from(jobs.values(), ({ job, status }) => ({
    ...presentJob(queue, job, view),
    state: status,
  }));
}

/** The jobs of the active queue, or the error of reading them; an error does not fail the listing. */
async function listedJobs(
  scope: Scope,
  queue: BoardQueue,
  query: Parameters<typeof activeJobs>[2],
  request: HookRequest,
): Promise<{ jobs: AppJob[]; jobsError?: Error }> {
  try {
    const jobs = await activeJobs(scope, queue, query, request);
    scope.options.problems.note(queue, 'jobs', null);
    return { jobs };
  } catch (thrown) {
    if (thrown instanceof BoardError) throw thrown;
    const jobsError = asError(thrown);
    scope.options.problems.note(queue, 'jobs', jobsError);
    return { jobs: [], jobsError };
  }
}

/** Metrics of one kind; `null` when the library does not record them. */
async function metricsOf(
  queue: BoardQueue,
  kind: 'completed' | 'failed',
): Promise<QueueMetrics | null> {
  try {
    return await queue.driver.store.metrics(kind);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return null;
  }
}

/** The actions that the sender may do in the queue, if they differ from those of the board. */
export function allowedIn(
  { name, readOnly }: BoardQueue,
  grants: Grants,
): BoardAction[] | undefined {
  return grants.ownOf(name, readOnly ? isReadAction : undefined);
}

/** Equal for senders who see these queues and may do the same. */
export function signatureOf(grants: Grants, visible: readonly BoardQueue[]): string {
  return JSON.stringify([grants.signature, visible.map(({ name }) => name)]);
}

/** The text of a listing in pieces. */
function* listingPieces(
  allowed: readonly BoardAction[] | undefined,
  list: readonly Iterable<string>[],
): Generator<string, void> {
  yield allowed ? `{"allowed":${JSON.stringify(allowed)},"queues":[` : '{"queues":[';
  for (const [index, queue] of list.entries()) {
    if (index > 0) yield ',';
    yield* queue;
  }
  yield ']}';
}

export function queueReads(scope: Scope) {
  const { showWorkers, permissions, heavy } = scope.options;
  const answers = new SharedAnswers<Listing>();
  const texts = new QueueTexts(showWorkers);
  return {
    async listQueues({ query, request }) {
      const queues = await scope.visible(request);
      const active = queues.find((queue) => queue.name === query.activeQueue);
      const grants = permissions.isAsked ? await permissions.of(request) : undefined;
      const { page, jobsPerPage, status, jobs, data } = query;
      const present = (
        snapshot: Awaited<ReturnType<typeof scope.snapshots.take>>,
        listed: Pick<Shown, 'jobs' | 'jobsError'>,
      ): Iterable<string> => {
        const read = queues.flatMap((queue) => {
          const result = snapshot.get(queue);
          // The host may have removed the queue in the meantime.
          return result ? [{ queue, result }] : [];
        });
        assertSomeRead(read.map(({ result }) => result));
        const list = read.map(({ queue, result }) => {
          const isActive = queue === active;
          if (!isActive && !grants) return [texts.of(queue, result, jobsPerPage)];
          const shown = {
            ...(isActive ? listed : { jobs: [] }),
            status: isActive ? status : undefined,
            page,
            jobsPerPage,
            showWorkers,
            allowed: grants && allowedIn(queue, grants),
          };
          return jsonPieces(presentQueue(queue, result, shown));
        });
        return listingPieces(grants?.allowed, list);
      };
      const signature = signatureOf(await permissions.of(request), queues);
      const key = [signatureKey(signature), active?.name, status, page, jobsPerPage];
      if (!active || jobs === 'false') {
        const snapshot = await scope.snapshots.take();
        const make = async (): Promise<SharedBody<Listing>> =>
          new SharedBody([...present(snapshot, { jobs: [] })].join(''));
        return answers.of(snapshot, JSON.stringify(key), make);
      }
      const { registry, snapshots } = scope;
      const read = async (one: HeavyRead): Promise<SharedBody<Listing>> => {
        const [snapshot, listed] = await Promise.all([
          snapshots.take(),
          listedJobs(scope, active, query, request),
        ]);
        return one.text(present(snapshot, listed));
      };
      const sharedKey = JSON.stringify([...key, data, registry.version, snapshots.changes]);
      return heavy.shared<Listing>(sharedKey, read);
    },

    async getQueue(context) {
      const queue = await scope.queue(context);
      const { query, request } = context;
      const read = async () => {
        const [snapshot, listed] = await Promise.all([
          scope.snapshots.take(),
          query.jobs === 'false' ? { jobs: [] } : listedJobs(scope, queue, query, request),
        ]);
        const result = snapshot.get(queue);
        // The host has removed the queue in the meantime.
        if (!result) throw new BoardError('QUEUE_NOT_FOUND');
        assertSomeRead([result]);
        const grants = permissions.isAsked ? await permissions.of(request) : undefined;
        const allowed = grants && allowedIn(queue, grants);
        const shown = { ...query, status: query.status, ...listed, showWorkers, allowed };
        return { queue: presentQueue(queue, result, shown) };
      };
      return query.jobs === 'false' ? read() : heavy.run(read);
    },

    async getPermissions({ request }) {
      const grants = await permissions.of(request);
      const own = (await scope.visible(request)).flatMap((queue) => {
        const allowed = allowedIn(queue, grants);
        return allowed ? [[queue.name, allowed] as const] : [];
      });
      return { allowed: grants.allowed, queues: Object.fromEntries(own) };
    },

    async getQueueMetrics(context) {
      const queue = await scope.queue(context);
      const [completed, failed] = await Promise.all([
        metricsOf(queue, 'completed'),
        metricsOf(queue, 'failed'),
      ]);
      return { completed, failed };
    },

    async getDefaultJobOptions(context) {
      return presentDefaultOptions((await scope.queue(context)).driver.defaultJobOptions);
    },

    async listQueueWorkers(context) {
      const queue = await scope.queue(context);
      if (!showWorkers) throw new BoardError('WORKERS_DISABLED');
      const { store } = queue.driver;
      const [workers = null] = await store.workers([store]);
      return { workers };
    },

    async getQueueRateLimit(context) {
      const { driver } = await scope.queue(context);
      const supported = driver.capabilities.globalRateLimit;
      if (!supported) return { supported, rateLimit: null };
      await driver.store.ready();
      return {
        supported,
        rateLimit: await withTimeout(driver.getRateLimit(), timeouts().libraryMs),
      };
    },

    async getJobDataSchema(context) {
      return { ...(await scope.queue(context)).dataSchema.json };
    },

    async getKvStats({ request }) {
      if (scope.registry.byName.size === 0) return {};
      if (scope.options.hideKvDetails) throw new BoardError('FORBIDDEN');
      const [first] = await scope.visible(request);
      if (!first) throw new BoardError('QUEUE_NOT_FOUND');
      const { store } = first.driver;
      const stats = await store.stats().catch((error: unknown) => {
        throw unavailableAnswer(error, store.datastore) ?? error;
      });
      if (!stats) throw new BoardError('KV_STATS_UNAVAILABLE');
      return stats;
    },
  } satisfies Partial<Handlers>;
}
