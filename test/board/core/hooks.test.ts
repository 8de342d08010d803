/** Hooks and visibility guards: their input, when they run, and that hidden queues look like missing ones. */

import { afterEach, describe, expect, it } from 'vitest';
import { BoardError } from '../../../src/board/core/index.ts';
import type {
  BoardOptions,
  HandlerHooks,
  HookContext,
  HookDecision,
} from '../../../src/board/core/index.ts';
import { memoryEngine } from './memory-engine.ts';
import type { MemoryEngineOptions } from './memory-engine.ts';
import { applications, send, serveBoard } from './serve-board.ts';
import type { Served } from './serve-board.ts';

const api = '/admin/queues/api/pgq';

const open: Served[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((served) => served.close()));
});

describe.each(applications)('hooks under $name', (application) => {
  async function serve(options: BoardOptions, engineOptions?: MemoryEngineOptions) {
    const engine = memoryEngine(engineOptions);
    const served = await serveBoard(application, engine.factory, { options });
    open.push(served);
    return { engine, port: served.port, log: served.log };
  }

  it('see the route, the raw request before and the validated one after', async () => {
    const seen: unknown[] = [];
    const note =
      (when: string) =>
      ({ method, route, request }: HookContext): undefined => {
        const { params, query, body, headers, queues, native } = request;
        seen.push({
          when,
          method,
          route,
          params,
          query: { ...(query as object) },
          body,
          agent: headers['x-agent'],
          queues: queues.size,
          same: (native as { url?: string }).url?.includes('/api/pgq') ?? false,
        });
        return undefined;
      };
    const { port } = await serve({
      handlerHooks: { before: note('before'), after: note('after') },
    });
    await send(port, `${api}/schedules/preview?q=1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-agent': 'me' },
      body: '{"expression":"@daily","more":1}',
    });
    const both = {
      method: 'post',
      route: '/api/pgq/schedules/preview',
      params: {},
      query: { q: '1' },
      agent: 'me',
      queues: 0,
      same: true,
    };
    expect(seen).toEqual([
      { ...both, when: 'before', body: { expression: '@daily', more: 1 } },
      { ...both, when: 'after', body: { expression: '@daily', count: 5 } },
    ]);
    await send(port, `${api}/queues/a%2Fb%20%25/jobs/7/remove`, { method: 'PUT' });
    expect(seen[2]).toMatchObject({
      method: 'put',
      route: '/api/pgq/queues/:queueName/jobs/:jobId/remove',
      params: { queueName: 'a/b %', jobId: '7' },
    });
  });

  const decisions: readonly [string, HookDecision, number, object][] = [
    ['as it is', { allow: false }, 403, { error: { key: 'ERRORS.FORBIDDEN' }, code: 'FORBIDDEN' }],
    [
      'with a status, key and message',
      { allow: false, status: 404, errorKey: 'QUEUE_NOT_FOUND', message: 'gone' },
      404,
      { error: { key: 'ERRORS.QUEUE_NOT_FOUND' }, code: 'QUEUE_NOT_FOUND', message: 'gone' },
    ],
    [
      'with a prefixed key',
      { allow: false, errorKey: 'ERRORS.UNAUTHORIZED' },
      403,
      { error: { key: 'ERRORS.UNAUTHORIZED' }, code: 'UNAUTHORIZED' },
    ],
    [
      'with a status that would look like success',
      { allow: false, status: 200 },
      403,
      { error: { key: 'ERRORS.FORBIDDEN' }, code: 'FORBIDDEN' },
    ],
  ];
  it.each(decisions)('refuse %s', async (_, decision, status, body) => {
    let after = 0;
    const { port, engine } = await serve({
      handlerHooks: { before: async () => decision, after: () => void (after += 1) },
    });
    for (const target of [
      `${api}/queues`,
      // The request is invalid in every part, but the hook responds first, so that no hidden route is revealed.
      `${api}/queues/%ff`,
      `${api}/queues/mail/jobs?limit=x&limit=%ff`,
    ]) {
      const answer = await send(port, target);
      expect([answer.status, JSON.parse(answer.body)]).toEqual([status, body]);
    }
    const malformed = await send(port, `${api}/queues/mail/jobs`, { method: 'POST', body: '{' });
    expect([malformed.status, JSON.parse(malformed.body)]).toEqual([status, body]);
    expect(engine.ran).toEqual([]);
    expect(after).toBe(0);
  });

  it('decide which methods a path has, so that a route that they hide stays hidden', async () => {
    const asked: string[] = [];
    const { port, engine } = await serve({
      handlerHooks: {
        before: ({ method, route }) => {
          asked.push(`${method} ${route}`);
          if (route.endsWith('/queues'))
            return { allow: false, status: 404, errorKey: 'ROUTE_NOT_FOUND' };
          return { allow: method !== 'post' };
        },
      },
    });
    const tried = async (method: string, target: string): Promise<unknown[]> => {
      const { status, headers, body } = await send(port, target, { method });
      return [status, headers['allow'], body === '' ? '' : JSON.parse(body).code];
    };
    expect(await tried('PATCH', `${api}/queues/mail/jobs`)).toEqual([
      405,
      'GET, HEAD, OPTIONS',
      'METHOD_NOT_ALLOWED',
    ]);
    expect(asked).toEqual([
      'get /api/pgq/queues/:queueName/jobs',
      'post /api/pgq/queues/:queueName/jobs',
    ]);
    expect(await tried('OPTIONS', `${api}/queues/mail/jobs`)).toEqual([
      204,
      'GET, HEAD, OPTIONS',
      '',
    ]);
    for (const method of ['OPTIONS', 'PUT', 'DELETE']) {
      expect(await tried(method, `${api}/queues`)).toEqual([404, undefined, 'ROUTE_NOT_FOUND']);
    }
    expect(engine.ran).toEqual([]);
  });

  it('allow by default', async () => {
    for (const decision of [undefined, {}, { allow: true }, { status: 401 }]) {
      const { port } = await serve({ handlerHooks: { before: () => decision } });
      expect((await send(port, `${api}/queues`)).status).toBe(200);
    }
  });

  it('that throw refuse', async () => {
    const { port, engine, log } = await serve({
      handlerHooks: {
        before: () => {
          throw new Error('password=hunter2');
        },
      },
    });
    const answer = await send(port, `${api}/queues`);
    expect(answer.status).toBe(500);
    expect(answer.body).toBe(
      '{"error":{"key":"ERRORS.INTERNAL_SERVER_ERROR"},"code":"INTERNAL_SERVER_ERROR"}',
    );
    expect(engine.ran).toEqual([]);
    expect(log.lines[0]?.details).toMatchObject({ message: 'password=hunter2' });
  });

  it('change responses, including failures, but not earlier refusals', async () => {
    const results: unknown[] = [];
    const after: HandlerHooks['after'] = (context, result) => {
      results.push(result);
      if (context.route.endsWith('/:queueName'))
        return { status: 202, body: { wrapped: result.body } };
      return undefined;
    };
    const { port } = await serve({ handlerHooks: { after } });
    const found = await send(port, `${api}/queues/mail`);
    expect(found.status).toBe(202);
    expect(JSON.parse(found.body)).toMatchObject({ wrapped: { queue: { name: 'mail' } } });
    const missing = await send(port, `${api}/queues/none`);
    expect(JSON.parse(missing.body)).toEqual({
      wrapped: { error: { key: 'ERRORS.QUEUE_NOT_FOUND' }, code: 'QUEUE_NOT_FOUND' },
    });
    expect((await send(port, `${api}/queues`)).status).toBe(200);
    expect((await send(port, `${api}/queues/mail/jobs?limit=0`)).status).toBe(400);
    expect(results).toHaveLength(3);
  });

  it('that throw after the handler respond with 500', async () => {
    const { port } = await serve({ handlerHooks: { after: () => Promise.reject(new Error('x')) } });
    expect((await send(port, `${api}/queues`)).status).toBe(500);
  });

  it('cover the OpenAPI document, and not the page', async () => {
    const { port } = await serve({ handlerHooks: { before: () => ({ allow: false }) } });
    expect((await send(port, '/admin/queues/api/openapi.json')).status).toBe(403);
    expect((await send(port, '/admin/queues')).status).toBe(200);
  });

  it('may replace the body or the query', async () => {
    const { port, engine } = await serve({
      handlerHooks: {
        before: ({ request }) => {
          request.body = { data: 'from the hook' };
        },
      },
    });
    await send(port, `${api}/queues/mail/jobs`, { method: 'POST', body: '{"data":1}' });
    expect(engine.queues.get('mail')?.at(-1)).toBe('{"data":"from the hook"}');
  });
});

describe.each(applications)('hidden queues under $name', (application) => {
  it('respond like missing ones, byte for byte', async () => {
    let asked = 0;
    const engine = memoryEngine({
      visibilityGuard: async ({ headers }, queueName) => {
        asked += 1;
        return queueName !== 'secret' || headers['x-user'] === 'admin';
      },
    });
    const served = await serveBoard(application, engine.factory);
    open.push(served);
    const bytes = async (method: string, path: string, body?: string) => {
      const {
        status,
        headers,
        body: text,
      } = await send(served.port, `${api}/queues/${path}`, {
        method,
        ...(body !== undefined && { body }),
      });
      const { date: _, ...rest } = headers;
      return { status, headers: rest, text };
    };
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '/delete-queued'],
      ['PUT', '/jobs/7/remove'],
      ['POST', '/jobs', '{}'],
      ['PUT', '/jobs/retry', '{"ids":["0190c3a5-0000-7000-8000-00000000abcd"]}'],
    ] as const) {
      const hidden = await bytes(method, `secret${path}`, body);
      expect(hidden.status).toBe(404);
      expect(hidden).toEqual(await bytes(method, `absent${path}`, body));
    }
    const names = async (headers: Record<string, string>) => {
      const { body } = await send(served.port, `${api}/queues`, { headers });
      return (JSON.parse(body).queues as { name: string }[]).map(({ name }) => name);
    };
    expect(await names({})).toEqual(['mail', 'a/b %']);
    expect(await names({ 'x-user': 'admin' })).toEqual(['mail', 'a/b %', 'secret']);
    expect(engine.queues.get('secret')).toEqual(['3']);
    asked = 0;
    await send(served.port, `${api}/queues/mail`);
    expect(asked).toBe(1);
  });

  it('stay hidden when the guard fails', async () => {
    const engine = memoryEngine({
      visibilityGuard: () => {
        throw new BoardError('FORBIDDEN');
      },
    });
    const served = await serveBoard(application, engine.factory);
    open.push(served);
    expect((await send(served.port, `${api}/queues/mail`)).status).toBe(403);
  });
});
