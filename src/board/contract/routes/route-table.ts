/** The table of all routes, by operation id. */

import { authRoutes } from './auth.ts';
import { kvqJobRoutes } from './kvq-jobs.ts';
import { kvqQueueRoutes } from './kvq-queues.ts';
import { metricsRoutes } from './metrics.ts';
import { pgqRoutes } from './pgq.ts';
import { kvqSearchRoutes } from './search.ts';

export const kvqRoutes = { ...kvqQueueRoutes, ...kvqJobRoutes, ...kvqSearchRoutes };

export const routeTable = { ...kvqRoutes, ...metricsRoutes, ...pgqRoutes, ...authRoutes };

/** The routes of each engine. */
export interface EngineRoutes {
  readonly kvq: typeof kvqRoutes;
  readonly pgq: typeof pgqRoutes;
}

/** The name of an engine: `kvq` for BullMQ and Bull on Redis, `pgq` for pg-boss on PostgreSQL. */
export type EngineName = keyof EngineRoutes;

export const engineRoutes: EngineRoutes = { kvq: kvqRoutes, pgq: pgqRoutes };

export { authRoutes, metricsRoutes, pgqRoutes };
