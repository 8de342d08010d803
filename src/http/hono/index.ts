/** Entry file of `sluice/hono`: list endpoints under Hono. */

export { itemEndpoint, listEndpoint, queryErrorHandler } from './endpoints.ts';
export type { EndpointHandler } from './endpoints.ts';
export type { ItemEndpointConfig, ListEndpointConfig, PerRequest } from '../endpoint/config.ts';
export type { QueryErrorHandlerOptions } from '../query-error-options.ts';
