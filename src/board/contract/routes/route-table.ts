/** The table of all routes, by operation id. */

import { authRoutes } from './auth.ts';
import { kvqJobRoutes } from './kvq-jobs.ts';
import { kvqQueueRoutes } from './kvq-queues.ts';
import { liveRoutes } from './live.ts';
import { metricsRoutes } from './metrics.ts';
import { pgqOwnRoutes } from './pgq.ts';
import { kvqSearchRoutes } from './search.ts';
import { sharedRoutes } from './shared.ts';
import { reading, type RouteTable } from './route.ts';

const exporterRoutes = {
  scrapeMetrics: {
    ...reading('shared', 'queue.read', 'board'),
    path: '/metrics',
    summary: 'Numbers of all visible queues for Prometheus and OpenMetrics',
    texts: ['text/plain', 'application/openmetrics-text'],
  },
} as const satisfies RouteTable;

export const kvqRoutes = {
  ...kvqQueueRoutes,
  ...kvqJobRoutes,
  ...kvqSearchRoutes,
  ...sharedRoutes,
};

export const pgqRoutes = { ...pgqOwnRoutes, ...sharedRoutes };

export const routeTable = {
  ...kvqRoutes,
  ...liveRoutes.kvq,
  ...metricsRoutes,
  ...pgqRoutes,
  ...liveRoutes.pgq,
  ...exporterRoutes,
  ...authRoutes,
};

/** The name of an engine: `kvq` for BullMQ and Bull on Redis, `pgq` for pg-boss on PostgreSQL. */
export type EngineName = 'kvq' | 'pgq';

/** The routes of each engine. */
export interface EngineRoutes {
  readonly kvq: typeof kvqRoutes;
  readonly pgq: typeof pgqRoutes;
}

export const engineRoutes: EngineRoutes = { kvq: kvqRoutes, pgq: pgqRoutes };

export { authRoutes, liveRoutes, metricsRoutes, exporterRoutes, sharedRoutes };
