/** Entry file of `sluice/express`: list endpoints and the board under Express 4 and 5. */

export { itemEndpoint, listEndpoint } from './endpoints.ts';
export type { EndpointNext, EndpointRequest, EndpointResponse, ItemRequest } from './endpoints.ts';
export type { ItemEndpointConfig, ListEndpointConfig, PerRequest } from '../endpoint/config.ts';
export { queryErrorHandler } from './query-error-handler.ts';
export type { QueryErrorHandlerOptions } from './query-error-handler.ts';
