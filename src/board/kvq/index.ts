/** Entry file of `src/board/kvq`: boards for the queues of BullMQ and Bull. */

export { kvqEngine, kvqOptionTable } from './engine.ts';
export type { KvqEngineFactory, KvqOptions } from './engine.ts';
export type { KvqTimeouts } from './timeouts.ts';
export { BoardQueue } from './queue/board-queue.ts';
export { QueueRegistry } from './queue/queue-registry.ts';
export { bullmqProQueue, bullmqQueue, bullQueue } from './libraries/adapters.ts';
export type { BullMqQueue } from './libraries/bullmq-types.ts';
export type { BullQueue } from './libraries/bull-types.ts';
export type {
  JobFormatters,
  JsonSchema,
  QueueOptions,
  QueueVisibilityGuard,
  ZodLike,
} from './queue/queue-options.ts';
