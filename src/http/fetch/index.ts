/** Entry file of `sluice/fetch`: list endpoints for servers of the Fetch API. */

export { itemEndpoint, listEndpoint } from './endpoints.ts';
export type { EndpointContext, EndpointHandler } from './endpoints.ts';
export type { ItemEndpointConfig, ListEndpointConfig, PerRequest } from '../endpoint/config.ts';
export type { QueryErrorHandlerOptions } from '../query-error-options.ts';
