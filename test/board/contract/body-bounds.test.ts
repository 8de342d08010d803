/** Every limit of a body: the largest value is accepted, and one beyond it refused with the place. */

import { expect, it } from 'vitest';
import { maxRunIds } from '../../../src/board/contract/index.ts';
import { ask } from './echo-board.ts';

const text = (length: number): string => 'x'.repeat(length);
const list = <Item>(length: number, item: Item): Item[] => Array.from({ length }, () => item);

const run = { queueName: 'q', action: 'retry' };
const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}`);
const conditions = (count: number, value = 'v'): object =>
  Object.fromEntries(ids(count).map((name) => [name, value]));

type Limit = readonly [
  method: string,
  path: string,
  body: (beyond: 0 | 1) => object,
  refusal: string | { readonly key: string },
];

const schedulers = '/api/queues/q/job-schedulers';
const every = { id: 'tick', every: 1_000 };

const limits: readonly Limit[] = [
  ['POST', '/api/bulk', (n) => ({ ...run, ids: ids(maxRunIds + n) }), 'ids'],
  ['POST', '/api/bulk', (n) => ({ ...run, ids: [text(1_000 + n)] }), 'ids.0'],
  ['POST', '/api/bulk', (n) => ({ ...run, queueName: text(1_024 + n), ids: ['1'] }), 'queueName'],
  [
    'POST',
    '/api/bulk',
    (n) => ({ ...run, ids: ['1', '2'], expectedState: list(2 + n, 'failed') }),
    'expectedState',
  ],
  [
    'POST',
    '/api/bulk',
    (n) => ({ ...run, ids: ids(maxRunIds), expectedState: list(maxRunIds + n, 'failed') }),
    'expectedState',
  ],
  [
    'POST',
    '/api/bulk',
    (n) => ({ ...run, ids: ids(maxRunIds), ifUnchanged: list(maxRunIds + n, 'v') }),
    'ifUnchanged',
  ],
  [
    'POST',
    '/api/bulk',
    (n) => ({ ...run, ids: ['1', '2'], ifUnchanged: list(2 + n, null) }),
    'ifUnchanged',
  ],
  [
    'POST',
    '/api/bulk',
    (n) => ({ ...run, ids: ['1'], ifUnchanged: [text(100 + n)] }),
    'ifUnchanged.0',
  ],
  ['POST', '/api/bulk', (n) => ({ ...run, filter: conditions(50 + n) }), 'filter'],
  ['POST', '/api/bulk', (n) => ({ ...run, filter: { name: text(8_192 + n) } }), 'filter.name'],
  [
    'POST',
    '/api/bulk',
    (n) => ({ ...run, filter: { [text(500 + n)]: 'v' } }),
    `filter.${text(93)}`,
  ],
  ['PUT', '/api/queues/pause', (n) => ({ queues: [], reason: text(200 + n) }), 'reason'],
  ['POST', `${schedulers}/preview`, (n) => ({ every: 1_000, count: 20 + n }), 'count'],
  [
    'POST',
    `${schedulers}/preview`,
    (n) => ({ pattern: text(1_000 + n) }),
    { key: 'INVALID_SCHEDULER_PATTERN' },
  ],
  ['POST', `${schedulers}/preview`, (n) => ({ every: 1_000, tz: text(255 + n) }), 'tz'],
  [
    'POST',
    `${schedulers}/preview`,
    (n) => ({ every: 1_000, startDate: 99_999_999_999_999 + n }),
    'startDate',
  ],
  [
    'POST',
    `${schedulers}/preview`,
    (n) => ({ every: 1e13 + n }),
    { key: 'INVALID_SCHEDULER_INTERVAL' },
  ],
  [
    'POST',
    `${schedulers}/preview`,
    (n) => ({ every: 1_000, limit: 2_147_483_647 + n }),
    { key: 'INVALID_SCHEDULER_LIMIT' },
  ],
  [
    'POST',
    `${schedulers}/preview`,
    (n) => ({ every: 1_000, endDate: 8.64e15 + n }),
    { key: 'INVALID_SCHEDULER_END_DATE' },
  ],
  ['POST', schedulers, (n) => ({ ...every, id: text(500 + n) }), 'id'],
  ['POST', schedulers, (n) => ({ ...every, name: text(500 + n) }), 'name'],
  ['POST', schedulers, (n) => ({ ...every, tz: text(255 + n) }), 'tz'],
  [
    'PATCH',
    `${schedulers}/s`,
    (n) => ({ pattern: text(1_000 + n) }),
    { key: 'INVALID_SCHEDULER_PATTERN' },
  ],
  ['PATCH', `${schedulers}/s`, (n) => ({ every: 1_000, tz: text(255 + n) }), 'tz'],
  [
    'POST',
    '/api/pgq/schedules/preview',
    (n) => ({ expression: '@daily', tz: text(255 + n) }),
    'tz',
  ],
  ['POST', '/api/pgq/schedules/preview', (n) => ({ expression: '@daily', count: 20 + n }), 'count'],
  ['PUT', '/api/pgq/queues/q/schedules', (n) => ({ cron: '@daily', tz: text(255 + n) }), 'tz'],
  ['PUT', '/api/pgq/queues/q/schedules', (n) => ({ cron: '@daily', key: text(1_024 + n) }), 'key'],
];

it.each(limits)('%s %s, case %$', async (method, path, body, refusal) => {
  expect((await ask(method, path, body(0))).status).toBe(200);
  const { status, body: answer } = await ask(method, path, body(1));
  const isField = typeof refusal === 'string';
  expect([status, answer['code'], answer['error']]).toEqual([
    400,
    'INVALID_REQUEST',
    isField
      ? { key: 'ERRORS.INVALID_REQUEST_BODY', options: { field: refusal } }
      : { key: `ERRORS.${refusal.key}` },
  ]);
});
