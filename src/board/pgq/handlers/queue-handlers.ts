/** Handlers of the installation and queue routes. */

import { type BoardAction, type PgqQueueSummary, bucketsOf } from '../../contract/index.ts';
import {
  BoardError,
  type EngineHandlers,
  type Grants,
  type HookRequest,
  SharedAnswers,
  SharedBody,
  readErrors,
  signatureKey,
} from '../../core/index.ts';
import { requireFeature } from '../listings/installation.ts';
import { stateCounts } from '../reads/counts.ts';
import { activityOf } from '../reads/activity.ts';
import { queueDepth } from '../reads/depth.ts';
import { inboxOf } from '../reads/failures.ts';
import { readInfo } from '../reads/info.ts';
import { listInstances } from '../reads/instances.ts';
import { Queues } from '../reads/queues.ts';
import { listRunning } from '../reads/running.ts';
import { queueTimeline } from '../reads/timeline.ts';
import { listWarnings } from '../reads/warnings.ts';
import type { PgqContext } from './context.ts';

/** The queue with the actions that the sender may do, if they differ from those of the board. */
function withAllowed(queue: PgqQueueSummary, grants: Grants): PgqQueueSummary {
  const allowed = grants.ownOf(queue.name);
  return allowed ? { ...queue, allowed } : queue;
}

/** The answer with all queues that a sender may see. */
interface PgqListing {
  queues: PgqQueueSummary[];
  /** The actions of the sender; absent where the host restricts none. */
  allowed?: BoardAction[];
}

/** All queues of the board for live updates and metrics. */
export function queueListing({ installation, queues, queueReads, permissions }: PgqContext) {
  const reads = new Queues(installation, queues, queueReads);
  return async () => {
    const taken = await reads.take();
    return {
      snapshot: taken.snapshot,
      names: taken.names,
      get counted() {
        return taken.counted();
      },
      async signature(request: HookRequest) {
        if (queues.showsAll) return '';
        const grants = await permissions.of(request);
        return JSON.stringify([grants.signature, ...(await taken.visibleNames(request))]);
      },
      async shownTo(request: HookRequest): Promise<PgqListing> {
        const grants = await permissions.of(request);
        const shown = await taken.visibleTo(request);
        return {
          queues: shown.map((queue) => withAllowed(queue, grants)),
          ...(permissions.isAsked && { allowed: grants.allowed }),
        };
      },
    };
  };
}

export function queueHandlers(context: PgqContext) {
  const { installation, queues, settings, options } = context;
  const reads = new Queues(installation, queues, context.queueReads);
  const list = queueListing(context);
  const answers = new SharedAnswers<PgqListing>();
  return {
    getPgqInfo: ({ request }) => readInfo(context, request),
    listPgqInstances: async ({ request }) => {
      if (!options.showWorkers) throw new BoardError('WORKERS_DISABLED');
      return { instances: await listInstances(installation, queues, request) };
    },
    listPgqWarnings: ({ request, query }) => listWarnings(installation, queues, request, query),
    listPgqQueues: async ({ request }) => {
      const listed = await list();
      const key = signatureKey(await listed.signature(request));
      return answers.of(
        listed.snapshot,
        key,
        async () => new SharedBody(JSON.stringify(await listed.shownTo(request))),
      );
    },
    getPgqQueue: async ({ request, params }) => ({
      queue: withAllowed(
        await reads.get(request, params.queueName),
        await context.permissions.of(request),
      ),
    }),
    listActivity: async ({ request, query }) => {
      const { queueName, minutes } = query;
      const rows = (await reads.rows(request)).filter(
        ({ name }) => queueName === undefined || name === queueName,
      );
      const instances = options.showWorkers
        ? await listInstances(installation, queues, request)
        : null;
      return activityOf(installation, rows, instances, minutes);
    },
    listRunning: ({ request, query }) =>
      listRunning(installation, queues, request, query.queueName),
    getTimeline: ({ request, query }) =>
      installation.open(async (opened) => {
        const schema = await queues.require(opened, request, query.queueName);
        await context.permissions.require(request, 'job.read', query.queueName);
        return queueTimeline(schema, query.queueName, bucketsOf(query));
      }),
    listErrors: ({ request, query, signal }) =>
      installation.open(async (opened) => {
        const { queueName, name } = query;
        if (queueName !== undefined) {
          await queues.require(opened, request, queueName);
          await context.permissions.require(request, 'job.read', queueName);
        }
        const { fingerprint, historyProvider: provider } = options;
        const schema = await queues.scoped(opened, request);
        const names = queueName === undefined ? await queues.names(opened) : [queueName];
        const visible = [...(await queues.visibleAmong(request, names, 'job.read'))];
        // The jobs of the library have no names.
        const queueNames = name === undefined ? visible : [];
        // Records are neither of a scope nor formatted.
        const isOpen = settings.scope === undefined && !context.values.replaced.has('output');
        return readErrors(
          query,
          inboxOf(
            { schema, queueNames, values: context.values, fingerprint, signal },
            isOpen ? { provider, queues: visible, shown: (reason) => reason } : undefined,
          ),
        );
      }),
    getPermissions: async ({ request }) => {
      const grants = await context.permissions.of(request);
      const names = await installation.open((schema) => queues.names(schema));
      const shown = await queues.visibleAmong(request, names);
      const own = [...shown].flatMap((name) => {
        const allowed = grants.ownOf(name);
        return allowed ? [[name, allowed] as const] : [];
      });
      return { allowed: grants.allowed, queues: Object.fromEntries(own) };
    },
    getPgqQueueCounts: ({ request, params }) =>
      installation.open(async (opened) => {
        const schema = await queues.require(opened, request, params.queueName);
        const counts = await stateCounts(schema, params.queueName, settings);
        return { counts, cap: settings.countCap };
      }),
    getPgqQueueDepth: ({ request, params, query }) =>
      installation.open(async (schema) => {
        await queues.require(schema, request, params.queueName);
        requireFeature(schema.state, 'queueDepth');
        const { range, aggregate } = query;
        return queueDepth(schema, settings.catalogSchema, params.queueName, range, aggregate);
      }),
  } satisfies Partial<EngineHandlers<'pgq'>>;
}
