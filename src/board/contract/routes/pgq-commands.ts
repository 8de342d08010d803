/** The routes of the `pgq` engine that write. */

import * as z from 'zod';

import { BulkRun } from '../bulk.ts';
import type { ErrorKey } from '../error-keys.ts';
import { PgqCommandResponse, PgqSchedule } from '../pgq-queues.ts';
import {
  PgqRawQuery,
  PgqJobConditionsBody,
  PgqJobIdsBody,
  RemovePgqJobBody,
  RemovePgqJobsBody,
  RemovePgqScheduleBody,
  SendPgqJobBody,
  UpsertPgqScheduleBody,
} from '../pgq-requests.ts';
import type { RouteTable } from './route.ts';

/** Errors of all routes that use the schema. */
export const guarded = [
  'PGQ_NOT_INSTALLED',
  'PGQ_SCHEMA_UNSUPPORTED',
  'PGQ_SCHEMA_INCOMPATIBLE',
  'PGQ_QUERY_TIMEOUT',
] as const satisfies readonly ErrorKey[];

const errors = [...guarded, 'PGQ_WRITES_DISABLED', 'OUTCOME_UNKNOWN', 'QUEUE_NOT_FOUND'] as const;

const command = {
  owner: 'pgq',
  method: 'PUT',
  access: 'write',
  action: 'schedule.write',
  target: 'queue',
  success: 200,
  response: PgqCommandResponse,
  errors,
} as const;

/**
 * The answer of a command for the part of it that the request has waited for, with the `run` that does the rest. The run
 * counts that part as well.
 */
export const PgqCommandBegun = PgqCommandResponse.extend({ run: BulkRun });
export type PgqCommandBegun = z.output<typeof PgqCommandBegun>;

/** A parameter of a listing must not be taken for a condition of the command. */
const whole = { ...command, action: 'jobs.remove', target: 'jobs', strict: true } as const;

/** On all jobs of a queue, which may take longer than a request. */
const everyJob = { ...whole, accepted: PgqCommandBegun } as const;

const bulk = { ...whole, body: PgqJobIdsBody, errors: [...errors, 'PGQ_BULK_LIMIT'] } as const;

const single = {
  ...command,
  target: 'job',
  body: PgqJobConditionsBody,
  errors: [
    ...errors,
    'INVALID_QUERY_PARAM',
    'JOB_NOT_FOUND',
    'JOB_CHANGED',
    'PGQ_JOB_STATE_CONFLICT',
  ],
} as const;

export const pgqCommandRoutes = {
  sendPgqJob: {
    ...command,
    action: 'job.add',
    method: 'POST',
    path: '/api/pgq/queues/{queueName}/jobs',
    summary: 'Send a job',
    query: PgqRawQuery,
    body: SendPgqJobBody,
    keyed: true,
    response: z.object({ id: z.string().nullable(), added: z.boolean().optional() }),
    errors: [...errors, 'IDEMPOTENCY_KEY_REUSED'],
  },
  retryPgqJobs: {
    ...bulk,
    action: 'jobs.retry',
    path: '/api/pgq/queues/{queueName}/jobs/retry',
    summary: 'Retry failed jobs',
  },
  retryPgqJob: {
    ...single,
    action: 'job.retry',
    path: '/api/pgq/queues/{queueName}/jobs/{jobId}/retry',
    summary: 'Retry a failed job',
  },
  cancelPgqJobs: {
    ...bulk,
    action: 'jobs.cancel',
    path: '/api/pgq/queues/{queueName}/jobs/cancel',
    summary: 'Cancel jobs that have not finished; a running handler is not interrupted',
  },
  cancelPgqJob: {
    ...single,
    action: 'job.cancel',
    path: '/api/pgq/queues/{queueName}/jobs/{jobId}/cancel',
    summary: 'Cancel a job that has not finished; a running handler is not interrupted',
  },
  resumePgqJobs: {
    ...bulk,
    action: 'jobs.resume',
    path: '/api/pgq/queues/{queueName}/jobs/resume',
    summary: 'Resume cancelled jobs',
  },
  resumePgqJob: {
    ...single,
    action: 'job.resume',
    path: '/api/pgq/queues/{queueName}/jobs/{jobId}/resume',
    summary: 'Resume a cancelled job',
  },
  removePgqJobs: {
    ...bulk,
    path: '/api/pgq/queues/{queueName}/jobs/remove',
    summary: 'Remove jobs that are not active',
    body: RemovePgqJobsBody,
    errors: [...bulk.errors, 'PGQ_JOB_HAS_DEPENDENTS'],
  },
  removePgqJob: {
    ...single,
    action: 'job.remove',
    path: '/api/pgq/queues/{queueName}/jobs/{jobId}/remove',
    summary: 'Remove a job that is not active',
    body: RemovePgqJobBody,
    errors: [...single.errors, 'JOB_IS_ACTIVE', 'PGQ_JOB_HAS_DEPENDENTS'],
  },
  retryFailedPgqJobs: {
    ...everyJob,
    action: 'jobs.retry',
    path: '/api/pgq/queues/{queueName}/retry-failed',
    summary: 'Retry every failed job of the queue',
  },
  deleteQueuedPgqJobs: {
    ...everyJob,
    path: '/api/pgq/queues/{queueName}/delete-queued',
    summary: 'Delete every job of the queue that has not started',
  },
  deleteStoredPgqJobs: {
    ...everyJob,
    path: '/api/pgq/queues/{queueName}/delete-stored',
    summary: 'Delete every completed, cancelled and failed job of the queue',
  },
  upsertPgqSchedule: {
    ...command,
    path: '/api/pgq/queues/{queueName}/schedules',
    summary: 'Create or replace the schedule with this key',
    query: PgqRawQuery,
    body: UpsertPgqScheduleBody,
    response: z.object({ schedule: PgqSchedule }),
    errors: [
      ...errors,
      'PGQ_INVALID_SCHEDULE',
      'PGQ_FEATURE_UNAVAILABLE',
      'JOB_CHANGED',
      'JOB_SCHEDULER_EXISTS',
      'JOB_SCHEDULER_NOT_FOUND',
    ],
  },
  removePgqSchedule: {
    ...command,
    action: 'schedule.remove',
    path: '/api/pgq/queues/{queueName}/schedules/remove',
    summary: 'Remove the schedule with this key',
    body: RemovePgqScheduleBody,
    errors: [...errors, 'JOB_SCHEDULER_NOT_FOUND'],
  },
} as const satisfies RouteTable;
