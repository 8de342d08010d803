/** Accepted and refused requests, and the error key of each refusal; no error repeats the input. */

import { describe, expect, expectTypeOf, it } from 'vitest';
import type { EngineHandlers } from '../../../src/board/core/index.ts';
import { engineRoutes } from '../../../src/board/contract/index.ts';
import type { Route, RouteResult } from '../../../src/board/contract/index.ts';
import { ask } from './echo-board.ts';

const uuid = '0190c3a5-0000-7000-8000-00000000abcd';
const later = Date.now() + 3_600_000;

const taken: readonly [string, string, unknown, object][] = [
  ['GET', '/api/queues', undefined, { query: { page: 1, jobsPerPage: 10 } }],
  [
    'GET',
    '/api/queues?page=2&jobsPerPage=1000&status=latest&activeQueue=a%25b+c',
    undefined,
    { query: { page: 2, jobsPerPage: 1000, status: 'latest', activeQueue: 'a%b c' } },
  ],
  ['GET', '/api/queues?page=&status=', undefined, { query: { page: 1, jobsPerPage: 10 } }],
  [
    'GET',
    '/api/queues/q/7/flow?depth=99&maxChildren=x&root=other',
    undefined,
    { query: { depth: 20, maxChildren: 20 } },
  ],
  [
    'GET',
    '/api/queues/q/7/flow?depth=0&maxChildren=5&root=node&depth=3',
    undefined,
    { query: { depth: 10, maxChildren: 5, root: 'node' } },
  ],
  ['GET', '/api/queues/q/metrics', undefined, { operation: 'getQueueMetrics' }],
  [
    'GET',
    '/api/queues/q/7',
    undefined,
    { operation: 'getJob', params: { queueName: 'q', jobId: '7' } },
  ],
  ['PUT', '/api/queues/pause', undefined, { operation: 'pauseQueues', body: {} }],
  ['PUT', '/api/queues/resume', { queues: ['q'] }, { body: { queues: ['q'] } }],
  ['PUT', '/api/queues/retry/retry/retry', undefined, { operation: 'retryJobs' }],
  ['PUT', '/api/queues/q/7/retry', undefined, { operation: 'retryJob' }],
  ['PUT', '/api/queues/q/rate-limit/release', undefined, { operation: 'releaseQueueRateLimit' }],
  ['POST', '/api/queues/q/add', undefined, { body: { name: '', options: {} } }],
  [
    'POST',
    '/api/queues/q/add',
    { name: 'n', data: [1], options: { delay: 1, more: true } },
    { body: { name: 'n', data: [1], options: { delay: 1, more: true } } },
  ],
  ['PUT', '/api/queues/q/concurrency', { concurrency: 0 }, { body: { concurrency: 0 } }],
  ['PUT', '/api/queues/q/rate-limit', undefined, { body: {} }],
  ['PUT', '/api/queues/q/rate-limit', { max: null, duration: 'x' }, { body: { max: null } }],
  ['PUT', '/api/queues/q/rate-limit', { max: 1, duration: 2 }, { body: { max: 1, duration: 2 } }],
  ['PATCH', '/api/queues/q/7/update-data', { jobData: null }, { body: { jobData: null } }],
  ['PATCH', '/api/queues/q/7/priority', { priority: 2_097_151 }, { body: { priority: 2_097_151 } }],
  ['PATCH', '/api/queues/q/job-schedulers/s', { every: '500' }, { body: { every: '500' } }],
  [
    'PATCH',
    '/api/queues/q/job-schedulers/s',
    { pattern: '* * * * *', every: null, endDate: later, limit: null },
    { body: { pattern: '* * * * *', every: null, endDate: later, limit: null } },
  ],
  ['GET', '/api/pgq/queues/q/depth', undefined, { query: { range: '24h', aggregate: 'max' } }],
  [
    'GET',
    '/api/pgq/queues/q/jobs',
    undefined,
    { query: { limit: 20, order: 'desc', brief: false } },
  ],
  [
    'GET',
    `/api/pgq/queues/q/jobs?limit=100&order=asc&state=failed&id=${uuid}&filter[priority]=1&_=7`,
    undefined,
    { query: { limit: 100, order: 'asc', state: 'failed', id: uuid, brief: false } },
  ],
  [
    'GET',
    '/api/pgq/warnings?type=slow_query',
    undefined,
    { query: { limit: 25, type: 'slow_query' } },
  ],
  ['PUT', '/api/pgq/queues/q/jobs/retry', { ids: [uuid] }, { operation: 'retryPgqJobs' }],
  ['PUT', '/api/pgq/queues/q/jobs/retry/retry', undefined, { operation: 'retryPgqJob' }],
  [
    'POST',
    '/api/pgq/queues/q/jobs',
    { data: { a: 1 }, options: { priority: -1, startAfter: 30 } },
    { body: { data: { a: 1 }, options: { priority: -1, startAfter: 30 } } },
  ],
  ['POST', '/api/pgq/queues/q/jobs', { options: { startAfter: '2030-01-01T00:00:00+02:00' } }, {}],
  ['POST', '/api/pgq/schedules/preview', { expression: '@daily' }, { body: { count: 5 } }],
  [
    'PUT',
    '/api/pgq/queues/q/schedules',
    { cron: '* * * * *', missed: 'once' },
    { body: { key: '', cron: '* * * * *', tz: 'UTC', missed: 'once' } },
  ],
  ['PUT', '/api/pgq/queues/q/schedules/remove', undefined, { body: { key: '' } }],
];

