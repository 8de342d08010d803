/** The routes of the `pgq` engine that write. */

import * as z from 'zod';

import type { ErrorKey } from '../error-keys.ts';
import { PgqCommandResponse, PgqSchedule } from '../pgq-queues.ts';
import {
  PgqJobIdsBody,
  RemovePgqScheduleBody,
  SendPgqJobBody,
  UpsertPgqScheduleBody,
} from '../pgq-requests.ts';
import type { RouteTable } from './route.ts';

const errors = [
  'PGQ_NOT_INSTALLED',
  'PGQ_SCHEMA_UNSUPPORTED',
  'PGQ_SCHEMA_INCOMPATIBLE',
  'PGQ_QUERY_TIMEOUT',
  'PGQ_WRITES_DISABLED',
  'QUEUE_NOT_FOUND',
] as const satisfies readonly ErrorKey[];

const command = {
  owner: 'pgq',
  method: 'PUT',
  access: 'write',
  success: 200,
  response: PgqCommandResponse,
  errors,
} as const;

const bulk = { ...command, body: PgqJobIdsBody, errors: [...errors, 'PGQ_BULK_LIMIT'] } as const;

const single = {
  ...command,
  errors: [...errors, 'INVALID_QUERY_PARAM', 'JOB_NOT_FOUND', 'PGQ_JOB_STATE_CONFLICT'],
} as const;

export const pgqCommandRoutes = {
  sendPgqJob: {
    ...command,
    method: 'POST',
    path: '/api/pgq/queues/{queueName}/jobs',
    summary: 'Send a job',
    body: SendPgqJobBody,
    response: z.object({ id: z.string().nullable() }),
  },
  retryPgqJobs: {
    ...bulk,
    path: '/api/pgq/queues/{queueName}/jobs/retry',
    summary: 'Retry failed jobs',
  },
  retryPgqJob: {
    ...single,
    path: '/api/pgq/queues/{queueName}/jobs/{jobId}/retry',
    summary: 'Retry a failed job',
  },
  cancelPgqJobs: {
    ...bulk,
    path: '/api/pgq/queues/{queueName}/jobs/cancel',
    summary: 'Cancel jobs that have not finished; a running handler is not interrupted',
  },
  cancelPgqJob: {
    ...single,
    path: '/api/pgq/queues/{queueName}/jobs/{jobId}/cancel',
    summary: 'Cancel a job that has not finished; a running handler is not interrupted',
  },
  resumePgqJobs: {
    ...bulk,
    path: '/api/pgq/queues/{queueName}/jobs/resume',
    summary: 'Resume cancelled jobs',
  },
  resumePgqJob: {
    ...single,
    path: '/api/pgq/queues/{queueName}/jobs/{jobId}/resume',
    summary: 'Resume a cancelled job',
  },
  removePgqJobs: {
    ...bulk,
    path: '/api/pgq/queues/{queueName}/jobs/remove',
    summary: 'Remove jobs that are not active',
  },
  removePgqJob: {
    ...single,
    path: '/api/pgq/queues/{queueName}/jobs/{jobId}/remove',
    summary: 'Remove a job that is not active',
    errors: [...single.errors, 'JOB_IS_ACTIVE'],
  },
  retryFailedPgqJobs: {
    ...command,
    path: '/api/pgq/queues/{queueName}/retry-failed',
    summary: 'Retry every failed job of the queue',
  },
  deleteQueuedPgqJobs: {
    ...command,
    path: '/api/pgq/queues/{queueName}/delete-queued',
    summary: 'Delete every job of the queue that has not started',
  },
  deleteStoredPgqJobs: {
    ...command,
    path: '/api/pgq/queues/{queueName}/delete-stored',
    summary: 'Delete every completed, cancelled and failed job of the queue',
  },
  upsertPgqSchedule: {
    ...command,
    path: '/api/pgq/queues/{queueName}/schedules',
    summary: 'Create or replace the schedule with this key',
    body: UpsertPgqScheduleBody,
    response: z.object({ schedule: PgqSchedule }),
    errors: [
      ...errors,
      'PGQ_INVALID_SCHEDULE',
      'PGQ_FEATURE_UNAVAILABLE',
      'JOB_SCHEDULER_NOT_FOUND',
    ],
  },
  removePgqSchedule: {
    ...command,
    path: '/api/pgq/queues/{queueName}/schedules/remove',
    summary: 'Remove the schedule with this key',
    body: RemovePgqScheduleBody,
    errors: [...errors, 'JOB_SCHEDULER_NOT_FOUND'],
  },
} as const satisfies RouteTable;
