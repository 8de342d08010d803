/** Entry file of `sluice/koa`: list endpoints under Koa. */

export { itemEndpoint, listEndpoint, queryErrorHandler } from './endpoints.ts';
export type { EndpointContext, EndpointHandler } from './endpoints.ts';
export type { ItemEndpointConfig, ListEndpointConfig, PerRequest } from '../endpoint/config.ts';
export type { QueryErrorHandlerOptions } from '../query-error-options.ts';
