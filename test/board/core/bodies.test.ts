/** Bodies: read by the board or by the host's parser, limited, and refused in one form. */

import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseJsonBody, parsedBody } from '../../../src/board/core/index.ts';
import { maxParts } from '../../../src/board/core/values/nesting.ts';
import { memoryEngine } from './memory-engine.ts';
import { applications, send, serveBoard } from './serve-board.ts';
import type { Served, Serving } from './serve-board.ts';

const jobs = '/admin/queues/api/pgq/queues/mail/jobs';
const malformed = {
  error: { key: 'ERRORS.INVALID_REQUEST_BODY', options: { field: 'body' } },
  code: 'INVALID_REQUEST',
};

const open: Served[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((served) => served.close()));
});

describe.each(applications)('bodies under $name', (application) => {
  async function serve(serving?: Serving) {
    const engine = memoryEngine();
    const served = await serveBoard(application, engine.factory, serving);
    open.push(served);
    return { engine, port: served.port, log: served.log };
  }

  it.each([undefined, 'json', 'text', 'raw'] as const)(
    'are read behind the parser %s',
    async (front) => {
      const { engine, port } = await serve(front && { front });
      const sent = await send(port, jobs, { method: 'POST', body: '{"data":{"ä":[1,null]}}' });
      expect(sent.status).toBe(200);
      expect(engine.queues.get('mail')?.at(-1)).toBe('{"data":{"ä":[1,null]}}');
      const empty = await send(port, jobs, { method: 'POST' });
      expect(empty.status).toBe(200);
      expect(engine.queues.get('mail')?.at(-1)).toBe('{}');
    },
  );

  it.each([undefined, 'text', 'raw'] as const)(
    'that are not JSON are refused behind %s',
    async (front) => {
      const { port } = await serve(front && { front });
      for (const body of ['{', 'undefined', '{"a":1,}', '\uFEFFx', 'NaN']) {
        const answer = await send(port, jobs, { method: 'POST', body });
        expect([body, answer.status, JSON.parse(answer.body)]).toEqual([body, 400, malformed]);
      }
    },
  );

  it('that are not UTF-8 are refused', async () => {
    const { port } = await serve();
    const body = new Uint8Array([0x22, 0xff, 0x22]);
    const answer = await send(port, jobs, { method: 'POST', body });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([400, malformed]);
  });

  it('of another type are refused, so that a form of another site is not parsed as JSON', async () => {
    const { port, engine } = await serve();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      // An empty form is not an absent body.
      for (const body of ['{"data":1}', '']) {
        const headers = { 'content-type': type };
        const answer = await send(port, jobs, { method: 'POST', headers, body });
        expect([answer.status, JSON.parse(answer.body)]).toEqual([
          415,
          {
            error: { key: 'ERRORS.INVALID_REQUEST_BODY' },
            code: 'UNSUPPORTED_MEDIA_TYPE',
          },
        ]);
      }
    }
    expect(engine.ran).toEqual([]);
    const typed = { 'content-type': 'application/vnd.board+json; charset=utf-8' };
    expect(
      (await send(port, jobs, { method: 'POST', headers: typed, body: '{"data":1}' })).status,
    ).toBe(200);
    const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await send(port, jobs, { method: 'POST', headers: packed, body: 'x' })).status).toBe(
      415,
    );
  });

  it('of more bytes than allowed are refused, announced or not', async () => {
    const { port, engine } = await serve({ options: { maxBodyBytes: 1000 } });
    const body = JSON.stringify({ data: 'x'.repeat(1000) });
    const tooLarge = {
      error: { key: 'ERRORS.INVALID_REQUEST_BODY' },
      code: 'PAYLOAD_TOO_LARGE',
    };
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const answer = await send(port, jobs, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      expect([answer.status, JSON.parse(answer.body)]).toEqual([413, tooLarge]);
      expect(answer.headers.connection).toBe('close');
    }
    expect(engine.ran).toEqual([]);
    const raw = await serve({ options: { maxBodyBytes: 1000 }, front: 'raw' });
    expect((await send(raw.port, jobs, { method: 'POST', body })).status).toBe(413);
  });

  it('of many bytes are refused with a response, not with a broken connection', async () => {
    const { port } = await serve({ options: { maxBodyBytes: 1000 } });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const answer = await send(port, jobs, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
        body: 'x'.repeat(20_000_000),
      });
      expect(answer.status).toBe(413);
    }
  });

  it.each([undefined, 'json'] as const)('nested deeply are refused behind %s', async (front) => {
    const { port } = await serve(front && { front });
    const nested = (depth: number): string => `{"data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect((await send(port, jobs, { method: 'POST', body: nested(400) })).status).toBe(200);
    for (const depth of [501, 40_000]) {
      const answer = await send(port, jobs, { method: 'POST', body: nested(depth) });
      expect([answer.status, JSON.parse(answer.body)]).toEqual([400, malformed]);
    }
  });

  it('with the name of a prototype change nothing', async () => {
    const { port, engine } = await serve();
    const bodyWith = (options: string): string =>
      `{"__proto__":{"data":1},"options":{${options}},"data":{"__proto__":5}}`;
    const post = (body: string) => send(port, jobs, { method: 'POST', body });
    const before = engine.queues.get('mail')?.length;
    const refused = await post(bodyWith('"__proto__":{"priority":7}'));
    expect([refused.status, JSON.parse(refused.body)]).toMatchObject([
      400,
      { error: { options: { field: 'options.__proto__' } } },
    ]);
    expect(engine.queues.get('mail')?.length).toBe(before);
    expect((await post(bodyWith(''))).status).toBe(200);
    expect(engine.queues.get('mail')?.at(-1)).toBe('{"data":{"__proto__":5},"options":{}}');
  });

  it('of routes without a body are not read', async () => {
    const { port } = await serve();
    const target = '/admin/queues/api/pgq/queues/mail/delete-queued';
    const answer = await send(port, target, { method: 'PUT', body: '{not json' });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { requested: 2, affected: 2 }]);
  });
});

describe('the limits of bodies', () => {
  const json = 'application/json';
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  /** A list of empty objects, with the parts around it and in it. */
  const wide = (parts: number): string =>
    `{"data":[${Array(parts - 3)
      .fill('{}')
      .join()}]}`;
  const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const names = (count: number): string =>
    `{${Array(count - 1)
      .fill('"a":1')
      .join()}}`;

  it.each([
    ['parts', wide(maxParts), wide(maxParts + 1)],
    ['levels', deep(500), deep(501)],
    ['names, equal ones too', names(maxParts), names(maxParts + 1)],
  ])('are checked before a body is parsed: %s', (_, within, beyond) => {
    const parse = vi.spyOn(JSON, 'parse');
    expect(parseJsonBody(bytes(within), json)).toEqual({ value: JSON.parse(within) });
    parse.mockClear();
    expect(parseJsonBody(bytes(beyond), json)).toEqual({ refused: 'malformed' });
    // Texts do not count, escaped quotes in them neither.
    const text = JSON.stringify({ a: `\\"${beyond}\\` });
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(parseJsonBody(bytes(text), json)).toEqual({ value: JSON.parse(text) });
    // The characters behind a text count, also one that ends with a backslash.
    for (const before of ['\\', '"', '\\"', '\\\\']) {
      const behind = `[${JSON.stringify(before)},${beyond}]`;
      expect(parseJsonBody(bytes(behind), json)).toEqual({ refused: 'malformed' });
    }
  });

  it.each([
    ['parts', wide(maxParts), wide(maxParts + 1)],
    ['levels', deep(500), deep(501)],
    [
      'items',
      `[${Array(maxParts * 2)
        .fill('1')
        .join()}]`,
      `[${wide(maxParts)}]`,
    ],
  ])('hold for what a parser of the host has made: %s', (_, within, beyond) => {
    const value: unknown = JSON.parse(within);
    expect(parsedBody(value, json)).toEqual({ value });
    expect(parsedBody(JSON.parse(beyond), json)).toEqual({ refused: 'malformed' });
  });
});
