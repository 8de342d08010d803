/** Door of the board's core: engines plug in here, server adapters in front. */

export { BoardError, datastoreUnavailable } from './board-error.ts';
export type { BoardErrorParams, ErrorBody, Translatable } from './board-error.ts';
export type {
  BoardEngine,
  EngineFactory,
  EngineHandlers,
  EngineHost,
  Handler,
  HandlerContext,
} from './engine.ts';
export type { BoardLogger } from './options.ts';
export type { BoardRequest, BoardResponse, HookRequest, RawRecord, ReadBody } from './request.ts';
export { visibility } from './visibility.ts';
export type { VisibilityGuard } from './visibility.ts';
