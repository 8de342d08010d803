/** Handlers of the job routes. */

import { type EngineHandlers, HeavyReads, type HookRequest } from '../../core/index.ts';
import type { JobAction } from '../commands/change-jobs.ts';
import { JobCommands, type JobConditions } from '../commands/job-commands.ts';
import { describeRules } from '../../../rules/client/index.ts';
import { AllJobs } from '../reads/all-jobs.ts';
import { readHolds } from './holds.ts';
import { Jobs } from '../reads/jobs.ts';
import type { PgqContext } from './context.ts';
import { type Listing, adviseIndexes } from '../schema/index-advice.ts';

/** Creates a function that checks for the index of a listing and warns at most once; the warning contains the DDL. */
function indexWarning(
  { installation, settings, options }: PgqContext,
  listing: Listing,
): () => void {
  let checked = false;
  return () => {
    if (checked) return;
    checked = true;
    installation.jobTables().then(
      (tables) => {
        const advice = adviseIndexes(settings.catalogSchema, tables, [listing]);
        if (advice.length === 0) return;
        const lines = advice.map(({ ddl }) => `  ${ddl}`);
        options.logger.warn(
          `Listings of jobs read whole tables; an index would serve them:\n${lines.join('\n')}`,
        );
      },
      () => {
        checked = false;
      },
    );
  };
}

interface SingleContext {
  readonly request: HookRequest;
  readonly params: { readonly queueName: string; readonly jobId: string };
  readonly body: JobConditions;
}

interface BulkContext {
  readonly request: HookRequest;
  readonly params: { readonly queueName: string };
  readonly body: { readonly ids: readonly string[] } & JobConditions;
}

export function jobHandlers(context: PgqContext) {
  const { installation, queues, schemas, values, options } = context;
  const jobs = new Jobs(installation, queues, values);
  const all = new AllJobs(installation, queues, context.settings.queryTimeoutMs, values);
  const commands = new JobCommands(schemas, queues, values);
  const heavy = new HeavyReads();
  const warnOnce = indexWarning(context, 'queue');
  const warnOfAll = indexWarning(context, 'all');
  const single =
    (action: JobAction) =>
    ({ request, params, body }: SingleContext) =>
      commands.single(request, action, params, body);
  const bulk =
    (action: JobAction) =>
    ({ request, params, body }: BulkContext) =>
      commands.bulk(request, action, params.queueName, body);
  return {
    listPgqJobs: async ({ request, params, query, rawQuery }) => {
      const page = await jobs.list(request, params.queueName, query, rawQuery);
      warnOnce();
      return page;
    },
    listAllPgqJobs: async ({ request, query, rawQuery }) => {
      const page = await all.list(request, query, rawQuery);
      warnOfAll();
      return page;
    },
    searchPgqJobs: ({ request, query, rawQuery, signal }) =>
      heavy.run(async (read) => {
        await read.admitted();
        return all.search(request, query, rawQuery);
      }, signal),
    getPgqFilters: () =>
      installation.open(async ({ listings }) => {
        const described = describeRules(listings.rules.jobs);
        // The path names the queue.
        const shown = described.filters.filter(({ path }) => path !== 'queueName');
        const fields = { ...described.fields, allowed: described.fields.default };
        return { filters: { ...described, filters: shown, fields } };
      }),
    getPgqJob: ({ request, params, query, signal }) =>
      heavy.run(
        (read) => jobs.get(read, request, params.queueName, params.jobId, query.raw),
        signal,
      ),
    getPgqJobDependencies: ({ request, params }) =>
      jobs.dependencies(request, params.queueName, params.jobId),
    getPgqJobHolds: ({ request, params }) =>
      readHolds(installation, queues, request, params, options.showWorkers),
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
