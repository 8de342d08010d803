/** Entry file of `src/board/kvq`: boards for the queues of BullMQ and Bull. */

export { kvqEngine, kvqOptionTable } from './engine.ts';
export type { KvqEngineFactory, KvqOptions } from './engine.ts';
export type { KvqTimeouts } from './timeouts.ts';
export { BoardQueue } from './queue/board-queue.ts';
export { QueueRegistry } from './queue/queue-registry.ts';
export { QueueAdapter, WritableQueueAdapter } from './custom/queue-adapter.ts';
export type { AdapterNewJob, AdapterOutcome, JobFits } from './custom/queue-adapter.ts';
export type { AdapterJob, LocatedAdapterJob } from './custom/adapter-job.ts';
export { queueAdapterCases } from './custom/adapter-cases.ts';
export type { AdapterCase, OpenedAdapter } from './custom/adapter-cases.ts';
export { bullmqProQueue, bullmqQueue, bullQueue } from './libraries/adapters.ts';
export type { BullMqQueue } from './libraries/bullmq-types.ts';
export type { BullQueue } from './libraries/bull-types.ts';
export { checkQueueOptions } from './queue/queue-options.ts';
export type { JobFormatters, JsonSchema, QueueOptions, ZodLike } from './queue/queue-options.ts';
export { isUnavailable } from './errors/unavailable.ts';
export type { RedisClient } from './redis/connect/client.ts';
export { sendScripts } from './redis/connect/queue-connection.ts';
export { defineScript } from './redis/connect/script.ts';
export type { Script } from './redis/connect/script.ts';
export { customQueue } from './custom/custom-driver.ts';
