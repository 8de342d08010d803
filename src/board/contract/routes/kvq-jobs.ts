/** The routes of the `kvq` engine for jobs and job schedulers. */

import * as z from 'zod';

import { JobCourse, JobHolds } from '../course.ts';
import { JobState } from '../enums.ts';
import type { ErrorKey } from '../error-keys.ts';
import { EmptyResponse } from '../errors.ts';
import { AppJob, AppJobScheduler, JobFlow, JobSummary } from '../jobs.ts';
import {
  ChangeJobDelayBody,
  ChangeJobPriorityBody,
  CreateJobSchedulerBody,
  JobConditionsBody,
  JobFlowQuery,
  JobLogsQuery,
  ListJobSchedulersQuery,
  ListJobsQuery,
  ListSchedulerRunsQuery,
  PreviewJobSchedulerBody,
  RawQuery,
  UpdateJobDataBody,
  UpdateJobSchedulerBody,
} from '../kvq-requests.ts';
import { reading, type RouteTable } from './route.ts';

const read = {
  ...reading('kvq', 'job.read', 'job'),
  errors: ['QUEUE_NOT_FOUND', 'JOB_NOT_FOUND'],
} as const;

const command = {
  owner: 'kvq',
  method: 'PUT',
  access: 'write',
  action: 'job.edit',
  target: 'job',
  success: 204,
  errors: ['QUEUE_NOT_FOUND', 'QUEUE_READ_ONLY', 'OUTCOME_UNKNOWN', 'JOB_NOT_FOUND', 'JOB_CHANGED'],
} as const;

const conditional = { ...command, body: JobConditionsBody } as const;

const edit = { ...command, method: 'PATCH', success: 200, response: EmptyResponse } as const;

const scheduler = {
  ...command,
  action: 'schedule.write',
  target: 'queue',
  errors: ['QUEUE_NOT_FOUND', 'QUEUE_READ_ONLY', 'OUTCOME_UNKNOWN', 'JOB_SCHEDULER_NOT_FOUND'],
} as const;

/** A queue that could not be read, and why. */
const QueueProblem = z.object({
  queueName: z.string(),
  problem: z.object({ key: z.string() }),
});

/** A run of a job scheduler: the id of its job, when it was due, and what has become of it. */
const SchedulerRun = z.object({
  jobId: z.string(),
  dueOn: z.number(),
  status: JobState,
  finishedOn: z.number().nullable(),
});

/** Errors of a schedule that the library does not accept. */
const ofSchedule = [
  'INVALID_SCHEDULER_END_DATE',
  'INVALID_SCHEDULER_INTERVAL',
  'INVALID_SCHEDULER_LIMIT',
  'INVALID_SCHEDULER_PATTERN',
  'INVALID_SCHEDULER_SCHEDULE',
  'JOB_SCHEDULER_EDIT_NOT_SUPPORTED',
] as const satisfies readonly ErrorKey[];

/** `truncated`: lines of the window are stored, but the response would have been too large. */
const LogWindow = z.object({
  lines: z.array(z.string()),
  total: z.number(),
  truncated: z.boolean(),
  /** The number of lines before the window. */
  start: z.number(),
});

