/** Selects the rows of the route table that a board serves. */

import { engineRoutes, metricsRoutes } from '../contract/index.ts';
import type { EngineName, HistoryCapability, Route, RouteTable } from '../contract/index.ts';

/** The properties of a board that decide which routes are mounted. */
export interface Mounting {
  readonly engine: EngineName;
  readonly readOnly: boolean;
  /** Capabilities of the history provider; empty without one. */
  readonly history: ReadonlySet<HistoryCapability>;
}

/** The mounted routes of the engine and of the metrics history. */
export function mountedRoutes({ engine, readOnly, history }: Mounting): RouteTable {
  const rows: [string, Route][] = [
    ...Object.entries<Route>(engineRoutes[engine]),
    ...Object.entries<Route>(metricsRoutes),
  ];
  return Object.fromEntries(
    rows.filter(
      ([, route]) =>
        (!route.needs || history.has(route.needs)) && (route.access === 'read' || !readOnly),
    ),
  );
}
