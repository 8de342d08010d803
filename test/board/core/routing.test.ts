/** Paths and queries of hostile clients: each gets a response, never a 5xx. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repeatable, seed, shareOf } from '../../seed.ts';
import { memoryEngine } from './memory-engine.ts';
import { applications, send, serveBoard } from './serve-board.ts';
import type { Answer, Served } from './serve-board.ts';

const api = '/admin/queues/api/pgq';

describe.each(applications)('paths under $name', (application) => {
  const engine = memoryEngine();
  let served: Served;
  beforeAll(async () => {
    served = await serveBoard(application, engine.factory);
  });
  afterAll(() => served.close());
  const get = (target: string): Promise<Answer> => send(served.port, target);

  it('take a parameter decoded once', async () => {
    const answer = await get(`${api}/queues/a%2Fb%20%25`);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).queue.name).toBe('a/b %');
    expect((await get(`${api}/queues/a%252Fb%2520%2525`)).status).toBe(404);
  });

  it.each([
    ['.', '%252E'],
    ['..', '%252e%252E'],
    ['%2E', '%25252E'],
    ['%252e', '%2525252e'],
    ['.%2E', '.%252E'],
    ['...', '...'],
  ])('have the name %s in the form %s, which no client resolves', async (name, step) => {
    engine.queues.set(name, []);
    const target = `${api}/queues/${step}`;
    expect(new URL(target, 'http://localhost').pathname).toBe(target);
    const answer = await get(target);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([200, { queue: { name } }]);
  });

  it('do not decode the names of routes', async () => {
    expect((await get(`/admin/queues/api/pgq/%71ueues`)).status).toBe(404);
    expect((await get(`/admin/queues/api/PGQ/queues`)).status).toBe(404);
  });

  it.each(['%', '%2', '%zz', '%ff', '%c3%28', '%ed%a0%80', 'a%00b'])(
    'refuse the parameter %s, whether or not it exists',
    async (queueName) => {
      const answer = await get(`${api}/queues/${queueName}`);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toEqual({
        error: { key: 'ERRORS.INVALID_QUERY_PARAM', options: { field: 'queueName' } },
        code: 'INVALID_REQUEST',
      });
    },
  );

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '%5f_proto__', '..%2f..'])(
    'know no queue %s',
    async (queueName) => {
      const answer = await get(`${api}/queues/${queueName}`);
      expect(answer.status).toBe(404);
      expect(answer.body).toBe(
        '{"error":{"key":"ERRORS.QUEUE_NOT_FOUND"},"code":"QUEUE_NOT_FOUND"}',
      );
    },
  );

  it.each([
    `/admin/queues/api/`,
    `/admin/queues/api/unknown`,
    `/admin/queues/api/__proto__`,
    `/admin/queues/api/pgq`,
    `${api}/queues/`,
    `${api}/queues//jobs`,
    `${api}/queues/mail/jobs/1/2/3/4/5/6/7/8/9`,
    `${api}/queues/mail${'/x'.repeat(2000)}`,
    `/admin/queues/api/queues`,
    `/admin/queues/api/metrics/history?from=1&to=2`,
  ])('without a route respond with 404: %s', async (target) => {
    const answer = await get(target);
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toEqual({
      error: { key: 'ERRORS.ROUTE_NOT_FOUND' },
      code: 'ROUTE_NOT_FOUND',
    });
  });

  it('outside the board are passed to the host', async () => {
    for (const target of ['/admin/queues/other', '/admin/queues/queue/a/b/c', '/elsewhere']) {
      const answer = await get(target);
      expect(answer.status).toBe(404);
      expect(answer.body).toContain('Cannot GET');
    }
  });

  it('accept only their own methods, and name them', async () => {
    const allowed = async (method: string, target: string): Promise<unknown[]> => {
      const { status, body, headers } = await send(served.port, target, { method });
      return [status, body === '' ? '' : JSON.parse(body).code, headers['allow']];
    };
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH', 'PROPFIND']) {
      expect([method, ...(await allowed(method, `${api}/queues`))]).toEqual([
        method,
        405,
        'METHOD_NOT_ALLOWED',
        'GET, HEAD, OPTIONS',
      ]);
    }
    const jobs = `${api}/queues/mail/jobs`;
    expect(await allowed('PATCH', jobs)).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'GET, HEAD, OPTIONS, POST',
    ]);
    expect(await allowed('OPTIONS', jobs)).toEqual([204, '', 'GET, HEAD, OPTIONS, POST']);
    expect(await allowed('GET', `${api}/queues/mail/delete-queued`)).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'OPTIONS, PUT',
    ]);
    expect(await allowed('OPTIONS', `${api}/nothing`)).toEqual([404, 'ROUTE_NOT_FOUND', undefined]);
  });

  it('begin with an entry that tells where the document is', async () => {
    const entry = await get('/admin/queues/api');
    expect([entry.status, JSON.parse(entry.body)]).toEqual([
      200,
      { openapi: '/admin/queues/api/openapi.json' },
    ]);
    expect((await get(JSON.parse(entry.body).openapi)).status).toBe(200);
  });

  it('respond to HEAD like GET, without the body', async () => {
    const get200 = await get(`${api}/queues`);
    const head = await send(served.port, `${api}/queues`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers['content-length']).toBe(get200.headers['content-length']);
    expect((await send(served.port, `${api}/queues/x`, { method: 'HEAD' })).status).toBe(404);
  });
});

describe.each(applications)('routes that are left out under $name', (application) => {
  it('are missing, whatever else their path has', async () => {
    const served = await serveBoard(application, memoryEngine().factory, {
      options: { readOnly: true },
    });
    const codes: unknown[] = [];
    for (const method of ['POST', 'PUT']) {
      const { status, body, headers } = await send(served.port, `${api}/queues/mail/jobs`, {
        method,
      });
      codes.push([method, status, JSON.parse(body).code, headers['allow']]);
    }
    const options = await send(served.port, `${api}/queues/mail/jobs`, { method: 'OPTIONS' });
    await served.close();
    expect(codes).toEqual([
      ['POST', 404, 'ROUTE_NOT_FOUND', undefined],
      ['PUT', 405, 'METHOD_NOT_ALLOWED', 'GET, HEAD, OPTIONS'],
    ]);
    expect(options.headers['allow']).toBe('GET, HEAD, OPTIONS');
  });
});

describe.each(applications)('query strings under $name', (application) => {
  let served: Served;
  beforeAll(async () => {
    served = await serveBoard(application, memoryEngine().factory);
  });
  afterAll(() => served.close());

  const refusals: readonly [string, string, string][] = [
    ['a value that is not UTF-8', 'limit=%ff', 'query'],
    ['half an escape', 'limit=%', 'query'],
    ['a name twice', 'limit=1&limit=2', 'limit'],
    ['too long a text', `id=${'x'.repeat(20_000)}`, 'query'],
    ['too many values', 'a&'.repeat(300), 'query'],
    ['a prototype as a value', 'state=__proto__', 'state'],
  ];
  it.each(refusals)('with %s are refused', async (_, query, field) => {
    const answer = await send(served.port, `${api}/queues/mail/jobs?${query}`);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toEqual({
      error: { key: 'ERRORS.INVALID_QUERY_PARAM', options: { field } },
      code: 'INVALID_REQUEST',
    });
  });

  it.each([
    '__proto__=1&constructor=2&toString',
    '__proto__[polluted]=1',
    'limit=&cursor=&state=',
    '&&&=&==&?',
    'a[b][c][d]=1',
    'limit=5&%6cimit=',
  ])('with unknown names are accepted: %s', async (query) => {
    const answer = await send(served.port, `${api}/queues/mail/jobs?${query}`);
    expect(answer.status).toBeLessThan(500);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('of 300 random requests never lead to a 5xx', async () => {
    const parts = [
      '/',
      '%',
      '%00',
      '%2f',
      '..',
      '?',
      '&',
      '=',
      '[',
      ']',
      ';',
      '"',
      "'",
      '<',
      'é',
      '%f0',
    ];
    let state = seed;
    const next = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % below;
    };
    await repeatable(async () => {
      for (let round = 0; round < shareOf(300); round += 1) {
        const text = Array.from({ length: 1 + next(8) }, () => parts[next(parts.length)]).join('');
        const target = encodeURI(`${api}/queues/${text}`).replaceAll('%25', '%');
        const method = ['GET', 'PUT', 'POST'][next(3)] ?? 'GET';
        const { status } = await send(served.port, target, { method });
        expect([target, status < 500]).toEqual([target, true]);
      }
    });
  });
});
