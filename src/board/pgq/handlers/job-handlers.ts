/** Handlers of the job routes. */

import type { EngineHandlers, HookRequest } from '../../core/index.ts';
import { type JobAction, JobCommands } from '../commands/job-commands.ts';
import { Jobs } from '../reads/jobs.ts';
import type { PgqContext } from './context.ts';
import { indexWarning } from './index-warning.ts';

interface SingleContext {
  readonly request: HookRequest;
  readonly params: { readonly queueName: string; readonly jobId: string };
}

interface BulkContext {
  readonly request: HookRequest;
  readonly params: { readonly queueName: string };
  readonly body: { readonly ids: readonly string[] };
}

export function jobHandlers(context: PgqContext) {
  const { installation, queues, schemas } = context;
  const jobs = new Jobs(installation, queues);
  const commands = new JobCommands(schemas);
  const warnOnce = indexWarning(context);
  const single =
    (action: JobAction) =>
    ({ request, params }: SingleContext) =>
      commands.single(request, action, params.queueName, params.jobId);
  const bulk =
    (action: JobAction) =>
    ({ request, params, body }: BulkContext) =>
      commands.bulk(request, action, params.queueName, body.ids);
  return {
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
    findPgqJob: async ({ request, params }) => ({ job: await jobs.find(request, params.jobId) }),
    retryPgqJobs: bulk('retry'),
    retryPgqJob: single('retry'),
    cancelPgqJobs: bulk('cancel'),
    cancelPgqJob: single('cancel'),
    resumePgqJobs: bulk('resume'),
    resumePgqJob: single('resume'),
    removePgqJobs: bulk('delete'),
    removePgqJob: single('delete'),
  } satisfies Partial<EngineHandlers<'pgq'>>;
}
