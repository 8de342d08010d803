/** The `pgq` engine, opened: a handler for each of its routes. */

import type { BoardEngine, BoardLogger, EngineHost, HookRequest } from '../core/index.ts';
import { readChannel, writerDatabase } from './connect/channels.ts';
import { stateCounts } from './reads/counts.ts';
import { queueDepth } from './reads/depth.ts';
import { adviseIndexes } from './schema/index-advice.ts';
import { readInfo } from './reads/info.ts';
import { Installation, requireFeature } from './listings/installation.ts';
import { type JobAction, JobCommands } from './commands/job-commands.ts';
import { Jobs } from './reads/jobs.ts';
import type { PgqSettings } from './options.ts';
import { QueueCommands } from './commands/queue-commands.ts';
import { Queues } from './reads/queues.ts';
import { ScheduleCommands } from './commands/schedule-commands.ts';
import { Schedules } from './reads/schedules.ts';
import { translateError } from './connect/translate-error.ts';
import { VisibleQueues } from './listings/visible-queues.ts';
import { listWarnings } from './reads/warnings.ts';
import { WritableSchemas } from './commands/writable-schemas.ts';
import { Writer } from './schema/writer.ts';

interface SingleContext {
  readonly request: HookRequest;
  readonly params: { readonly queueName: string; readonly jobId: string };
}

interface BulkContext {
  readonly request: HookRequest;
  readonly params: { readonly queueName: string };
  readonly body: { readonly ids: readonly string[] };
}

/** Opens the engine. Nothing connects before the first request. */
export function openEngine(settings: PgqSettings, { options }: EngineHost): BoardEngine<'pgq'> {
  const installation = new Installation(settings, readChannel(settings));
  const queues = new VisibleQueues(settings);
  const writer = new Writer(settings, options.readOnly, writerDatabase(settings));
  const schemas = new WritableSchemas(installation, queues, writer);
  const jobs = new Jobs(installation, queues);
  const queueReads = new Queues(installation, queues);
  const schedules = new Schedules(installation, queues, () => writer.previewer());
  const jobCommands = new JobCommands(schemas);
  const queueCommands = new QueueCommands(schemas);
  const scheduleCommands = new ScheduleCommands(schemas, schedules, writer);
  const infoSources = { installation, queues, writer, settings, options };
  const warnOnce = indexWarning(installation, settings, options.logger);
  const single =
    (action: JobAction) =>
    ({ request, params }: SingleContext) =>
      jobCommands.single(request, action, params.queueName, params.jobId);
  const bulk =
    (action: JobAction) =>
    ({ request, params, body }: BulkContext) =>
      jobCommands.bulk(request, action, params.queueName, body.ids);
  return {
    engine: 'pgq',
    translateError,
    close: async () => {
      await Promise.all([installation.close(), writer.close()]);
    },
    handlers: {
      getPgqInfo: ({ request }) => readInfo(infoSources, request),
      listPgqQueues: async ({ request }) => ({ queues: await queueReads.list(request) }),
      getPgqQueue: async ({ request, params }) => ({
        queue: await queueReads.get(request, params.queueName),
      }),
      getPgqQueueCounts: ({ request, params }) =>
        installation.open(async (schema) => {
          await queues.require(schema, request, params.queueName);
          const cap = settings.countCap;
          return { counts: await stateCounts(schema, params.queueName, cap), cap };
        }),
      getPgqQueueDepth: ({ request, params, query }) =>
        installation.open(async (schema) => {
          await queues.require(schema, request, params.queueName);
          requireFeature(schema.state, 'queueDepth');
          const { range, aggregate } = query;
          return queueDepth(schema, settings.catalogSchema, params.queueName, range, aggregate);
        }),
      listPgqJobs: async ({ request, params, query, rawQuery }) => {
        const page = await jobs.list(request, params.queueName, query, rawQuery);
        warnOnce();
        return page;
      },
      getPgqJob: async ({ request, params }) => ({
        job: await jobs.get(request, params.queueName, params.jobId),
      }),
      getPgqJobDependencies: ({ request, params }) =>
        jobs.dependencies(request, params.queueName, params.jobId),
      findPgqJob: async ({ request, params }) => ({
        job: await jobs.find(request, params.jobId),
      }),
      listPgqWarnings: ({ request, query }) => listWarnings(installation, queues, request, query),
      listPgqSchedules: async ({ request, query }) => ({
        schedules: await schedules.list(request, query.queueName),
      }),
      previewPgqSchedule: async ({ body }) => ({
        runs: await scheduleCommands.preview(body.expression, body.tz, body.count),
      }),
      sendPgqJob: async ({ request, params, body }) => ({
        id: await queueCommands.send(request, params.queueName, body.data, body.options),
      }),
      retryPgqJobs: bulk('retry'),
      retryPgqJob: single('retry'),
      cancelPgqJobs: bulk('cancel'),
      cancelPgqJob: single('cancel'),
      resumePgqJobs: bulk('resume'),
      resumePgqJob: single('resume'),
      removePgqJobs: bulk('delete'),
      removePgqJob: single('delete'),
      retryFailedPgqJobs: ({ request, params, signal }) =>
        queueCommands.retryFailed(request, params.queueName, signal),
      deleteQueuedPgqJobs: ({ request, params }) =>
        queueCommands.deleteQueued(request, params.queueName),
      deleteStoredPgqJobs: ({ request, params }) =>
        queueCommands.deleteStored(request, params.queueName),
      upsertPgqSchedule: async ({ request, params, body }) => ({
        schedule: await scheduleCommands.upsert(request, params.queueName, body),
      }),
      removePgqSchedule: ({ request, params, body }) =>
        scheduleCommands.remove(request, params.queueName, body.key),
    },
  };
}

/** Says once where the index of the listing is missing, with the DDL that the board itself never runs. */
function indexWarning(
  installation: Installation,
  settings: PgqSettings,
  logger: BoardLogger,
): () => void {
  let said = false;
  return () => {
    if (said) return;
    said = true;
    installation.jobTables().then(
      (tables) => {
        const advice = adviseIndexes(settings.catalogSchema, tables);
        if (advice.length === 0) return;
        const lines = advice.map(({ ddl }) => `  ${ddl}`);
        logger.warn(
          `Listings of jobs read whole tables; an index would serve them:\n${lines.join('\n')}`,
        );
      },
      () => {
        said = false;
      },
    );
  };
}
