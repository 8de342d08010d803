/** Entry file of `sluice/fastify`: list endpoints under Fastify. */

export { itemEndpoint, listEndpoint } from './endpoints.ts';
export { listBodies } from './list-bodies.ts';
export type { BodiesInstance } from './list-bodies.ts';
export { queryErrorHandler } from './query-error-handler.ts';
export type { EndpointHandler, EndpointReply, EndpointRequest } from './endpoints.ts';
export type { ItemEndpointConfig, ListEndpointConfig, PerRequest } from '../endpoint/config.ts';
export type { QueryErrorHandlerOptions } from '../query-error-options.ts';
