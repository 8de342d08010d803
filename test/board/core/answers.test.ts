/** Responses: success, errors in one form, outages, response validation, and protection in browsers. */

import { afterEach, describe, expect, it } from 'vitest';
import { BoardError } from '../../../src/board/core/index.ts';
import type { BoardOptions } from '../../../src/board/core/index.ts';
import { pgqRoutes } from '../../../src/board/contract/index.ts';
import type { Route } from '../../../src/board/contract/index.ts';
import { memoryEngine } from './memory-engine.ts';
import { applications, send, serveBoard } from './serve-board.ts';
import type { Served } from './serve-board.ts';

const api = '/admin/queues/api/pgq';

const open: Served[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((served) => served.close()));
});

describe.each(applications)('answers under $name', (application) => {
  async function serve(options: BoardOptions = {}) {
    const engine = memoryEngine();
    const served = await serveBoard(application, engine.factory, { options });
    open.push(served);
    return { engine, port: served.port, log: served.log };
  }

  it('are JSON that is not cached and not executed by browsers', async () => {
    const { port } = await serve();
    for (const target of [`${api}/queues`, `${api}/queues/none`, '/admin/queues/api/none']) {
      const { headers, body } = await send(port, target);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
    }
  });

  it('carry keys with their parameters', async () => {
    const { port } = await serve();
    const answer = await send(port, `${api}/queues/mail/jobs/j7/remove`, { method: 'PUT' });
    expect(answer.status).toBe(409);
    expect(JSON.parse(answer.body)).toEqual({
      error: { key: 'ERRORS.JOB_IS_ACTIVE' },
      code: 'JOB_IS_ACTIVE',
      message: { key: 'ERRORS.JOB_IS_ACTIVE_DETAILS', options: { jobId: 'j7' } },
    });
  });

  it('hide an unexpected error, and log it', async () => {
    const { port, engine, log } = await serve();
    engine.failure = new Error('syntax error near "SELECT secret"');
    const answer = await send(port, `${api}/queues`);
    expect(answer.status).toBe(500);
    expect(answer.body).toBe(
      '{"error":{"key":"ERRORS.INTERNAL_SERVER_ERROR"},"code":"INTERNAL_SERVER_ERROR"}',
    );
    expect(log.lines).toEqual([
      {
        level: 'error',
        message: 'Board: listPgqQueues answered 500 INTERNAL_SERVER_ERROR',
        details: engine.failure,
      },
    ]);
  });

  it('show it when the host enables that', async () => {
    const { port, engine } = await serve({ exposeErrors: true });
    engine.failure = new Error('the cause');
    const { body } = await send(port, `${api}/queues`);
    expect(JSON.parse(body).details).toContain('the cause');
  });

  it.each([418, 503])('use the status %i of an error', async (statusCode) => {
    const { port, engine } = await serve();
    engine.failure = Object.assign(new Error('x'), { statusCode });
    expect((await send(port, `${api}/queues`)).status).toBe(statusCode);
  });

  it.each([200, 99, 1000, 'x', undefined, Number.NaN])(
    'do not take the status %s',
    async (statusCode) => {
      const { port, engine } = await serve();
      engine.failure = { statusCode };
      expect((await send(port, `${api}/queues`)).status).toBe(500);
    },
  );

  it.each([null, undefined, 7, 'text'])('handle a thrown %s', async (thrown) => {
    const { port, engine } = await serve();
    engine.failure = thrown ?? Object.create(null);
    expect((await send(port, `${api}/queues`)).status).toBe(500);
  });

  it('are 503 while the datastore is down, logged once, and success again afterwards', async () => {
    const { port, engine, log } = await serve();
    engine.failure = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    for (let round = 0; round < 5; round += 1) {
      const answer = await send(port, `${api}/queues`);
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toBe('3');
      expect(JSON.parse(answer.body)).toEqual({
        error: { key: 'ERRORS.KV_UNAVAILABLE' },
        code: 'KV_UNAVAILABLE',
      });
    }
    expect(log.lines.map(({ level }) => level)).toEqual(['warn']);
    engine.failure = undefined;
    expect((await send(port, `${api}/queues`)).status).toBe(200);
  });

  it('are 503 while the engine cannot be opened, and opening is retried', async () => {
    const engine = memoryEngine();
    engine.openFailure = new BoardError('KV_UNAVAILABLE');
    const served = await serveBoard(application, engine.factory);
    open.push(served);
    expect((await send(served.port, `${api}/queues`)).status).toBe(503);
    engine.openFailure = undefined;
    expect((await send(served.port, `${api}/queues`)).status).toBe(200);
    expect((await send(served.port, `${api}/queues`)).status).toBe(200);
    expect(engine.opened).toBe(3);
  });

  it('are validated against their schemas when enabled', async () => {
    const after = () => ({ body: { queues: [{ name: 7 }] } });
    const strict = await serve({ validateResponses: true, handlerHooks: { after } });
    const answer = await send(strict.port, `${api}/queues`);
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body)).toMatchObject({
      error: { key: 'ERRORS.INTERNAL_SERVER_ERROR' },
      code: 'RESPONSE_SCHEMA_MISMATCH',
      details: expect.stringContaining('listPgqQueues: queues.0.name'),
    });
    const lenient = await serve({ handlerHooks: { after } });
    expect((await send(lenient.port, `${api}/queues`)).status).toBe(200);
    const fitting = await serve({ validateResponses: true });
    expect((await send(fitting.port, `${api}/queues`)).status).toBe(200);
    // The body of an error is not validated against the schema of success.
    expect((await send(fitting.port, `${api}/queues/none`)).status).toBe(404);
  });

  it('that JSON cannot represent are an internal error', async () => {
    const { port } = await serve({ handlerHooks: { after: () => ({ body: { value: 1n } }) } });
    expect((await send(port, `${api}/queues`)).status).toBe(500);
  });

  it('refuse writes that a browser sends for another origin', async () => {
    const { port, engine } = await serve();
    const write = (site?: string) =>
      send(port, `${api}/queues/mail/delete-queued`, {
        method: 'PUT',
        ...(site && { headers: { 'sec-fetch-site': site } }),
      });
    for (const site of ['cross-site', 'same-site']) {
      const refused = await write(site);
      expect([refused.status, refused.body]).toEqual([
        403,
        '{"error":{"key":"ERRORS.FORBIDDEN"},"code":"FORBIDDEN"}',
      ]);
    }
    expect(engine.ran).toEqual([]);
    for (const site of [undefined, 'same-origin', 'none']) {
      expect((await write(site)).status).toBe(200);
    }
    // Paths outside the board are not checked.
    const headers = { 'sec-fetch-site': 'cross-site' };
    const other = await send(port, '/admin/queues/callback', { method: 'POST', headers });
    expect([other.status, other.body]).toEqual([404, expect.stringContaining('Cannot POST')]);
    const read = await send(port, `${api}/queues`, { headers });
    expect(read.status).toBe(200);
  });

  it('of a read-only board are 404 for every write', async () => {
    const { port, engine } = await serve({ readOnly: true });
    const send404 = async (method: string, path: string) =>
      expect([path, (await send(port, `${api}${path}`, { method })).status]).toEqual([path, 404]);
    await send404('PUT', '/queues/mail/delete-queued');
    await send404('POST', '/queues/mail/jobs');
    await send404('PUT', '/queues/mail/schedules');
    expect(engine.ran).toEqual([]);
    expect((await send(port, `${api}/queues`)).status).toBe(200);
    const body = '{"expression":"@daily"}';
    expect((await send(port, `${api}/schedules/preview`, { method: 'POST', body })).status).toBe(
      200,
    );
    const document = JSON.parse((await send(port, '/admin/queues/api/openapi.json')).body);
    const reads = Object.values<Route>(pgqRoutes).filter(({ access }) => access === 'read');
    expect(new Set(Object.keys(document.paths))).toEqual(
      new Set(['/api/live', ...reads.map(({ path }) => path)]),
    );
  });
});
