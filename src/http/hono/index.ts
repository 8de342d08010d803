/** Entry file of `sluice/hono`: list endpoints under Hono. */

export { itemEndpoint, listEndpoint } from './endpoints.ts';
export { queryErrorHandler } from './query-error-handler.ts';
export type { EndpointHandler } from './endpoints.ts';
export type { ItemEndpointConfig, ListEndpointConfig, PerRequest } from '../endpoint/config.ts';
export type { QueryErrorHandlerOptions } from '../query-error-options.ts';