/** Sent as a value, so that it is easily found in a response. */
const mark = 'Xy7Secret';

const refused: readonly [string, string, unknown, string, object?][] = [
  ['GET', `/api/queues?page=${mark}`, undefined, 'INVALID_QUERY_PARAM', { field: 'page' }],
  ['GET', '/api/queues?page=0', undefined, 'INVALID_QUERY_PARAM', { field: 'page' }],
  ['GET', '/api/queues?page=1e2', undefined, 'INVALID_QUERY_PARAM', { field: 'page' }],
  ['GET', '/api/queues?page=1&page=2', undefined, 'INVALID_QUERY_PARAM', { field: 'page' }],
  [
    'GET',
    '/api/queues?jobsPerPage=1001',
    undefined,
    'INVALID_QUERY_PARAM',
    { field: 'jobsPerPage' },
  ],
  ['GET', `/api/queues?status=${mark}`, undefined, 'INVALID_QUERY_PARAM', { field: 'status' }],
  ['GET', '/api/queues?status=constructor', undefined, 'INVALID_QUERY_PARAM', { field: 'status' }],
  ['GET', '/api/queues?activeQueue=%ff', undefined, 'INVALID_QUERY_PARAM', { field: 'query' }],
  ['POST', '/api/queues/q/add', { name: 7 }, 'INVALID_REQUEST_BODY', { field: 'name' }],
  ['POST', '/api/queues/q/add', [], 'INVALID_REQUEST_BODY', { field: 'body' }],
  ['POST', '/api/queues/q/add', null, 'INVALID_REQUEST_BODY', { field: 'body' }],
  ['POST', '/api/queues/q/add', mark, 'INVALID_REQUEST_BODY', { field: 'body' }],
  [
    'POST',
    '/api/bulk',
    { queueName: 'q', action: 'remove' },
    'INVALID_REQUEST_BODY',
    { field: 'filter' },
  ],
  [
    'POST',
    '/api/bulk',
    { queueName: 'q', action: 'remove', filter: {} },
    'INVALID_REQUEST_BODY',
    { field: 'all' },
  ],
  [
    'POST',
    '/api/bulk',
    { queueName: 'q', action: 'remove', filter: { ignoreCase: 'true' } },
    'INVALID_REQUEST_BODY',
    { field: 'all' },
  ],
  ['PUT', '/api/queues/q/concurrency', {}, 'INVALID_CONCURRENCY'],
  ['PUT', '/api/queues/q/concurrency', { concurrency: 1.5 }, 'INVALID_CONCURRENCY'],
  ['PUT', '/api/queues/q/concurrency', { concurrency: -1 }, 'INVALID_CONCURRENCY'],
  ['PUT', '/api/queues/q/rate-limit', { max: 0, duration: 1 }, 'INVALID_RATE_LIMIT'],
  ['PUT', '/api/queues/q/rate-limit', { max: 1 }, 'INVALID_RATE_LIMIT'],
  ['PUT', '/api/queues/q/obliterate', { force: mark }, 'INVALID_REQUEST_BODY', { field: 'force' }],
  ['PATCH', '/api/queues/q/7/update-data', {}, 'INVALID_REQUEST_BODY', { field: 'jobData' }],
  ['PATCH', '/api/queues/q/7/delay', { runAt: mark }, 'INVALID_RUN_AT'],
  ['PATCH', '/api/queues/q/7/delay', undefined, 'INVALID_RUN_AT'],
  [
    'PATCH',
    '/api/queues/q/7/priority',
    { priority: 2_097_152 },
    'INVALID_PRIORITY',
    { max: 2_097_151 },
  ],
  ['PATCH', '/api/queues/q/7/priority', {}, 'INVALID_PRIORITY', { max: 2_097_151 }],
  ['PATCH', '/api/queues/q/job-schedulers/s', {}, 'INVALID_SCHEDULER_SCHEDULE'],
  [
    'PATCH',
    '/api/queues/q/job-schedulers/s',
    { pattern: '* * * * *', every: 5 },
    'INVALID_SCHEDULER_SCHEDULE',
  ],
  ['PATCH', '/api/queues/q/job-schedulers/s', { pattern: '  ' }, 'INVALID_SCHEDULER_SCHEDULE'],
  ['PATCH', '/api/queues/q/job-schedulers/s', { every: mark }, 'INVALID_SCHEDULER_INTERVAL'],
  ['PATCH', '/api/queues/q/job-schedulers/s', { every: 0 }, 'INVALID_SCHEDULER_INTERVAL'],
  ['PATCH', '/api/queues/q/job-schedulers/s', { every: 1, limit: 0 }, 'INVALID_SCHEDULER_LIMIT'],
  [
    'PATCH',
    '/api/queues/q/job-schedulers/s',
    { every: 1, endDate: 1 },
    'INVALID_SCHEDULER_END_DATE',
  ],
  [
    'PATCH',
    '/api/queues/q/job-schedulers/s',
    { every: 1, endDate: '' },
    'INVALID_SCHEDULER_END_DATE',
  ],
  ['PATCH', '/api/queues/q/job-schedulers/s', { pattern: 5 }, 'INVALID_SCHEDULER_PATTERN'],
  ['GET', '/api/pgq/queues/q/depth?range=2h', undefined, 'INVALID_QUERY_PARAM', { field: 'range' }],
  [
    'GET',
    '/api/pgq/queues/q/depth?aggregate=sum',
    undefined,
    'INVALID_QUERY_PARAM',
    { field: 'aggregate' },
  ],
  ['GET', '/api/pgq/queues/q/jobs?limit=101', undefined, 'INVALID_QUERY_PARAM', { field: 'limit' }],
  ['GET', '/api/pgq/queues/q/jobs?limit=0', undefined, 'INVALID_QUERY_PARAM', { field: 'limit' }],
  ['GET', `/api/pgq/queues/q/jobs?id=${mark}`, undefined, 'INVALID_QUERY_PARAM', { field: 'id' }],
  ['GET', '/api/pgq/queues/q/jobs?order=up', undefined, 'INVALID_QUERY_PARAM', { field: 'order' }],
  [
    'GET',
    '/api/pgq/queues/q/jobs?singletonKey=%00',
    undefined,
    'INVALID_QUERY_PARAM',
    { field: 'singletonKey' },
  ],
  [
    'GET',
    `/api/pgq/warnings?type=${'w'.repeat(65)}`,
    undefined,
    'INVALID_QUERY_PARAM',
    { field: 'type' },
  ],
  ['PUT', '/api/pgq/queues/q/jobs/retry', { ids: [] }, 'PGQ_BULK_LIMIT', { max: 100 }],
  ['PUT', '/api/pgq/queues/q/jobs/retry', {}, 'PGQ_BULK_LIMIT', { max: 100 }],
  ['PUT', '/api/pgq/queues/q/jobs/retry', { ids: mark }, 'PGQ_BULK_LIMIT', { max: 100 }],
  [
    'PUT',
    '/api/pgq/queues/q/jobs/cancel',
    { ids: Array.from({ length: 101 }, () => uuid) },
    'PGQ_BULK_LIMIT',
    { max: 100 },
  ],
  [
    'PUT',
    '/api/pgq/queues/q/jobs/remove',
    { ids: [uuid, mark] },
    'INVALID_REQUEST_BODY',
    { field: 'ids.1' },
  ],
  [
    'POST',
    '/api/pgq/queues/q/jobs',
    { options: { priority: 2 ** 31 } },
    'INVALID_REQUEST_BODY',
    { field: 'options.priority' },
  ],
  [
    'POST',
    '/api/pgq/queues/q/jobs',
    { options: { startAfter: mark } },
    'INVALID_REQUEST_BODY',
    { field: 'options.startAfter' },
  ],
  ['POST', '/api/pgq/queues/q/jobs', { data: 'a\0' }, 'INVALID_REQUEST_BODY', { field: 'data' }],
  [
    'POST',
    '/api/pgq/queues/q/jobs',
    { data: { deep: [{ '\ud800': 1 }] } },
    'INVALID_REQUEST_BODY',
    { field: 'data' },
  ],
  ['POST', '/api/pgq/schedules/preview', {}, 'INVALID_REQUEST_BODY', { field: 'expression' }],
  ['POST', '/api/pgq/schedules/preview', { expression: ' ' }, 'PGQ_INVALID_SCHEDULE'],
  [
    'POST',
    '/api/pgq/schedules/preview',
    { expression: '@daily', count: 21 },
    'INVALID_REQUEST_BODY',
    { field: 'count' },
  ],
  [
    'PUT',
    '/api/pgq/queues/q/schedules',
    { cron: '* * * * *', missed: mark },
    'PGQ_INVALID_SCHEDULE',
  ],
];

