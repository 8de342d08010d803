/** Entry file of the board's core, for engines and server adapters. */

export type { BoardAuth } from './board-auth.ts';
export { BoardError, datastoreUnavailable } from './board-error.ts';
export type { BoardErrorParams, ErrorBody, Translatable } from './board-error.ts';
export { openBoard } from './board.ts';
export type { Board, ServedBoard, ServerAdapter } from './board.ts';
export { parseJsonBody, refuseUnlessJson } from './request/body.ts';
export type {
  BoardEngine,
  EngineFactory,
  EngineHandlers,
  EngineHost,
  Handler,
  HandlerContext,
} from './engine.ts';
export type { HandlerHooks, HookContext, HookDecision, HookResult } from './hooks.ts';
export { mountedRoutes } from './mounted-routes.ts';
export { boardOptionTable } from './options.ts';
export type { BoardLogger, BoardOptions, BoardUi, ResolvedOptions } from './options.ts';
export type {
  BoardRequest,
  BoardResponse,
  HookRequest,
  ReadBody,
  RequestHeaders,
} from './request/request.ts';
export { readOnlyReason, requireWritable } from './read-only.ts';
export { QueueVisibility } from './visibility.ts';
export type { VisibilityGuard } from './visibility.ts';
export { withinDepth } from './within-depth.ts';
