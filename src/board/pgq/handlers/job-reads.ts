/** Handlers that read jobs: the listings, the search, one job, a job in any queue, and dependencies. */

import type { PgqDependencyRef } from '../../contract/index.ts';
import { describeRules } from '../../../rules/client/index.ts';
import { type Predicate, runQuery } from '../../../rules/index.ts';
import { BoardError, type EngineHandlers, HeavyReads, type HookRequest } from '../../core/index.ts';
import { clockOf, withClock } from '../../filters/clock.ts';
import { keysetPage } from '../listings/keyset-page.ts';
import type { WantedFields } from '../listings/listing-rules.ts';
import type { PgqRow } from '../listings/listings.ts';
import { filterConflict, filterParams } from '../listings/raw-filters.ts';
import type { JobSchema } from '../listings/visible-queues.ts';
import { windowedPages } from '../listings/windowed-pages.ts';
import { jobColumns } from '../reads/job-columns.ts';
import {
  dependencyRows,
  findJob,
  inQueues,
  jobStatesById,
  refOf,
  requireJobId,
  withinLimit,
  withinScope,
} from '../reads/job-rows.ts';
import { jobDetail, jobSummary, queuesNamedBy } from '../reads/present-job.ts';
import { type SearchQuery, searchConditions } from '../reads/search-conditions.ts';
import { type Listing, adviseIndexes } from '../schema/index-advice.ts';
import type { PgqContext } from './context.ts';
import { readHolds } from './holds.ts';

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

/** The documented parameters of the listing. */
type JobsQuery = Parameters<EngineHandlers<'pgq'>['listPgqJobs']>[0]['query'];

/** The listing as a request in the list grammar. The queue is one of the filters, which binds cursors to it. */
function listRequest(queueName: string, query: JobsQuery, rawQuery: string): URLSearchParams {
  const request = filterParams(rawQuery);
  request.append('filter[queueName][eq]', queueName);
  for (const path of ['state', 'id', 'singletonKey'] as const) {
    const value = query[path];
    if (value !== undefined) request.append(`filter[${path}][eq]`, value);
  }
  request.append('sort', query.order === 'asc' ? 'createdOn,id' : '-createdOn,-id');
  request.append('perPage', String(query.limit));
  if (query.cursor !== undefined) request.append('cursor', query.cursor);
  return request;
}

function mentions(where: Predicate | null, path: string): number {
  if (where === null) return 0;
  if (where.type === 'condition') return where.path === path ? 1 : 0;
  return where.predicates.reduce((sum, member) => sum + mentions(member, path), 0);
}

/** Parts of the time limit of a read: for the one statement of a search, and for its windows. */
const wholePart = 0.4;
const windowsPart = 0.8;

