/** Entry file of `sluice/board`: boards for job queues. */

export { createBoard } from './create-board.ts';
export type { KvqBoard, KvqBoardConfig, PgqBoardConfig } from './create-board.ts';
export { openApiDocument } from './openapi.ts';
export { ExpressAdapter } from '../http/express/board.ts';
export { BoardError } from './core/index.ts';
export type {
  Board,
  BoardErrorParams,
  BoardLogger,
  BoardOptions,
  BoardRequest,
  BoardResponse,
  BoardUi,
  HandlerHooks,
  HookContext,
  HookDecision,
  HookRequest,
  HookResult,
  ServedBoard,
  ServerAdapter,
  VisibilityGuard,
} from './core/index.ts';
export type { EngineName, ErrorKey, OpenApiDocument } from './contract/index.ts';
export type { PgqOptions } from './pgq/index.ts';
export { bullmqProQueue, bullmqQueue, bullQueue } from './kvq/index.ts';
export type {
  BoardQueue,
  BullMqQueue,
  BullQueue,
  JobFormatters,
  JsonSchema,
  KvqTimeouts,
  QueueOptions,
  QueueVisibilityGuard,
  ZodLike,
} from './kvq/index.ts';
