/** Public interface of `sluice/migrate`: endpoints of other libraries, taken over with their requests and answers. */

export { fromNestjsPaginate } from './nestjs-paginate/index.ts';
export type { NestjsPaginateEndpoint } from './nestjs-paginate/index.ts';
export type { NestjsPaginateConfig, NestjsPaginateSort } from './nestjs-paginate/config.ts';
export type { NestjsPaginated } from './nestjs-paginate/answer.ts';
