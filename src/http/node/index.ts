/** Entry file of `sluice/node`: list endpoints under `node:http`. */

export { itemEndpoint, listEndpoint } from './endpoints.ts';
export type { EndpointHandler } from './endpoints.ts';
export type { ItemEndpointConfig, ListEndpointConfig, PerRequest } from '../endpoint/config.ts';
export type { QueryErrorHandlerOptions } from '../query-error-options.ts';