describe('valid requests', () => {
  it.each(taken)('%s %s %j', async (method, target, body, expected) => {
    const answer = await ask(method, target, body);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject(expected);
    const { query } = expected as { query?: object };
    if (query) expect(answer.body['query']).toEqual(query);
  });
});

describe('invalid requests', () => {
  it.each(refused)('%s %s %j: %s', async (method, target, body, key, options) => {
    const answer = await ask(method, target, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: { key: `ERRORS.${key}`, ...(options && { options }) },
      code: 'INVALID_REQUEST',
    });
    expect(JSON.stringify(answer.body)).not.toContain(mark);
  });
});

describe('commands that take no conditions', () => {
  it('refuse parameters, so that none is taken for a condition', async () => {
    const strict = Object.values(engineRoutes)
      .flatMap((routes) => Object.entries<Route>(routes))
      .filter(
        ([, { access, strict: refuses, filters }]) => access === 'write' && refuses && !filters,
      );
    expect(strict.map(([operation]) => operation)).toEqual(
      expect.arrayContaining(['emptyQueue', 'obliterateQueue', 'deleteStoredPgqJobs', 'startBulk']),
    );
    for (const [operation, { method, path }] of strict) {
      for (const param of ['filter', 'filter[state]', 'filter[data.user][eq]', 'status', 'limit']) {
        const target = path.replaceAll(/\{\w+\}/g, 'failed');
        const answer = await ask(method, `${target}?${encodeURIComponent(param)}=failed`);
        expect([operation, answer]).toEqual([
          operation,
          {
            status: 400,
            body: {
              error: { key: 'ERRORS.INVALID_QUERY_PARAM', options: { field: param } },
              code: 'INVALID_REQUEST',
            },
          },
        ]);
      }
    }
  });
});

