/** Entry file of `sluice/metrics`: records the history of queues, and serves it to boards. */

export { MetricsRecorder } from './recorder.ts';
export type { WatchedWorker } from './attempts.ts';
export type { MetricsRecorderOptions } from './recorder.ts';
export { metricsHistoryProvider } from './provider.ts';
export type { MetricsHistoryProvider } from './provider.ts';
export { kvqLibraryHistoryProvider } from './library/bullmq.ts';
export type { KvqLibraryHistoryProvider } from './library/bullmq.ts';
export { pgqLibraryHistoryProvider } from './library/pgq.ts';
export type { PgqLibraryHistoryProvider } from './library/pgq.ts';
export { pgqMetricsSources } from './sources/pgq.ts';
export type { PgqMetricsOptions } from './sources/pgq.ts';
export { redisMetricsStore } from './redis/store.ts';
export type { MetricsRedis, RedisMetricsStoreOptions } from './redis/store.ts';
export { metricsMigration, sqlMetricsStore } from './sql/store.ts';
export type { MetricsPool, SqlMetricsStoreOptions, SqlMetricsTables } from './sql/store.ts';
export type { MetricsHistoryOptions, MetricsRetention } from './model/retention.ts';
export type { MetricsSource } from './model/source.ts';
export type { MetricsStore } from './model/store.ts';
