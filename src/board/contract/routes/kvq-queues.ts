/** The routes of the `kvq` engine for queues, and the statistics of their datastore. */

import * as z from 'zod';

import { allowed } from '../actions.ts';
import { BulkRun } from '../bulk.ts';
import { JobState } from '../enums.ts';
import { EmptyResponse } from '../errors.ts';
import { AppJob } from '../jobs.ts';
import { anyObject } from '../json.ts';
import {
  AddJobBody,
  RawQuery,
  GetQueueQuery,
  ListQueuesQuery,
  ObliterateQueueBody,
  PauseQueueBody,
  PauseQueuesBody,
  SetGlobalConcurrencyBody,
  SetRateLimitBody,
  SeveralQueuesBody,
} from '../kvq-requests.ts';
import {
  AppQueue,
  QueueDefaultJobOptions,
  QueueMetrics,
  QueueRateLimit,
  QueueWorker,
  QueueWorkers,
} from '../queues.ts';
import { reading, type RouteTable } from './route.ts';
import { KvStats } from '../statistics.ts';

const read = reading('kvq', 'queue.read', 'queue');

const command = {
  owner: 'kvq',
  method: 'PUT',
  access: 'write',
  action: 'queue.configure',
  target: 'queue',
  success: 200,
  response: EmptyResponse,
  errors: ['QUEUE_NOT_FOUND', 'QUEUE_READ_ONLY', 'OUTCOME_UNKNOWN'],
} as const;

/**
 * `added` is false if the queue had a job with the id or the deduplication id, which is then `job`; absent if it cannot
 * be told, because the job has been removed since.
 */
const AddedJob = z.object({ job: AppJob, status: JobState, added: z.boolean().optional() });

/** `spared` jobs stay: a parent awaits them in a queue that the sender may not change. */
const Removed = z.object({ removed: z.number(), spared: z.number() });
const Retried = z.object({ retried: z.number(), skipped: z.number() });
const Promoted = z.object({ promoted: z.number(), skipped: z.number() });

/** So far; a run does the rest. */
const rest = { run: BulkRun };

/** A parameter must not be taken for a condition of a command on many jobs. */
const bulk = { ...command, target: 'jobs', strict: true } as const;

export const kvqQueueRoutes = {
  listQueues: {
    ...read,
    target: 'board',
    path: '/api/queues',
    summary: 'Visible queues with their counts, and a page of the jobs of the active one',
    query: ListQueuesQuery,
    strict: true,
    response: z.object({ queues: z.array(AppQueue), ...allowed }),
  },
  getQueue: {
    ...read,
    path: '/api/queues/{queueName}',
    summary: 'A queue with its counts and a page of its jobs, as in the listing',
    query: GetQueueQuery,
    strict: true,
    response: z.object({ queue: AppQueue }),
    errors: ['QUEUE_NOT_FOUND'],
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
  listWorkers: {
    ...read,
    target: 'board',
    path: '/api/workers',
    summary: 'Connected workers of all visible queues',
    response: z.object({ queues: z.array(QueueWorkers) }),
    errors: ['WORKERS_DISABLED'],
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
    action: 'queue.pause',
    target: 'board',
    path: '/api/queues/pause',
    summary: 'Pause every visible and writable queue, or those of them that are named',
    body: PauseQueuesBody,
    errors: ['OUTCOME_UNKNOWN'],
  },
  resumeQueues: {
    ...command,
    action: 'queue.pause',
    target: 'board',
    path: '/api/queues/resume',
    summary: 'Resume every visible and writable queue, or those of them that are named',
    body: SeveralQueuesBody,
    errors: ['OUTCOME_UNKNOWN'],
  },
  addJob: {
    ...command,
    action: 'job.add',
    method: 'POST',
    path: '/api/queues/{queueName}/add',
    summary: 'Add a job',
    query: RawQuery,
    body: AddJobBody,
    keyed: true,
    response: AddedJob,
    errors: [...command.errors, 'IDEMPOTENCY_KEY_REUSED'],
  },
  retryJobs: {
    ...bulk,
    action: 'jobs.retry',
    path: '/api/queues/{queueName}/retry/{queueStatus}',
    values: { queueStatus: ['failed', 'completed'] },
    summary: 'Retry every failed or completed job',
    response: Retried,
    accepted: Retried.extend(rest),
    errors: [
      ...command.errors,
      'RETRIES_DISABLED',
      'STATUS_NOT_RETRIABLE',
      'COMPLETED_RETRIES_DISABLED',
    ],
  },
  promoteJobs: {
    ...bulk,
    action: 'jobs.promote',
    path: '/api/queues/{queueName}/promote',
    summary: 'Promote every delayed job',
    response: Promoted,
    accepted: Promoted.extend(rest),
  },
  cleanJobs: {
    ...bulk,
    action: 'jobs.remove',
    path: '/api/queues/{queueName}/clean/{queueStatus}',
    values: {
      queueStatus: [
        'completed',
        'wait',
        'waiting',
        'active',
        'delayed',
        'failed',
        'prioritized',
        'paused',
      ],
    },
    summary: 'Remove every job of a status that is at least five seconds old',
    response: Removed,
    accepted: Removed.extend(rest),
    errors: [...command.errors, 'INVALID_QUERY_PARAM'],
  },
  pauseQueue: {
    ...command,
    action: 'queue.pause',
    path: '/api/queues/{queueName}/pause',
    summary: 'Pause the queue',
    body: PauseQueueBody,
  },
  resumeQueue: {
    ...command,
    action: 'queue.pause',
    path: '/api/queues/{queueName}/resume',
    summary: 'Resume the queue',
  },
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
    ...bulk,
    action: 'jobs.remove',
    path: '/api/queues/{queueName}/empty',
    summary: 'Remove every job that is not active, and keep the queue',
    response: Removed,
    accepted: Removed.extend(rest),
  },
  obliterateQueue: {
    ...bulk,
    action: 'queue.obliterate',
    target: 'queue',
    path: '/api/queues/{queueName}/obliterate',
    summary: 'Remove the queue and all its jobs',
    body: ObliterateQueueBody,
    accepted: z.object({ removed: z.number(), ...rest }),
    errors: [
      ...command.errors,
      'QUEUE_NOT_PAUSED',
      'QUEUE_HAS_ACTIVE_JOBS',
      'JOB_PARENT_PROTECTED',
    ],
  },
  getKvStats: {
    ...read,
    action: 'board.read',
    target: 'board',
    path: '/api/kv/stats',
    summary: 'Statistics of the datastore of the first visible queue; empty without queues',
    response: z.union([KvStats, EmptyResponse]),
    errors: ['KV_STATS_UNAVAILABLE', 'QUEUE_NOT_FOUND'],
  },
} as const satisfies RouteTable;
