/** Entry file of `sluice/fastify`: list endpoints under Fastify. */

export { itemEndpoint, listEndpoint, queryErrorHandler } from './endpoints.ts';
export { listBodies } from './list-bodies.ts';
export type { BodiesInstance } from './list-bodies.ts';
export type { EndpointHandler, EndpointReply, EndpointRequest } from './endpoints.ts';
export type { ItemEndpointConfig, ListEndpointConfig, PerRequest } from '../endpoint/config.ts';
export type { QueryErrorHandlerOptions } from '../query-error-options.ts';