export function jobReads(context: PgqContext) {
  const { installation, queues, settings, values, options } = context;
  const heavy = new HeavyReads();
  const warnOnce = indexWarning(context, 'queue');
  const warnOfAll = indexWarning(context, 'all');

  const summaries = async (
    request: HookRequest,
    rows: readonly PgqRow<'job'>[],
    { brief = false, columns }: WantedFields,
    schema: JobSchema,
  ) => {
    const named = await queues.visibleAmong(request, queuesNamedBy(rows));
    const columnsOf = await jobColumns(schema, rows, columns, values);
    return rows.map((row) => {
      const summary = jobSummary(row, (name) => named.has(name), brief ? values : undefined);
      return { ...summary, ...columnsOf(row, summary) };
    });
  };

  /** A page of the jobs of all visible queues, newest first by default. */
  const pageOfAll = (
    request: HookRequest,
    query: SearchQuery,
    rawQuery: string,
    examined: (rows: number) => void = () => undefined,
  ) => {
    const { filters, paths, where } = searchConditions(values, query, rawQuery);
    filters.append('sort', query.order === 'asc' ? 'createdOn,id' : '-createdOn,-id');
    filters.append('perPage', String(query.limit));
    if (query.cursor !== undefined) filters.append('cursor', query.cursor);
    return installation.open(async (opened) => {
      const schema = await queues.scoped(opened, request);
      const ofStates = [...filters.keys()].some((name) => name.startsWith('filter[state]'));
      const limit = await queues.ofJobs(schema, request, { queues: query.queues, ofStates });
      if (limit.operator === 'in' && limit.names.length === 0) {
        return { jobs: [], nextCursor: null, prevCursor: null };
      }
      const { rules, source, predicate } = schema.listings.search(paths);
      const fields = schema.listings.rules.listFields(query);
      if (fields !== undefined) filters.append('fields', fields);
      const page = keysetPage(
        await schema.read((session) => {
          const whole = session.connection.stops === true ? wholePart * settings.queryTimeoutMs : 0;
          const time = { whole, all: windowsPart * settings.queryTimeoutMs };
          return runQuery(windowedPages(source(session), time, examined), filters, rules, {
            ...schema.jobOptions,
            transformPlan: withinLimit(limit, where && [predicate(where)]),
          });
        }),
      );
      const { nextCursor, prevCursor } = page;
      const jobs = await summaries(request, page.data, query, schema);
      return { jobs, nextCursor, prevCursor };
    });
  };

  return {
    async listPgqJobs({ request, params: { queueName }, query, rawQuery }) {
      const listed = await installation.open(async (opened) => {
        const schema = await queues.require(opened, request, queueName);
        const { listings } = schema;
        const tables = await installation.jobTables();
        const indexed = tables.length > 0 && tables.every((table) => table.indexed);
        const asked = listRequest(queueName, query, rawQuery);
        const fields = listings.rules.listFields(query);
        if (fields !== undefined) asked.append('fields', fields);
        const page = keysetPage(
          await schema.read((session) => {
            const rules = indexed ? listings.rules.jobsByState : listings.rules.jobs;
            return runQuery(listings.source(session, 'job'), asked, rules, {
              ...schema.jobOptions,
              transformPlan: (plan) => {
                if (mentions(plan.where, 'queueName') !== 1) throw filterConflict('queueName');
                return plan;
              },
            });
          }),
        );
        const { nextCursor, prevCursor } = page;
        const jobs = await summaries(request, page.data, query, schema);
        return { jobs, nextCursor, prevCursor };
      });
      warnOnce();
      return listed;
    },

    async listAllPgqJobs({ request, query, rawQuery }) {
      const listed = await pageOfAll(request, query, rawQuery);
      warnOfAll();
      return listed;
    },

    /** As the list, with the conditions of a search; a page may be short although more follow. */
    searchPgqJobs({ request, query, rawQuery, signal }) {
      return heavy.run(async (read) => {
        await read.admitted();
        let examined: number | null = null;
        const clock = clockOf(query);
        const asked = { ...query, ...clock };
        const { jobs, nextCursor } = await pageOfAll(request, asked, rawQuery, (rows) => {
          examined = (examined ?? 0) + rows;
        });
        return { jobs, examined, nextCursor: withClock(query.where, clock.now, nextCursor) };
      }, signal);
    },

    getPgqFilters: () =>
      installation.open(async ({ listings }) => {
        const described = describeRules(listings.rules.jobs);
        // The path names the queue.
        const shown = described.filters.filter(({ path }) => path !== 'queueName');
        const fields = { ...described.fields, allowed: described.fields.default };
        return { filters: { ...described, filters: shown, fields } };
      }),

    /** One job of a queue with all of its fields, and what identifies its content; with `raw`, its values as stored. */
    getPgqJob({ request, params: { queueName, jobId }, query, signal }) {
      return heavy.run(
        (read) =>
          installation.open(async (opened) => {
            const schema = await queues.require(opened, request, queueName);
            requireJobId(jobId);
            const row = await read.single(`${queueName}/${jobId}`, () =>
              findJob(schema, queueName, jobId),
            );
            if (!row) throw new BoardError('JOB_NOT_FOUND');
            const named = await queues.visibleAmong(request, queuesNamedBy([row]));
            const job = jobDetail(row, (name) => named.has(name), values, query.raw);
            await read.rest();
            const version = values.versionOf({ queueName, jobId: row.id ?? '' }, row);
            await read.rest();
            return { job, version };
          }),
        signal,
      );
    },

    /** Jobs that a job depends on, and jobs that depend on it, without jobs of hidden queues. */
    getPgqJobDependencies({ request, params: { queueName, jobId } }) {
      return installation.open(async (opened) => {
        const schema = await queues.require(opened, request, queueName);
        requireJobId(jobId);
        const found = await jobStatesById(schema, queueName, [jobId]);
        if (found.size === 0) throw new BoardError('JOB_NOT_FOUND');
        if (!schema.state.features.dependencies) return { dependencies: [], dependents: [] };
        const edges = (from: 'child' | 'parent') =>
          dependencyRows(schema, {
            [`${from}Name`]: { eq: queueName },
            [`${from}Id`]: { eq: jobId },
          });
        const [parents, children] = await Promise.all([edges('child'), edges('parent')]);
        const dependencies = parents.map((row) => refOf(row.parentName, row.parentId));
        const dependents = children.map((row) => refOf(row.childName, row.childId));
        const shown = await queues.visibleAmong(
          request,
          [...dependencies, ...dependents].map((ref) => ref.queueName),
        );
        const visible = async (refs: readonly PgqDependencyRef[]) => {
          const inShown = refs.filter((ref) => shown.has(ref.queueName));
          return withinScope(schema, inShown);
        };
        return { dependencies: await visible(dependencies), dependents: await visible(dependents) };
      });
    },

    getPgqJobHolds({ request, params }) {
      return readHolds(installation, queues, request, params, options.showWorkers);
    },

    /** The job with that id in any visible queue, found by one statement through the primary keys. */
    findPgqJob({ request, params: { jobId } }) {
      return installation.open(async (opened) => {
        requireJobId(jobId);
        const schema = await queues.scoped(opened, request);
        const { listings, read } = schema;
        const existing = await queues.names(schema);
        const shown = await queues.visibleAmong(request, existing, 'job.read');
        const names = [...shown];
        if (names.length === 0) throw new BoardError('PGQ_JOB_NOT_FOUND');
        const { data } = await read((session) =>
          runQuery(
            listings.source(session, 'job'),
            { filter: { id: { eq: jobId } } },
            listings.rules.anyJob,
            { ...schema.jobOptions, transformPlan: inQueues(names) },
          ),
        );
        const [job] = await summaries(request, data, {}, schema);
        if (!job) throw new BoardError('PGQ_JOB_NOT_FOUND');
        return { job };
      });
    },
  } satisfies Partial<EngineHandlers<'pgq'>>;
}
