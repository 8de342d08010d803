/** Entry file of `sluice/express`: list endpoints and the board under Express 4 and 5. */

export { listEndpoint } from './list-endpoint.ts';
export type { ListEndpointConfig } from './list-endpoint.ts';
export { queryErrorHandler } from './query-error-handler.ts';
export type { QueryErrorHandlerOptions } from './query-error-handler.ts';
export type {
  EndpointNext,
  EndpointRequest,
  EndpointResponse,
  PerRequest,
} from './endpoint-types.ts';
