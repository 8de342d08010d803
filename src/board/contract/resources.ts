/** All named schemas of the contract: resources, enumerations and bodies. */

export { BoardAction } from './actions.ts';
export { BulkAction, BulkRun, StartBulkBody } from './bulk.ts';
export { QueueActivity } from './activity.ts';
export {
  Datastore,
  JobSchedulerKind,
  JobState,
  JobStatus,
  MetricsHistoryGranularity,
  MetricsHistoryMetric,
  MetricsLatencyGranularity,
  MetricsLatencyMetric,
  PgqFeature,
  PgqJobState,
  PgqScheduleKind,
  QueueLibrary,
  QueueType,
  Status,
} from './enums.ts';
export {
  EmptyResponse,
  ErrorResponseBody,
  JobBelongsToJobSchedulerResponse,
  TranslatableMessage,
} from './errors.ts';
export { HoldReason, JobCourse, JobEvent, JobHold, JobHolds, JobMoment } from './course.ts';
export {
  AppJob,
  AppJobScheduler,
  ExternalJobUrl,
  FlowDependencies,
  FlowNode,
  JobFlow,
  JobSummary,
  JobSummaryField,
} from './jobs.ts';
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
export { PgqCapabilities, PgqFeatures, PgqIndexAdvice, PgqInfo } from './pgq-info.ts';
export { PgqDeadLetterSource, PgqDependencyRef, PgqJob, PgqJobSummary } from './pgq-jobs.ts';
export {
  PgqCommandResponse,
  PgqInstance,
  PgqQueueCounts,
  PgqQueueDepthPoint,
  PgqQueueSummary,
  PgqSchedule,
  PgqSkippedJob,
  PgqStateCount,
  PgqStateCounts,
  PgqWarning,
} from './pgq-queues.ts';
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
export {
  AppQueue,
  JobCounts,
  Pagination,
  QueueCapabilities,
  QueueDefaultJobOptions,
  QueueMetrics,
  QueueRateLimit,
  QueueWorker,
  QueueWorkers,
} from './queues.ts';
export { AuthenticatedUser } from './routes/auth.ts';
export {
  KvStats,
  MetricsHistoryPoint,
  MetricsHistoryPurgeResult,
  MetricsHistoryQueueUsage,
  MetricsHistoryTierUsage,
  MetricsHistoryUsage,
  MetricsLatencyPoint,
} from './statistics.ts';
