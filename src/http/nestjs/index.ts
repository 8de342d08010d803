/** Entry file of `sluice/nestjs`: list endpoints in controllers of NestJS and a board, on Express and Fastify. */

export { BoardModule } from './board-module.ts';
export { InjectBoard } from './board-options.ts';
export type {
  BoardModuleAsyncOptions,
  BoardModuleOptions,
  BoardPlace,
  FeatureQueue,
  RegisteredQueue,
} from './board-options.ts';
export { ItemQuery, ListQuery, QuerySignal } from './list-query.ts';
export { QueryErrorFilter, QueryModule } from './query-error-filter.ts';
export type { QueryErrorHandlerOptions } from '../query-error-options.ts';
