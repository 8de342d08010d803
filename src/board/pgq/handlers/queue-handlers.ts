/** Handlers of the installation and queue routes. */

import type { EngineHandlers } from '../../core/index.ts';
import { QueueCommands } from '../commands/queue-commands.ts';
import { requireFeature } from '../listings/installation.ts';
import { stateCounts } from '../reads/counts.ts';
import { queueDepth } from '../reads/depth.ts';
import { readInfo } from '../reads/info.ts';
import { Queues } from '../reads/queues.ts';
import { listWarnings } from '../reads/warnings.ts';
import type { PgqContext } from './context.ts';

export function queueHandlers(context: PgqContext) {
  const { installation, queues, settings, schemas } = context;
  const reads = new Queues(installation, queues);
  const commands = new QueueCommands(schemas);
  return {
    getPgqInfo: ({ request }) => readInfo(context, request),
    listPgqWarnings: ({ request, query }) => listWarnings(installation, queues, request, query),
    listPgqQueues: async ({ request }) => ({ queues: await reads.list(request) }),
    getPgqQueue: async ({ request, params }) => ({
      queue: await reads.get(request, params.queueName),
    }),
    getPgqQueueCounts: ({ request, params }) =>
      installation.open(async (schema) => {
        await queues.require(schema, request, params.queueName);
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
    sendPgqJob: async ({ request, params, body }) => ({
      id: await commands.send(request, params.queueName, body.data, body.options),
    }),
    retryFailedPgqJobs: ({ request, params, signal }) =>
      commands.retryFailed(request, params.queueName, signal),
    deleteQueuedPgqJobs: ({ request, params }) => commands.deleteQueued(request, params.queueName),
    deleteStoredPgqJobs: ({ request, params }) => commands.deleteStored(request, params.queueName),
  } satisfies Partial<EngineHandlers<'pgq'>>;
}
