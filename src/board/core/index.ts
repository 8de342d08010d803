/** Entry file of the board's core, for engines and server adapters. */

export { authBelow, checkOpenness } from './authority/board-auth.ts';
export type { BoardAuth } from './authority/board-auth.ts';
export {
  BoardError,
  datastoreUnavailable,
  readOnlyReason,
  requireWritable,
} from './board-error.ts';
export type { BoardErrorParams, ErrorBody, Translatable } from './board-error.ts';
export { fetchFrom, openBoard } from './board.ts';
export { digestOf, idempotencyKeyOf } from './idempotency-key.ts';
export type { Board, ServedBoard, ServerAdapter } from './board.ts';
export { endStream, isStreamed } from './reply/complete.ts';
export { SharedAnswers, SharedBody, jsonPieces } from './reply/shared-body.ts';
export { Accepted } from './request/respond.ts';
export type { FetchMount } from './reply/web.ts';
export { RawBody } from './request/respond.ts';
export { parseJsonBody, parsedBody } from './request/body.ts';
export type {
  BoardEngine,
  EngineFactory,
  EngineHandlers,
  EngineHost,
  Handler,
  HandlerContext,
} from './engine.ts';
export { globalQueue, HistoryUnavailableError } from './history/provider.ts';
export type {
  DurationBucket,
  HistoryMetric,
  HistoryPoint,
  HistoryProvider,
  HistoryPurge,
  HistoryPurgeResult,
  HistoryQuery,
  HistoryQueues,
  HistoryRange,
  HistoryUsage,
  LatencyMetric,
  LatencyPoint,
  LatencyQuery,
  QueueHistoryUsage,
  TodayCounts,
  TodayDurations,
  TierUsage,
} from './history/provider.ts';
export { failureMinutes } from './history/attention.ts';
export type { AttentionChange, AttentionReading, AttentionOptions } from './history/attention.ts';
export type { Deployment, Deployments } from './history/deployments.ts';
export { sampleOf } from './history/reading.ts';
export type {
  CountReading,
  MinuteCount,
  Sample,
  SourceReading,
  SourceRequest,
} from './history/reading.ts';
export type { HistoryScope } from './history/scope.ts';
export { usageOf } from './history/usage.ts';
export type { QueueUsageRow } from './history/usage.ts';
export { HeavyReads, heavyRead } from './heavy-reads.ts';
export type { HeavyRead, InTurn } from './heavy-reads.ts';
export { columnText, columnLength, cutColumn, type ColumnPath } from './values/column-texts.ts';
export { parseExact, rounding, sentValue, withStoredDigits } from './values/exact-json.ts';
export { restored } from './values/restored.ts';
export type { VersionOf } from './values/versions.ts';
export { HostFunctions } from './host-functions.ts';
export type { HandlerHooks, HookContext, HookDecision, HookResult } from './hooks.ts';
export { readErrors } from './inbox/inbox.ts';
export type { Inbox } from './inbox/inbox.ts';
export type { FailedJob, Fingerprint } from './inbox/fingerprint.ts';
export {
  bucketOf,
  mostReleaseBytes,
  reasonBytes,
  releaseLength,
  releaseOf,
} from './inbox/source.ts';
export type { FailurePart, FailureRange, FailureSource, FailureStep } from './inbox/source.ts';
export { readCursor, writeCursor } from './values/position-cursor.ts';
export type { SearchPosition } from './values/position-cursor.ts';
export { isWebAddress, tracedBy } from './trace-url.ts';
export type { TracedJob, TraceUrl } from './trace-url.ts';
export { signatureKey } from './live/listing.ts';
export type { ListQueues, ListedQueues, QueueCounts } from './live/listing.ts';
export type { MetricFamily, MetricSample } from './exporter/exposition.ts';
export type { ExporterOptions } from './exporter/exporter.ts';
export { mountedRoutes } from './mounted-routes.ts';
export { boardOptionTable } from './options.ts';
export type { BoardLogger, BoardOptions, ResolvedOptions } from './options.ts';
export { ownSegments } from './own-paths.ts';
export { basePathRow } from './page/ui-options.ts';
export type { BoardLink, BoardLogo, BoardUi, DateFormats, MiscLink } from './page/ui-options.ts';
export type {
  BoardBody,
  BoardRequest,
  BoardResponse,
  HookRequest,
  ReadBody,
  RequestHeaders,
} from './request/request.ts';
export { foundOf } from './bulk/found.ts';
export type { FoundJobs } from './bulk/found.ts';
export { bulkOf, requestMs } from './bulk/handlers.ts';
export type { Bulk, BulkEngine } from './bulk/handlers.ts';
export type { BulkControl, PreparedRun } from './bulk/runs.ts';
export {
  RunLost,
  keptMs,
  leaseMs,
  memoryRunStore,
  mostKept,
  mostRunning,
  waitingMs,
} from './bulk/run-store.ts';
export { sqlRunStore, undoTable } from './bulk/sql-run-store.ts';
export type {
  BulkProgress,
  ClaimedRun,
  KeptRun,
  RunClaim,
  RunStore,
  RunWithin,
} from './bulk/run-store.ts';
export type { BoardEvent } from './events.ts';
export { BoardPermissions, Grants } from './authority/permissions.ts';
export type { Grant, Permissions, PermissionsOf } from './authority/permissions.ts';
export { QueueVisibility } from './authority/visibility.ts';
export type { VisibilityGuard } from './authority/visibility.ts';
export { NextRuns, isoTime, mostComputed, runsShown, isTimeZone } from './schedules/next-runs.ts';
export type { AskedRuns } from './schedules/next-runs.ts';
export { withinDepth } from './values/within-depth.ts';
export { Turns } from './turns.ts';
export { isFilterParam } from './request/validate.ts';
