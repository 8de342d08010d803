/** The route that monitoring systems read numbers from. */

import type { RouteTable } from './route.ts';

export const numbersRoutes = {
  scrapeMetrics: {
    owner: 'shared',
    method: 'GET',
    access: 'read',
    action: 'queue.read',
    target: 'board',
    path: '/metrics',
    summary: 'Numbers of all visible queues for Prometheus and OpenMetrics',
    success: 200,
    texts: ['text/plain', 'application/openmetrics-text'],
    errors: [],
  },
} as const satisfies RouteTable;
