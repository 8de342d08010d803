/** Reads of jobs: the listing, one job, a job in any queue, and dependencies. */

import type { PgqDependencyRef, PgqJob, PgqJobSummary, PgqJobState } from '../../contract/index.ts';
import { type Predicate, runQuery } from '../../../rules/index.ts';
import { BoardError, type HeavyRead, type HookRequest } from '../../core/index.ts';
import type { Installation } from '../listings/installation.ts';
import {
  dependencyRows,
  findJob,
  inQueues,
  jobStatesById,
  refOf,
  withinScope,
} from './job-rows.ts';
import { keysetPage } from '../listings/keyset-page.ts';
import type { PgqRow } from '../listings/listings.ts';
import type { WantedFields } from '../listings/listing-rules.ts';
import { jobColumns } from './job-columns.ts';
import { jobDetail, jobSummary, queuesNamedBy } from './present-job.ts';
import { filterConflict, filterParams } from '../listings/raw-filters.ts';
import type { ShownValues } from './shown-values.ts';
import type { JobSchema, VisibleQueues } from '../listings/visible-queues.ts';

/** The documented parameters of the listing. */
interface JobsQuery {
  readonly state?: PgqJobState | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  readonly id?: string | undefined;
  readonly singletonKey?: string | undefined;
  /** Whether the beginnings of data and reason are read. */
  readonly brief: boolean;
  readonly columns?: WantedFields['columns'];
}

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @throws {BoardError} INVALID_QUERY_PARAM when the id in a path is not a UUID */
export function requireJobId(jobId: string): void {
  if (uuidText.test(jobId)) return;
  throw new BoardError('INVALID_QUERY_PARAM', {
    code: 'INVALID_REQUEST',
    options: { field: 'jobId' },
  });
}

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

export class Jobs {
  readonly #installation: Installation;
  readonly #queues: VisibleQueues;
  readonly #values: ShownValues;

  constructor(installation: Installation, queues: VisibleQueues, values: ShownValues) {
    this.#installation = installation;
    this.#queues = queues;
    this.#values = values;
  }

  /** A page of jobs of a queue, newest first by default. */
  list(
    request: HookRequest,
    queueName: string,
    query: JobsQuery,
    rawQuery: string,
  ): Promise<{ jobs: PgqJobSummary[]; nextCursor: string | null; prevCursor: string | null }> {
    return this.#installation.open(async (opened) => {
      const schema = await this.#queues.require(opened, request, queueName);
      const { listings } = schema;
      const tables = await this.#installation.jobTables();
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
      const jobs = await this.#summaries(request, page.data, query, schema);
      return { jobs, nextCursor, prevCursor };
    });
  }

  /** One job of a queue with all of its fields, and what identifies its content; with `raw`, its values as stored. */
  get(
    heavy: HeavyRead,
    request: HookRequest,
    queueName: string,
    jobId: string,
    raw: boolean,
  ): Promise<{ job: PgqJob; version: string }> {
    return this.#installation.open(async (opened) => {
      const schema = await this.#queues.require(opened, request, queueName);
      requireJobId(jobId);
      const row = await heavy.single(`${queueName}/${jobId}`, () =>
        findJob(schema, queueName, jobId),
      );
      if (!row) throw new BoardError('JOB_NOT_FOUND');
      const named = await this.#queues.visibleAmong(request, queuesNamedBy([row]));
      const job = jobDetail(row, (name) => named.has(name), this.#values, raw);
      await heavy.rest();
      const version = this.#values.versionOf({ queueName, jobId: row.id ?? '' }, row);
      await heavy.rest();
      return { job, version };
    });
  }

  /** The job with that id in any visible queue, found by one statement through the primary keys. */
  find(request: HookRequest, jobId: string): Promise<PgqJobSummary> {
    return this.#installation.open(async (opened) => {
      requireJobId(jobId);
      const schema = await this.#queues.scoped(opened, request);
      const { listings, read } = schema;
      const existing = await this.#queues.names(schema);
      const shown = await this.#queues.visibleAmong(request, existing, 'job.read');
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
      const [job] = await this.#summaries(request, data, {}, schema);
      if (!job) throw new BoardError('PGQ_JOB_NOT_FOUND');
      return job;
    });
  }

  /** Jobs that a job depends on, and jobs that depend on it, without jobs of hidden queues. */
  dependencies(
    request: HookRequest,
    queueName: string,
    jobId: string,
  ): Promise<{ dependencies: PgqDependencyRef[]; dependents: PgqDependencyRef[] }> {
    return this.#installation.open(async (opened) => {
      const schema = await this.#queues.require(opened, request, queueName);
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
      const shown = await this.#queues.visibleAmong(
        request,
        [...dependencies, ...dependents].map((ref) => ref.queueName),
      );
      const visible = async (refs: readonly PgqDependencyRef[]) => {
        const inShown = refs.filter((ref) => shown.has(ref.queueName));
        return withinScope(schema, inShown);
      };
      return { dependencies: await visible(dependencies), dependents: await visible(dependents) };
    });
  }

  async #summaries(
    request: HookRequest,
    rows: readonly PgqRow<'job'>[],
    { brief = false, columns }: WantedFields,
    schema: JobSchema,
  ): Promise<PgqJobSummary[]> {
    const named = await this.#queues.visibleAmong(request, queuesNamedBy(rows));
    const columnsOf = await jobColumns(schema, rows, columns, this.#values);
    return rows.map((row) => {
      const summary = jobSummary(row, (name) => named.has(name), brief ? this.#values : undefined);
      return { ...summary, ...columnsOf(row, summary) };
    });
  }
}
