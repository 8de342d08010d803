/** All named schemas of the contract: resources, enumerations and bodies. Each export has its name in documents. */

export { BoardAction } from './actions.ts';
export { BulkAction, BulkRun, StartBulkBody } from './bulk.ts';
export { QueueActivity } from './activity.ts';
export * from './enums.ts';
export * from './errors.ts';
export { HoldReason, JobCourse, JobEvent, JobHold, JobHolds, JobMoment } from './course.ts';
export * from './jobs.ts';
export {
  AddJobBody,
  ChangeJobDelayBody,
  ChangeJobPriorityBody,
  JobConditionsBody,
  ObliterateQueueBody,
  SetGlobalConcurrencyBody,
  SetRateLimitBody,
  UpdateJobDataBody,
  CreateJobSchedulerBody,
  PreviewJobSchedulerBody,
  UpdateJobSchedulerBody,
} from './kvq-requests.ts';
export { AttentionItem, AttentionKind, ErrorGroup, FailedAttempt } from './attention.ts';
export { PurgeMetricsHistoryBody } from './metrics-requests.ts';
export * from './pgq-info.ts';
export * from './pgq-jobs.ts';
export * from './pgq-queues.ts';
export {
  PgqJobConditionsBody,
  PgqJobIdsBody,
  PgqScheduleOptions,
  PreviewPgqScheduleBody,
  RemovePgqJobBody,
  RemovePgqJobsBody,
  RemovePgqScheduleBody,
  SendPgqJobBody,
  SendPgqJobOptions,
  UpsertPgqScheduleBody,
} from './pgq-requests.ts';
export * from './queues.ts';
export { AuthenticatedUser } from './routes/auth.ts';
export * from './statistics.ts';
