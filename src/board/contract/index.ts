/**
 * Entry file of the board's contract: schemas, error keys and the route table, from which everything else is derived.
 */

export * from './resources.ts';
export * as resources from './resources.ts';
export {
  errorKeys,
  errorStatuses,
  isErrorKey,
  maxBulkIds,
  maxPriority,
  parseTranslationKey,
  translationKey,
  validationOptions,
} from './error-keys.ts';
export type { ErrorKey } from './error-keys.ts';
export { storableValue } from './json.ts';
export { describeRoutes, documentRoute } from './openapi/document.ts';
export type { OpenApiDocument } from './openapi/document.ts';
export type { OpenApiOperation } from './openapi/operation.ts';
export {
  engineRoutes,
  authRoutes,
  kvqRoutes,
  metricsRoutes,
  pgqRoutes,
  routeTable,
} from './routes/route-table.ts';
export type { EngineName, EngineRoutes } from './routes/route-table.ts';
export type {
  HistoryCapability,
  PathParams,
  Route,
  RouteBody,
  RouteMethod,
  RouteOwner,
  RouteQuery,
  RouteResult,
  RouteTable,
} from './routes/route.ts';