describe('metrics routes', () => {
  it('are not mounted without a history provider', async () => {
    for (const [method, path] of [
      ['GET', '/api/metrics/history'],
      ['GET', '/api/metrics/history/usage'],
      ['POST', '/api/metrics/history/purge'],
      ['GET', '/api/metrics/latency'],
    ] as const) {
      expect((await ask(method, path)).status).toBe(404);
    }
  });
});

describe('handler types', () => {
  it('follow from the route table', () => {
    type Handlers = EngineHandlers<'pgq'>;
    type Jobs = Parameters<Handlers['listPgqJobs']>[0];
    expectTypeOf<Jobs['query']['limit']>().toEqualTypeOf<number>();
    expectTypeOf<Jobs['params']['queueName']>().toEqualTypeOf<string>();
    expectTypeOf<Jobs['body']>().toEqualTypeOf<undefined>();
    expectTypeOf<Parameters<Handlers['retryPgqJobs']>[0]['body']>().toEqualTypeOf<{
      ids: string[];
    }>();
    expectTypeOf<RouteResult<(typeof engineRoutes)['kvq']['retryJob']>>().toEqualTypeOf<void>();
    expectTypeOf<Route['path']>().not.toBeAny();
    expectTypeOf<keyof EngineHandlers<'kvq'>>().toEqualTypeOf<keyof (typeof engineRoutes)['kvq']>();
  });
});
