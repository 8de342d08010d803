/** The routes of the `pgq` engine that read. */

import * as z from 'zod';

import { allowed } from '../actions.ts';
import { JobHolds } from '../course.ts';
import { anyObject } from '../json.ts';
import { PgqInfo } from '../pgq-info.ts';
import { PgqDependencyRef, PgqJob, PgqJobSummary } from '../pgq-jobs.ts';
import {
  PgqInstance,
  PgqQueueDepthPoint,
  PgqQueueSummary,
  PgqSchedule,
  PgqStateCounts,
  PgqWarning,
} from '../pgq-queues.ts';
import {
  ListAllPgqJobsQuery,
  ListPgqJobsQuery,
  ListPgqSchedulesQuery,
  ListPgqWarningsQuery,
  PgqQueueDepthQuery,
  PgqRawQuery,
  PreviewPgqScheduleBody,
  SearchPgqJobsQuery,
} from '../pgq-requests.ts';
import { reading, type RouteTable } from './route.ts';
import { guarded, pgqCommandRoutes } from './pgq-commands.ts';

const read = reading('pgq', 'queue.read', 'queue');
const readBoard = reading('pgq', 'board.read', 'board');
const readJob = reading('pgq', 'job.read', 'job');
const readSchedules = reading('pgq', 'schedule.read', 'board');

/** Lists of jobs take filters besides the named parameters. */
const listJobs = {
  ...readJob,
  target: 'jobs',
  strict: true,
  filters: [
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
  ],
} as const;

const cursors = { nextCursor: z.string().nullable(), prevCursor: z.string().nullable() };

const pgqReadRoutes = {
  getPgqInfo: {
    ...readBoard,
    path: '/api/pgq/info',
    summary: 'The installation, the schema guard and the capabilities of the board',
    response: PgqInfo,
    errors: ['PGQ_QUERY_TIMEOUT'],
  },
  listPgqQueues: {
    ...read,
    target: 'board',
    path: '/api/pgq/queues',
    summary: 'Visible queues with their cached counts',
    response: z.object({ queues: z.array(PgqQueueSummary), ...allowed }),
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
    ...listJobs,
    path: '/api/pgq/queues/{queueName}/jobs',
    summary: 'Jobs of a queue, one keyset page at a time',
    query: ListPgqJobsQuery,
    response: z.object({ jobs: z.array(PgqJobSummary), ...cursors }),
    errors: [...guarded, 'QUEUE_NOT_FOUND', 'PGQ_INVALID_CURSOR'],
  },
  listAllPgqJobs: {
    ...listJobs,
    path: '/api/pgq/jobs',
    summary: 'Jobs of all visible queues, one keyset page at a time',
    query: ListAllPgqJobsQuery,
    response: z.object({ jobs: z.array(PgqJobSummary), ...cursors }),
    errors: [...guarded, 'PGQ_INVALID_CURSOR'],
  },
  searchPgqJobs: {
    ...listJobs,
    path: '/api/pgq/search',
    summary: 'Find jobs of all visible queues in bounded time',
    query: SearchPgqJobsQuery,
    jsonFilters: ['data', 'output'],
    response: z.object({
      jobs: z.array(PgqJobSummary),
      examined: z.number().nullable(),
      nextCursor: z.string().nullable(),
    }),
    errors: [...guarded, 'PGQ_INVALID_CURSOR', 'SEARCH_FIELD_CLOSED'],
  },
  getPgqFilters: {
    ...readBoard,
    path: '/api/pgq/filters',
    summary: 'The fields of jobs that filters may name, with their kinds, operators and members',
    response: z.object({ filters: anyObject }),
    errors: guarded,
  },
  getPgqJob: {
    ...readJob,
    path: '/api/pgq/queues/{queueName}/jobs/{jobId}',
    summary: 'One job with its data and output',
    query: PgqRawQuery,
    response: z.object({ job: PgqJob, version: z.string() }),
    errors: [...guarded, 'INVALID_QUERY_PARAM', 'QUEUE_NOT_FOUND', 'JOB_NOT_FOUND'],
  },
  getPgqJobDependencies: {
    ...readJob,
    path: '/api/pgq/queues/{queueName}/jobs/{jobId}/dependencies',
    summary: 'Jobs that the job depends on, and jobs that depend on it',
    response: z.object({
      dependencies: z.array(PgqDependencyRef),
      dependents: z.array(PgqDependencyRef),
    }),
    errors: [...guarded, 'INVALID_QUERY_PARAM', 'QUEUE_NOT_FOUND', 'JOB_NOT_FOUND'],
  },
  getPgqJobHolds: {
    ...readJob,
    path: '/api/pgq/queues/{queueName}/jobs/{jobId}/holds',
    summary: 'The reasons that hold a job back, and its deduplication',
    response: JobHolds,
    errors: [...guarded, 'INVALID_QUERY_PARAM', 'QUEUE_NOT_FOUND', 'JOB_NOT_FOUND'],
  },
  findPgqJob: {
    ...readJob,
    path: '/api/pgq/jobs/{jobId}',
    summary: 'A job by its id, from any visible queue',
    response: z.object({ job: PgqJobSummary }),
    errors: [...guarded, 'INVALID_QUERY_PARAM', 'PGQ_JOB_NOT_FOUND'],
  },
  listPgqInstances: {
    ...readBoard,
    path: '/api/pgq/instances',
    summary: 'Processes that run pg-boss and their workers; null before pg-boss 12.38',
    response: z.object({ instances: z.array(PgqInstance).nullable() }),
    errors: [...guarded, 'WORKERS_DISABLED'],
  },
  listPgqWarnings: {
    ...readBoard,
    path: '/api/pgq/warnings',
    summary: 'Warnings of the library, newest first',
    query: ListPgqWarningsQuery,
    strict: true,
    response: z.object({ warnings: z.array(PgqWarning), ...cursors }),
    errors: [...guarded, 'PGQ_INVALID_CURSOR', 'PGQ_FEATURE_UNAVAILABLE'],
  },
  listPgqSchedules: {
    ...readSchedules,
    path: '/api/pgq/schedules',
    summary: 'Schedules of one queue or of all visible ones',
    query: ListPgqSchedulesQuery,
    strict: true,
    response: z.object({ schedules: z.array(PgqSchedule) }),
    errors: [...guarded, 'QUEUE_NOT_FOUND'],
  },
  previewPgqSchedule: {
    ...readSchedules,
    method: 'POST',
    path: '/api/pgq/schedules/preview',
    summary: 'The next runs of an expression',
    body: PreviewPgqScheduleBody,
    response: z.object({ runs: z.array(z.string()) }),
    errors: ['PGQ_INVALID_SCHEDULE', 'PGQ_PREVIEW_UNAVAILABLE', 'SCHEDULE_LIMIT'],
  },
} as const satisfies RouteTable;

export const pgqOwnRoutes = { ...pgqReadRoutes, ...pgqCommandRoutes };
