/** Public interface of `test/services`: finds or starts database servers and Redis for tests. */

export { findEmbeddedPostgresql, findFurtherMysql } from './further.ts';
export { findMysql, startMysqlImage } from './mysql.ts';
export { findPostgresql, startPostgresqlImage } from './postgresql.ts';
export { findRedis } from './redis.ts';
export { filledDatabase } from './filled-database.ts';
export { onCurrentMysql, onMysql, onPostgresql, scratchDatabase } from './scratch-database.ts';
export type { Scratch, ScratchDatabase } from './scratch-database.ts';
export { everyServiceRequired } from './service.ts';
export type { MissingService, Service, ServiceName } from './service.ts';
