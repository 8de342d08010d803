/** Entry file of `sluice/next`: list endpoints as route handlers of Next.js. */

export { itemEndpoint, listEndpoint } from '../fetch/endpoints.ts';
export type { EndpointContext, EndpointHandler } from '../fetch/endpoints.ts';
export type { ItemEndpointConfig, ListEndpointConfig, PerRequest } from '../endpoint/config.ts';
export type { QueryErrorHandlerOptions } from '../query-error-options.ts';
