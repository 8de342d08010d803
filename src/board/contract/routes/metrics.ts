/** The metrics-history routes, each mounted only if the history provider supports it. */

import * as z from 'zod';

import {
  ListAttentionResponse,
  MetricsAttemptsQuery,
  MetricsAttemptsResponse,
  MetricsErrorsQuery,
  MetricsErrorsResponse,
} from '../attention.ts';
import {
  MetricsHistoryQuery,
  MetricsLatencyQuery,
  PurgeMetricsHistoryBody,
} from '../metrics-requests.ts';
import { reading, type RouteTable } from './route.ts';
import { DeploymentsQuery, ListDeploymentsResponse } from './timeline.ts';
import {
  MetricsHistoryPoint,
  MetricsHistoryPurgeResult,
  MetricsHistoryUsage,
  MetricsLatencyPoint,
} from '../statistics.ts';

const series = {
  completed: z.array(MetricsHistoryPoint).optional(),
  failed: z.array(MetricsHistoryPoint).optional(),
  queueage: z.array(MetricsHistoryPoint).optional(),
};

/**
 * The requested series, in `queues` with `groupBy`. `source` tells whether a recorder counted, or the queue library,
 * whose memory is shorter.
 */
const MetricsHistory = z.object({
  ...series,
  queues: z.array(z.object({ queue: z.string(), ...series })).optional(),
  source: z.enum(['recorder', 'library']).optional(),
});

const read = reading('shared', 'history.read', 'board');

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
  },
  purgeMetricsHistory: {
    ...read,
    method: 'POST',
    access: 'write',
    action: 'history.purge',
    path: '/api/metrics/history/purge',
    summary: 'Delete recorded history',
    body: PurgeMetricsHistoryBody,
    response: MetricsHistoryPurgeResult,
    needs: 'purge',
    errors: ['INVALID_QUEUE', 'INVALID_BEFORE_DATE', 'QUEUE_READ_ONLY'],
  },
  listMetricsErrors: {
    ...read,
    path: '/api/metrics/errors',
    summary: 'Failed attempts grouped by their error, with counts per hour',
    query: MetricsErrorsQuery,
    strict: true,
    response: MetricsErrorsResponse,
    needs: 'getErrors',
    errors: ['INVALID_DATE_RANGE'],
  },
  listMetricsAttempts: {
    ...read,
    path: '/api/metrics/attempts',
    summary: 'Failed attempts of a job',
    query: MetricsAttemptsQuery,
    strict: true,
    response: MetricsAttemptsResponse,
    needs: 'getAttempts',
  },
  listAttention: {
    ...read,
    path: '/api/attention',
    summary: 'Values beyond the thresholds of the host, and since when',
    response: ListAttentionResponse,
    needs: 'attention',
  },
  listDeployments: {
    ...read,
    path: '/api/deployments',
    summary: 'Deployments that the host tells',
    query: DeploymentsQuery,
    strict: true,
    response: ListDeploymentsResponse,
    needs: 'deployments',
    errors: ['INVALID_DATE_RANGE'],
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
