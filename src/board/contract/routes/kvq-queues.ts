/** The routes of the `kvq` engine for queues, and the statistics of their datastore. */

import * as z from 'zod';

import { JobState } from '../enums.ts';
import { EmptyResponse } from '../errors.ts';
import { AppJob } from '../jobs.ts';
import { anyObject } from '../json.ts';
import {
  AddJobBody,
  ListQueuesQuery,
  ObliterateQueueBody,
  SetGlobalConcurrencyBody,
  SetRateLimitBody,
} from '../kvq-requests.ts';
import {
  AppQueue,
  QueueDefaultJobOptions,
  QueueMetrics,
  QueueRateLimit,
  QueueWorker,
} from '../queues.ts';
import type { RouteTable } from './route.ts';
import { KvStats } from '../statistics.ts';

const read = { owner: 'kvq', method: 'GET', access: 'read', success: 200 } as const;

const command = {
  owner: 'kvq',
  method: 'PUT',
  access: 'write',
  success: 200,
  response: EmptyResponse,
  errors: ['QUEUE_NOT_FOUND', 'QUEUE_READ_ONLY'],
} as const;

export const kvqQueueRoutes = {
  listQueues: {
    ...read,
    path: '/api/queues',
    summary: 'Visible queues with their counts, and a page of the jobs of the active one',
    query: ListQueuesQuery,
    response: z.object({ queues: z.array(AppQueue) }),
    errors: [],
  },
  getQueueMetrics: {
    ...read,
    path: '/api/queues/{queueName}/metrics',
    summary: 'Jobs finished per minute, as counted by the library',
    response: z.object({ completed: QueueMetrics.nullable(), failed: QueueMetrics.nullable() }),
    errors: ['QUEUE_NOT_FOUND'],
  },
  getDefaultJobOptions: {
    ...read,
    path: '/api/queues/{queueName}/default-job-options',
    summary: 'Default options of the jobs of the queue',
    response: QueueDefaultJobOptions,
    errors: ['QUEUE_NOT_FOUND'],
  },
  listQueueWorkers: {
    ...read,
    path: '/api/queues/{queueName}/workers',
    summary: 'Connected workers; null when the library does not report them',
    response: z.object({ workers: z.array(QueueWorker).nullable() }),
    errors: ['QUEUE_NOT_FOUND', 'WORKERS_DISABLED'],
  },
  getQueueRateLimit: {
    ...read,
    path: '/api/queues/{queueName}/rate-limit',
    summary: 'The global rate limit of the queue',
    response: z.object({ supported: z.boolean(), rateLimit: QueueRateLimit.nullable() }),
    errors: ['QUEUE_NOT_FOUND'],
  },
  setQueueRateLimit: {
    ...command,
    path: '/api/queues/{queueName}/rate-limit',
    summary: 'Set or remove the global rate limit of the queue',
    body: SetRateLimitBody,
    errors: [...command.errors, 'INVALID_RATE_LIMIT', 'RATE_LIMIT_NOT_SUPPORTED'],
  },
  getJobDataSchema: {
    ...read,
    path: '/api/queues/{queueName}/job-data-schema',
    summary: 'JSON Schema of the job data of the queue',
    response: anyObject,
    errors: ['QUEUE_NOT_FOUND'],
  },
  pauseQueues: {
    ...command,
    path: '/api/queues/pause',
    summary: 'Pause every visible and writable queue',
    errors: [],
  },
  resumeQueues: {
    ...command,
    path: '/api/queues/resume',
    summary: 'Resume every visible and writable queue',
    errors: [],
  },
  addJob: {
    ...command,
    method: 'POST',
    path: '/api/queues/{queueName}/add',
    summary: 'Add a job',
    body: AddJobBody,
    response: z.object({ job: AppJob, status: JobState }),
  },
  retryJobs: {
    ...command,
    path: '/api/queues/{queueName}/retry/{queueStatus}',
    summary: 'Retry every failed or completed job',
    response: z.object({ retried: z.number(), skipped: z.number() }),
    errors: [
      ...command.errors,
      'RETRIES_DISABLED',
      'STATUS_NOT_RETRIABLE',
      'COMPLETED_RETRIES_DISABLED',
    ],
  },
  promoteJobs: {
    ...command,
    path: '/api/queues/{queueName}/promote',
    summary: 'Promote every delayed job',
  },
  cleanJobs: {
    ...command,
    path: '/api/queues/{queueName}/clean/{queueStatus}',
    summary: 'Remove every job of a status that is at least five seconds old',
    errors: [...command.errors, 'INVALID_QUERY_PARAM'],
  },
  pauseQueue: { ...command, path: '/api/queues/{queueName}/pause', summary: 'Pause the queue' },
  resumeQueue: { ...command, path: '/api/queues/{queueName}/resume', summary: 'Resume the queue' },
  setGlobalConcurrency: {
    ...command,
    path: '/api/queues/{queueName}/concurrency',
    summary: 'Set the global limit of concurrent jobs; 0 removes it',
    body: SetGlobalConcurrencyBody,
    errors: [...command.errors, 'INVALID_CONCURRENCY'],
  },
  releaseQueueRateLimit: {
    ...command,
    path: '/api/queues/{queueName}/rate-limit/release',
    summary: 'Release a rate limit that currently delays jobs',
  },
  emptyQueue: {
    ...command,
    path: '/api/queues/{queueName}/empty',
    summary: 'Remove every job that is not active, and keep the queue',
  },
  obliterateQueue: {
    ...command,
    path: '/api/queues/{queueName}/obliterate',
    summary: 'Remove the queue and all its jobs',
    body: ObliterateQueueBody,
    errors: [...command.errors, 'QUEUE_NOT_PAUSED', 'QUEUE_HAS_ACTIVE_JOBS'],
  },
  getKvStats: {
    ...read,
    path: '/api/kv/stats',
    summary: 'Statistics of the datastore of the first visible queue; empty without queues',
    response: z.union([KvStats, EmptyResponse]),
    errors: ['KV_STATS_UNAVAILABLE', 'QUEUE_NOT_FOUND'],
  },
} as const satisfies RouteTable;
