/** Entry file of `sluice/express`: list endpoints and the board under Express 4 and 5. */

export { itemEndpoint } from './item-endpoint.ts';
export type { ItemRequest } from './item-endpoint.ts';
export type { ItemEndpointConfig, ListEndpointConfig, PerRequest } from '../endpoint/config.ts';
export { listEndpoint } from './list-endpoint.ts';
export { queryErrorHandler } from './query-error-handler.ts';
export type { QueryErrorHandlerOptions } from './query-error-handler.ts';
export type { EndpointNext, EndpointRequest, EndpointResponse } from './endpoint-types.ts';
