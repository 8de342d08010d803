/** Door of the server adapters. */

export { ExpressAdapter } from './express.ts';
export type { ExpressHandler } from './express.ts';
export type { NodeRequest } from './node-request.ts';
