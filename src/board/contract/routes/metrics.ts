/** The metrics-history routes, each mounted only if the history provider supports it. */

import * as z from 'zod';

import {
  MetricsHistoryQuery,
  MetricsLatencyQuery,
  PurgeMetricsHistoryBody,
} from '../metrics-requests.ts';
import type { RouteTable } from './route.ts';
import {
  MetricsHistory,
  MetricsHistoryPurgeResult,
  MetricsHistoryUsage,
  MetricsLatencyPoint,
} from '../statistics.ts';

const read = { owner: 'shared', method: 'GET', access: 'read', success: 200 } as const;

export const metricsRoutes = {
  getMetricsHistory: {
    ...read,
    path: '/api/metrics/history',
    summary: 'Jobs completed and failed, or the age of queues, over time',
    query: MetricsHistoryQuery,
    response: MetricsHistory,
    needs: 'getHistory',
    errors: ['INVALID_DATE_RANGE', 'INVALID_GRANULARITY', 'INVALID_METRIC'],
  },
  getMetricsHistoryUsage: {
    ...read,
    path: '/api/metrics/history/usage',
    summary: 'Storage used by the recorded history',
    response: MetricsHistoryUsage,
    needs: 'getUsage',
    errors: [],
  },
  purgeMetricsHistory: {
    ...read,
    method: 'POST',
    access: 'write',
    path: '/api/metrics/history/purge',
    summary: 'Delete recorded history',
    body: PurgeMetricsHistoryBody,
    response: MetricsHistoryPurgeResult,
    needs: 'purge',
    errors: ['INVALID_QUEUE', 'INVALID_BEFORE_DATE', 'QUEUE_READ_ONLY'],
  },
  getMetricsLatency: {
    ...read,
    path: '/api/metrics/latency',
    summary: 'Percentiles of run time or waiting time',
    query: MetricsLatencyQuery,
    response: z.array(MetricsLatencyPoint),
    needs: 'getLatency',
    errors: ['INVALID_DATE_RANGE', 'INVALID_METRIC'],
  },
} as const satisfies RouteTable;
