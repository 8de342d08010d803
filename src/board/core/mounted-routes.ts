/** Selects the rows of the route table that a board serves. */

import { engineRoutes, liveRoutes, metricsRoutes, numbersRoutes } from '../contract/index.ts';
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
  /** Whether monitoring systems may read numbers. Default false. */
  readonly numbers?: boolean;
}

/** The mounted routes of the engine and of the metrics history. */
export function mountedRoutes({
  engine,
  readOnly,
  history,
  keepsHistory = false,
  live = true,
  numbers = false,
}: Mounting): RouteTable {
  const rows: [string, Route][] = [
    ...Object.entries<Route>(engineRoutes[engine]),
    ...Object.entries<Route>(metricsRoutes),
    ...(numbers ? Object.entries<Route>(numbersRoutes) : []),
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
