/** Entry file of `sluice/express`: list endpoints and the board under Express 4 and 5. */

export { itemEndpoint, listEndpoint, queryErrorHandler } from './endpoints.ts';
export type {
  EndpointNext,
  EndpointRequest,
  EndpointResponse,
  ItemRequest,
  QueryErrorHandlerOptions,
} from './endpoints.ts';
export type { ItemEndpointConfig, ListEndpointConfig, PerRequest } from '../endpoint/config.ts';
