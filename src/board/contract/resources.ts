/** All named schemas of the contract: resources, enumerations and bodies. */

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
export {
  AppJob,
  AppJobScheduler,
  ExternalJobUrl,
  FlowDependencies,
  FlowNode,
  JobFlow,
} from './jobs.ts';
export {
  AddJobBody,
  ChangeJobDelayBody,
  ChangeJobPriorityBody,
  ObliterateQueueBody,
  SetGlobalConcurrencyBody,
  SetRateLimitBody,
  UpdateJobDataBody,
  UpdateJobSchedulerBody,
} from './kvq-requests.ts';
export { PurgeMetricsHistoryBody } from './metrics-requests.ts';
export { PgqCapabilities, PgqFeatures, PgqIndexAdvice, PgqInfo } from './pgq-info.ts';
export { PgqDeadLetterSource, PgqDependencyRef, PgqJob, PgqJobSummary } from './pgq-jobs.ts';
export {
  PgqCommandResponse,
  PgqQueueCounts,
  PgqQueueDepthPoint,
  PgqQueueSummary,
  PgqSchedule,
  PgqStateCount,
  PgqStateCounts,
  PgqWarning,
} from './pgq-queues.ts';
export {
  PgqJobIdsBody,
  PreviewPgqScheduleBody,
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