export const kvqJobRoutes = {
  getJob: {
    ...read,
    path: '/api/queues/{queueName}/{jobId}',
    summary: 'One job with its state',
    query: RawQuery,
    response: z.object({ job: AppJob, status: JobState, version: z.string() }),
  },
  listJobs: {
    ...read,
    target: 'jobs',
    path: '/api/queues/{queueName}/jobs',
    summary: 'A page of jobs in brief, newest first',
    query: ListJobsQuery,
    strict: true,
    response: z.object({
      jobs: z.array(JobSummary),
      /** Jobs in the status, or in all of them. */
      total: z.number(),
      nextCursor: z.string().nullable(),
    }),
    errors: ['QUEUE_NOT_FOUND'],
  },
  getJobLogs: {
    ...read,
    path: '/api/queues/{queueName}/{jobId}/logs',
    summary: 'The last log lines of a job, or a window of them with the number of all',
    query: JobLogsQuery,
    response: z.union([z.array(z.string()), LogWindow]),
    errors: ['QUEUE_NOT_FOUND'],
  },
  getJobFlow: {
    ...read,
    path: '/api/queues/{queueName}/{jobId}/flow',
    summary: 'The flow of a job',
    query: JobFlowQuery,
    response: JobFlow,
  },
  getJobCourse: {
    ...read,
    path: '/api/queues/{queueName}/{jobId}/course',
    summary: 'The events of a job with their times, as far as the library keeps them',
    response: JobCourse,
  },
  getJobHolds: {
    ...read,
    path: '/api/queues/{queueName}/{jobId}/holds',
    summary: 'The reasons that hold a job back, and its deduplication',
    response: JobHolds,
  },
  retryJob: {
    ...conditional,
    action: 'job.retry',
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
    ...conditional,
    action: 'job.remove',
    path: '/api/queues/{queueName}/{jobId}/clean',
    summary: 'Remove a job',
    errors: [
      ...command.errors,
      'JOB_IS_ACTIVE',
      'JOB_BELONGS_TO_JOB_SCHEDULER',
      'JOB_PARENT_PROTECTED',
    ],
  },
  releaseJob: {
    ...conditional,
    action: 'job.release',
    path: '/api/queues/{queueName}/{jobId}/release',
    summary: 'Move an active job whose worker is gone back to the waiting jobs',
    errors: [...command.errors, 'JOB_IS_ACTIVE', 'JOB_NOT_ACTIVE'],
  },
  promoteJob: {
    ...conditional,
    action: 'job.promote',
    path: '/api/queues/{queueName}/{jobId}/promote',
    summary: 'Promote a delayed job',
    errors: [...command.errors, 'JOB_NOT_DELAYED'],
  },
  updateJobData: {
    ...edit,
    path: '/api/queues/{queueName}/{jobId}/update-data',
    summary: 'Replace the data of a job',
    query: RawQuery,
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
    action: 'job.remove',
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
    action: 'schedule.read',
    target: 'board',
    path: '/api/job-schedulers',
    summary: 'Job schedulers of one queue or of all visible ones',
    query: ListJobSchedulersQuery,
    strict: true,
    response: z.object({
      schedulers: z.array(AppJobScheduler),
      /** The queues whose schedulers could not be read, and why. */
      problems: z.array(QueueProblem).optional(),
    }),
    errors: [],
  },
  listJobSchedulerRuns: {
    ...read,
    target: 'queue',
    path: '/api/queues/{queueName}/job-schedulers/{schedulerId}/runs',
    summary: 'The last runs of a job scheduler that are still stored, newest first',
    query: ListSchedulerRunsQuery,
    strict: true,
    response: z.object({ runs: z.array(SchedulerRun) }),
    errors: ['QUEUE_NOT_FOUND', 'JOB_SCHEDULER_NOT_FOUND'],
  },
  previewJobScheduler: {
    ...read,
    method: 'POST',
    action: 'schedule.read',
    target: 'queue',
    path: '/api/queues/{queueName}/job-schedulers/preview',
    summary: 'The next runs of a schedule that is not saved',
    body: PreviewJobSchedulerBody,
    response: z.object({ runs: z.array(z.string()) }),
    errors: ['QUEUE_NOT_FOUND', 'SCHEDULE_LIMIT', ...ofSchedule],
  },
  createJobScheduler: {
    ...scheduler,
    method: 'POST',
    path: '/api/queues/{queueName}/job-schedulers',
    summary: 'Create a job scheduler',
    query: RawQuery,
    body: CreateJobSchedulerBody,
    success: 200,
    response: z.object({ scheduler: AppJobScheduler }),
    errors: [...scheduler.errors, 'JOB_SCHEDULER_EXISTS', 'SCHEDULE_LIMIT', ...ofSchedule],
  },
  removeJobScheduler: {
    ...scheduler,
    action: 'schedule.remove',
    path: '/api/queues/{queueName}/job-schedulers/{schedulerId}/remove',
    summary: 'Remove a job scheduler',
  },
  updateJobScheduler: {
    ...scheduler,
    method: 'PATCH',
    path: '/api/queues/{queueName}/job-schedulers/{schedulerId}',
    summary: 'Replace the schedule of a job scheduler, and the data of its runs',
    query: RawQuery,
    body: UpdateJobSchedulerBody,
    errors: [...scheduler.errors, 'JOB_CHANGED', ...ofSchedule],
  },
  runJobScheduler: {
    ...scheduler,
    action: 'schedule.run',
    path: '/api/queues/{queueName}/job-schedulers/{schedulerId}/run',
    summary: 'Run a job scheduler now without changing its schedule',
    success: 200,
    response: z.object({ job: AppJob }),
    errors: [...scheduler.errors, 'JOB_SCHEDULER_RUN_NOT_SUPPORTED'],
  },
} as const satisfies RouteTable;
