/** Public interface of `test/services`: finds or starts database servers and Redis for tests. */

export { dockerAnswers } from './docker.ts';
export { findMysql, startMysqlImage } from './mysql.ts';
export { findPostgresql } from './postgresql.ts';
export { findRedis } from './redis.ts';
export { scratchDatabase } from './scratch-database.ts';
export type { Scratch, ScratchDatabase } from './scratch-database.ts';
export { everyServiceRequired } from './service.ts';
export type { MissingService, Service, ServiceName } from './service.ts';
