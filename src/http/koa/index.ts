/** Entry file of `sluice/koa`: list endpoints under Koa. */

export { itemEndpoint, listEndpoint } from './endpoints.ts';
export { queryErrorHandler } from './query-error-handler.ts';
export type { EndpointContext, EndpointHandler } from './endpoints.ts';
export type { ItemEndpointConfig, ListEndpointConfig, PerRequest } from '../endpoint/config.ts';
export type { QueryErrorHandlerOptions } from '../query-error-options.ts';
