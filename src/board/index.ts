/** The names of `sluice/board`, without mounts. */

export { createBoard } from './create-board.ts';
export type {
  Boards,
  BoardsConfig,
  KvqBoard,
  KvqBoardConfig,
  KvqPart,
  PgqBoardConfig,
  PgqPart,
} from './create-board.ts';
export { openApiDocument } from './openapi.ts';
export type { MetricFamily, MetricSample } from './core/index.ts';
export type {
  Board,
  BoardBody,
  BoardEvent,
  BoardLogger,
  BoardOptions,
  BoardRequest,
  BoardResponse,
  BoardLink,
  BoardLogo,
  BoardUi,
  DateFormats,
  FetchMount,
  Grant,
  HandlerHooks,
  AttentionChange,
  AttentionOptions,
  Deployment,
  Deployments,
  HistoryProvider,
  HookContext,
  HookDecision,
  HookRequest,
  HookResult,
  MiscLink,
  Permissions,
  PermissionsOf,
  ServedBoard,
  ServerAdapter,
  VisibilityGuard,
} from './core/index.ts';
export type {
  BoardAction,
  BulkRun,
  EngineName,
  ErrorKey,
  OpenApiDocument,
} from './contract/index.ts';
export type { JobScope, PgqFormatters, PgqOptions, PgqValueOwner } from './pgq/index.ts';
export {
  QueueAdapter,
  WritableQueueAdapter,
  bullmqProQueue,
  bullmqQueue,
  bullQueue,
  customQueue,
  queueAdapterCases,
} from './kvq/index.ts';
export type {
  AdapterCase,
  AdapterJob,
  AdapterNewJob,
  AdapterOutcome,
  JobFits,
  LocatedAdapterJob,
  OpenedAdapter,
  BoardQueue,
  BullMqQueue,
  BullQueue,
  JobFormatters,
  JsonSchema,
  KvqTimeouts,
  QueueOptions,
  ZodLike,
} from './kvq/index.ts';
