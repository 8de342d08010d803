/**
 * Entry file of the board's contract: schemas, error keys and the route table, from which everything else is derived.
 */

export * from './resources.ts';
export * as resources from './resources.ts';
export type { PgqCommandBegun } from './routes/pgq-commands.ts';
export * from './error-keys.ts';
export { mostEvents, mostMoments } from './course.ts';
export { isUndoable, maxRunIds, seenById, type SeenJob } from './bulk.ts';
export { isBoardAction, isReadAction } from './actions.ts';
export { lastMoment, storableValue } from './json.ts';
export type { OpenApiDocument } from './openapi/document.ts';
export type { DescribedAuth } from './openapi/security.ts';
export type { OpenApiOperation } from './openapi/operation.ts';
export * from './routes/route-table.ts';
export * from './routes/errors.ts';
export * from './routes/running.ts';
export * from './routes/timeline.ts';
export { SearchJobsQuery } from './routes/search.ts';
export { SearchPgqJobsQuery } from './pgq-requests.ts';
export type * from './routes/route.ts';
export { documentRoute, entryRoute } from './routes/shared.ts';
