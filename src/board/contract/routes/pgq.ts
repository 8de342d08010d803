/** The routes of the `pgq` engine that read. */

import * as z from 'zod';

import type { ErrorKey } from '../error-keys.ts';
import { PgqInfo } from '../pgq-info.ts';
import { PgqDependencyRef, PgqJob, PgqJobSummary } from '../pgq-jobs.ts';
import {
  PgqQueueDepthPoint,
  PgqQueueSummary,
  PgqSchedule,
  PgqStateCounts,
  PgqWarning,
} from '../pgq-queues.ts';
import {
  ListPgqJobsQuery,
  ListPgqSchedulesQuery,
  ListPgqWarningsQuery,
  PgqQueueDepthQuery,
  PreviewPgqScheduleBody,
} from '../pgq-requests.ts';
import type { RouteTable } from './route.ts';
import { pgqCommandRoutes } from './pgq-commands.ts';

const read = { owner: 'pgq', method: 'GET', access: 'read', success: 200 } as const;

/** Errors of all routes that read the schema. */
const guarded = [
  'PGQ_NOT_INSTALLED',
  'PGQ_SCHEMA_UNSUPPORTED',
  'PGQ_SCHEMA_INCOMPATIBLE',
  'PGQ_QUERY_TIMEOUT',
] as const satisfies readonly ErrorKey[];

/** The filters of jobs besides the named parameters. */
export const pgqJobFilters = [
  'state',
  'id',
  'singletonKey',
  'priority',
  'retryCount',
  'groupId',
  'createdOn',
  'startAfter',
  'startedOn',
  'completedOn',
] as const;

const cursors = { nextCursor: z.string().nullable(), prevCursor: z.string().nullable() };

const pgqReadRoutes = {
  getPgqInfo: {
    ...read,
    path: '/api/pgq/info',
    summary: 'The installation, the schema guard and the capabilities of the board',
    response: PgqInfo,
    errors: ['PGQ_QUERY_TIMEOUT'],
  },
  listPgqQueues: {
    ...read,
    path: '/api/pgq/queues',
    summary: 'Visible queues with their cached counts',
    response: z.object({ queues: z.array(PgqQueueSummary) }),
    errors: guarded,
  },
  getPgqQueue: {
    ...read,
    path: '/api/pgq/queues/{queueName}',
    summary: 'One queue with its cached counts',
    response: z.object({ queue: PgqQueueSummary }),
    errors: [...guarded, 'QUEUE_NOT_FOUND'],
  },
  getPgqQueueCounts: {
    ...read,
    path: '/api/pgq/queues/{queueName}/counts',
    summary: 'Live counts per state, up to a cap',
    response: z.object({ counts: PgqStateCounts, cap: z.number() }),
    errors: [...guarded, 'QUEUE_NOT_FOUND'],
  },
  getPgqQueueDepth: {
    ...read,
    path: '/api/pgq/queues/{queueName}/depth',
    summary: 'Depth of a queue over time, from the snapshots of the library',
    query: PgqQueueDepthQuery,
    response: z.object({
      points: z.array(PgqQueueDepthPoint),
      from: z.number(),
      to: z.number(),
      bucketSeconds: z.number(),
    }),
    errors: [...guarded, 'QUEUE_NOT_FOUND', 'PGQ_FEATURE_UNAVAILABLE'],
  },
  listPgqJobs: {
    ...read,
    path: '/api/pgq/queues/{queueName}/jobs',
    summary: 'Jobs of a queue, one keyset page at a time',
    query: ListPgqJobsQuery,
    filters: pgqJobFilters,
    response: z.object({ jobs: z.array(PgqJobSummary), ...cursors }),
    errors: [...guarded, 'QUEUE_NOT_FOUND', 'PGQ_INVALID_CURSOR'],
  },
  getPgqJob: {
    ...read,
    path: '/api/pgq/queues/{queueName}/jobs/{jobId}',
    summary: 'One job with its data and output',
    response: z.object({ job: PgqJob }),
    errors: [...guarded, 'INVALID_QUERY_PARAM', 'QUEUE_NOT_FOUND', 'JOB_NOT_FOUND'],
  },
  getPgqJobDependencies: {
    ...read,
    path: '/api/pgq/queues/{queueName}/jobs/{jobId}/dependencies',
    summary: 'Jobs that the job depends on, and jobs that depend on it',
    response: z.object({
      dependencies: z.array(PgqDependencyRef),
      dependents: z.array(PgqDependencyRef),
    }),
    errors: [...guarded, 'INVALID_QUERY_PARAM', 'QUEUE_NOT_FOUND', 'JOB_NOT_FOUND'],
  },
  findPgqJob: {
    ...read,
    path: '/api/pgq/jobs/{jobId}',
    summary: 'A job by its id, from any visible queue',
    response: z.object({ job: PgqJobSummary }),
    errors: [...guarded, 'INVALID_QUERY_PARAM', 'PGQ_JOB_NOT_FOUND'],
  },
  listPgqWarnings: {
    ...read,
    path: '/api/pgq/warnings',
    summary: 'Warnings of the library, newest first',
    query: ListPgqWarningsQuery,
    response: z.object({ warnings: z.array(PgqWarning), ...cursors }),
    errors: [...guarded, 'PGQ_INVALID_CURSOR', 'PGQ_FEATURE_UNAVAILABLE'],
  },
  listPgqSchedules: {
    ...read,
    path: '/api/pgq/schedules',
    summary: 'Schedules of one queue or of all visible ones',
    query: ListPgqSchedulesQuery,
    response: z.object({ schedules: z.array(PgqSchedule) }),
    errors: [...guarded, 'QUEUE_NOT_FOUND'],
  },
  previewPgqSchedule: {
    ...read,
    method: 'POST',
    path: '/api/pgq/schedules/preview',
    summary: 'The next runs of an expression',
    body: PreviewPgqScheduleBody,
    response: z.object({ runs: z.array(z.string()) }),
    errors: ['PGQ_INVALID_SCHEDULE', 'PGQ_PREVIEW_UNAVAILABLE'],
  },
} as const satisfies RouteTable;

export const pgqRoutes = { ...pgqReadRoutes, ...pgqCommandRoutes };
