/**
 * Entry file of the board's contract: schemas, error keys and the route table, from which everything else is derived.
 */

export * from './resources.ts';
export * as resources from './resources.ts';
export type { PgqCommandBegun } from './routes/pgq-commands.ts';
export {
  errorKeys,
  errorStatuses,
  maxBulkIds,
  maxPriority,
  parseTranslationKey,
  translationKey,
  validationOptions,
} from './error-keys.ts';
export type { ErrorKey } from './error-keys.ts';
export { mostEvents, mostMoments } from './course.ts';
export { isUndoable, maxRunIds, seenById } from './bulk.ts';
export type { SeenJob } from './bulk.ts';
export { isBoardAction, isReadAction } from './actions.ts';
export { lastMoment, storableValue } from './json.ts';
export type { OpenApiDocument } from './openapi/document.ts';
export type { DescribedAuth } from './openapi/security.ts';
export type { OpenApiOperation } from './openapi/operation.ts';
export {
  engineRoutes,
  authRoutes,
  kvqRoutes,
  liveRoutes,
  metricsRoutes,
  exporterRoutes,
  pgqRoutes,
  routeTable,
  sharedRoutes,
} from './routes/route-table.ts';
export type { EngineName, EngineRoutes } from './routes/route-table.ts';
export {
  mostNames,
  mostReleases,
  type ListErrorsResponse,
  type StoredError,
} from './routes/errors.ts';
export {
  measuredJobs,
  mostRunning,
  mostRunningQueues,
  type QueueRunning,
} from './routes/running.ts';
export {
  bucketsOf,
  mostCounted,
  mostFinished,
  tallyOf,
  type QueueTimeline,
  type TimelineBuckets,
} from './routes/timeline.ts';
export { SearchJobsQuery } from './routes/search.ts';
export { SearchPgqJobsQuery } from './pgq-requests.ts';
export type {
  HistoryCapability,
  PathParams,
  RequestedAction,
  Route,
  RouteBody,
  RouteMethod,
  RouteOwner,
  RouteQuery,
  RouteAccepted,
  RouteResult,
  RouteTable,
  RouteTarget,
} from './routes/route.ts';
export { documentRoute, entryRoute } from './routes/shared.ts';
