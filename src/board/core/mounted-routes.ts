/** Selects the rows of the route table that a board serves. */

import { engineRoutes, liveRoutes, metricsRoutes, exporterRoutes } from '../contract/index.ts';
import type { EngineName, HistoryCapability, Route, RouteTable } from '../contract/index.ts';

/** The properties of a board that decide which routes are mounted. */
export interface Mounting {
  readonly engine: EngineName;
  readonly readOnly: boolean;
  /** Capabilities of the history provider; empty without one. */
  readonly history: ReadonlySet<HistoryCapability>;
  /** Whether the history cannot be deleted, because every queue is read-only. Default false. */
  readonly keepsHistory?: boolean;
  /** Whether changes are told as they happen. Default true. */
  readonly live?: boolean;
  /** Whether monitoring systems may read the exporter. Default false. */
  readonly exporter?: boolean;
}

/** The mounted routes of the engine and of the metrics history. */
export function mountedRoutes({
  engine,
  readOnly,
  history,
  keepsHistory = false,
  live = true,
  exporter = false,
}: Mounting): RouteTable {
  const rows: [string, Route][] = [
    ...Object.entries<Route>(engineRoutes[engine]),
    ...Object.entries<Route>(metricsRoutes),
    ...(exporter ? Object.entries<Route>(exporterRoutes) : []),
    ...(live ? Object.entries<Route>(liveRoutes[engine]) : []),
  ];
  return Object.fromEntries(
    rows.filter(
      ([, route]) =>
        (!route.needs || history.has(route.needs)) &&
        (route.needs !== 'purge' || !keepsHistory) &&
        (route.access === 'read' || !readOnly),
    ),
  );
}
