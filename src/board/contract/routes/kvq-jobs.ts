/** The routes of the `kvq` engine for jobs and job schedulers. */

import * as z from 'zod';

import { JobState } from '../enums.ts';
import { EmptyResponse } from '../errors.ts';
import { AppJob, AppJobScheduler, JobFlow } from '../jobs.ts';
import {
  ChangeJobDelayBody,
  ChangeJobPriorityBody,
  JobFlowQuery,
  ListJobSchedulersQuery,
  UpdateJobDataBody,
  UpdateJobSchedulerBody,
} from '../kvq-requests.ts';
import type { RouteTable } from './route.ts';

const read = {
  owner: 'kvq',
  method: 'GET',
  access: 'read',
  success: 200,
  errors: ['QUEUE_NOT_FOUND', 'JOB_NOT_FOUND'],
} as const;

const command = {
  owner: 'kvq',
  method: 'PUT',
  access: 'write',
  success: 204,
  errors: ['QUEUE_NOT_FOUND', 'QUEUE_READ_ONLY', 'JOB_NOT_FOUND'],
} as const;

const edit = { ...command, method: 'PATCH', success: 200, response: EmptyResponse } as const;

const scheduler = {
  ...command,
  errors: ['QUEUE_NOT_FOUND', 'QUEUE_READ_ONLY', 'JOB_SCHEDULER_NOT_FOUND'],
} as const;

export const kvqJobRoutes = {
  getJob: {
    ...read,
    path: '/api/queues/{queueName}/{jobId}',
    summary: 'One job with its state',
    response: z.object({ job: AppJob, status: JobState }),
  },
  getJobLogs: {
    ...read,
    path: '/api/queues/{queueName}/{jobId}/logs',
    summary: 'Log lines of a job',
    response: z.array(z.string()),
    errors: ['QUEUE_NOT_FOUND'],
  },
  getJobFlow: {
    ...read,
    path: '/api/queues/{queueName}/{jobId}/flow',
    summary: 'The flow of a job',
    query: JobFlowQuery,
    response: JobFlow,
  },
  retryJob: {
    ...command,
    path: '/api/queues/{queueName}/{jobId}/retry',
    summary: 'Retry a failed or completed job',
    errors: [
      ...command.errors,
      'RETRIES_DISABLED',
      'JOB_NOT_RETRIABLE',
      'COMPLETED_RETRIES_DISABLED',
    ],
  },
  cleanJob: {
    ...command,
    path: '/api/queues/{queueName}/{jobId}/clean',
    summary: 'Remove a job',
    errors: [...command.errors, 'JOB_IS_ACTIVE', 'JOB_BELONGS_TO_JOB_SCHEDULER'],
  },
  promoteJob: {
    ...command,
    path: '/api/queues/{queueName}/{jobId}/promote',
    summary: 'Promote a delayed job',
    errors: [...command.errors, 'JOB_NOT_DELAYED'],
  },
  updateJobData: {
    ...edit,
    path: '/api/queues/{queueName}/{jobId}/update-data',
    summary: 'Replace the data of a job',
    body: UpdateJobDataBody,
  },
  changeJobDelay: {
    ...edit,
    path: '/api/queues/{queueName}/{jobId}/delay',
    summary: 'Change when a delayed job runs',
    body: ChangeJobDelayBody,
    errors: [...edit.errors, 'INVALID_RUN_AT', 'JOB_EDIT_NOT_SUPPORTED', 'JOB_NOT_DELAYED'],
  },
  changeJobPriority: {
    ...edit,
    path: '/api/queues/{queueName}/{jobId}/priority',
    summary: 'Change the priority of a job',
    body: ChangeJobPriorityBody,
    errors: [...edit.errors, 'INVALID_PRIORITY', 'JOB_EDIT_NOT_SUPPORTED'],
  },
  removeUnprocessedChildren: {
    ...command,
    path: '/api/queues/{queueName}/{jobId}/remove-unprocessed-children',
    summary: 'Remove the children of a job that have not been processed',
    success: 200,
    response: z.object({ removed: z.number() }),
    errors: [
      ...command.errors,
      'JOB_HAS_NO_UNPROCESSED_CHILDREN',
      'JOB_UNPROCESSED_CHILDREN_NOT_SUPPORTED',
    ],
  },
  listJobSchedulers: {
    ...read,
    path: '/api/job-schedulers',
    summary: 'Job schedulers of one queue or of all visible ones',
    query: ListJobSchedulersQuery,
    response: z.object({ schedulers: z.array(AppJobScheduler) }),
    errors: [],
  },
  removeJobScheduler: {
    ...scheduler,
    path: '/api/queues/{queueName}/job-schedulers/{schedulerId}/remove',
    summary: 'Remove a job scheduler',
  },
  updateJobScheduler: {
    ...scheduler,
    method: 'PATCH',
    path: '/api/queues/{queueName}/job-schedulers/{schedulerId}',
    summary: 'Replace the schedule of a job scheduler',
    body: UpdateJobSchedulerBody,
    errors: [
      ...scheduler.errors,
      'INVALID_SCHEDULER_END_DATE',
      'INVALID_SCHEDULER_INTERVAL',
      'INVALID_SCHEDULER_LIMIT',
      'INVALID_SCHEDULER_PATTERN',
      'INVALID_SCHEDULER_SCHEDULE',
      'JOB_SCHEDULER_EDIT_NOT_SUPPORTED',
    ],
  },
  runJobScheduler: {
    ...scheduler,
    path: '/api/queues/{queueName}/job-schedulers/{schedulerId}/run',
    summary: 'Run a job scheduler now without changing its schedule',
    success: 200,
    response: z.object({ job: AppJob }),
    errors: [...scheduler.errors, 'JOB_SCHEDULER_RUN_NOT_SUPPORTED'],
  },
} as const satisfies RouteTable;
