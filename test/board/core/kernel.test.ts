/** `board.fetch`, and what completes every response: ETag, compression, HEAD, streams. */

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { openBoard } from '../../../src/board/core/index.ts';
import type { Board, BoardOptions } from '../../../src/board/core/index.ts';
import { memoryEngine } from './memory-engine.ts';
import type { MemoryEngine } from './memory-engine.ts';

const open: Board[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((board) => board.close()));
});

function serve(engine: MemoryEngine = memoryEngine(), options: BoardOptions = {}) {
  const board = openBoard(engine.factory, { attach: () => undefined }, options, false);
  open.push(board);
  const ask = (path: string, init?: RequestInit): Promise<Response> =>
    board.fetch(new Request(`http://board.test${path}`, init), { basePath: '/admin/queues' });
  return { board, ask, engine };
}

it('finds its routes below the base path, and where a proxy strips it', async () => {
  const { ask } = serve();
  for (const prefix of ['/admin/queues', '']) {
    const answer = await ask(`${prefix}/api/pgq/queues/a%2Fb%20%25`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ queue: { name: 'a/b %' } });
    const page = await ask(`${prefix}/queue/a%2Fb%20%25`);
    expect(await page.text()).toContain('src="/admin/queues/assets/');
  }
  for (const path of [
    '/admin/queues/none',
    '/admin/queuesapi/pgq/queues',
    '/admin/queues/api/no',
  ]) {
    const answer = await ask(path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
  }
});

it('reads a body up to its limit', async () => {
  const { ask, engine } = serve(memoryEngine(), { maxBodyBytes: 100 });
  const post = async (body: string, headers: Record<string, string> = {}): Promise<number> => {
    const sent = { 'content-type': 'application/json', ...headers };
    const path = '/admin/queues/api/pgq/queues/mail/jobs';
    return (await ask(path, { method: 'POST', headers: sent, body })).status;
  };
  expect(await post('{"data":{"a":1}}')).toBe(200);
  expect(engine.queues.get('mail')).toHaveLength(3);
  expect(await post(`{"data":"${'x'.repeat(100)}"}`)).toBe(413);
  expect(await post('{')).toBe(400);
  expect(await post('{}', { 'content-type': 'text/plain' })).toBe(415);
  expect(await post('{}', { origin: 'http://elsewhere.test' })).toBe(403);
});

it('holds the limit for a body that middleware of the host has read', async () => {
  const { board, engine } = serve(memoryEngine(), { maxBodyBytes: 100 });
  const post = async (body: string): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    const url = 'http://board.test/api/pgq/queues/mail/jobs';
    const request = new Request(url, { method: 'POST', headers, body });
    const bytes = await request.arrayBuffer();
    return (await board.fetch(request, { readBody: async () => bytes })).status;
  };
  expect(await post(`{"data":"${'x'.repeat(89)}"}`)).toBe(200);
  expect(await post(`{"data":"${'x'.repeat(90)}"}`)).toBe(413);
  expect(engine.ran).toEqual(['sendPgqJob']);
});

it('answers 304 while nothing has changed, and no body to HEAD', async () => {
  const { ask, engine } = serve();
  const path = '/admin/queues/api/pgq/queues';
  const first = await ask(path);
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
  for (const known of [etag, `"other", ${etag}`, '*', etag.slice(2)]) {
    const again = await ask(path, { headers: { 'if-none-match': known } });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
  }
  const head = await ask(path, { method: 'HEAD' });
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  expect(head.headers.get('content-length')).toBe(String((await first.arrayBuffer()).byteLength));
  engine.queues.get('mail')?.push('9');
  const changed = await ask(path, { headers: { 'if-none-match': etag } });
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(etag);
});

it.each([
  ['gzip, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *;q=0.1', 'gzip'],
  ['identity, gzip;q=0.5', null],
  ['deflate', null],
  ['br;q=x', null],
])('with Accept-Encoding %j sends %j', async (accepted, encoding) => {
  const engine = memoryEngine();
  for (let index = 0; index < 20; index += 1) engine.queues.set(`queue ${index}`, []);
  const { ask } = serve(engine);
  const headers = { 'accept-encoding': accepted };
  const answer = await ask('/admin/queues/api/pgq/queues', { headers });
  expect(answer.headers.get('content-encoding')).toBe(encoding);
  expect(answer.headers.get('vary')).toBe('accept-encoding');
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get('content-length')).toBe(String(bytes.byteLength));
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''];
  expect(JSON.parse(String(unpack?.(bytes) ?? bytes)).queues).toHaveLength(23);
  const small = await ask('/admin/queues/api/pgq/queues/mail/none', { headers });
  expect(small.headers.get('content-encoding')).toBeNull();
});

it('keeps the bytes of each encoding of the same answer', async () => {
  const engine = memoryEngine();
  for (let index = 0; index < 20; index += 1) engine.queues.set(`queue ${index}`, []);
  const { ask } = serve(engine);
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const encoding of ['br', 'gzip', 'br', 'gzip'] as const) {
    const headers = { 'accept-encoding': encoding };
    const answer = await ask('/admin/queues/api/pgq/queues', { headers });
    const text = String(unpack[encoding](Buffer.from(await answer.arrayBuffer())));
    expect(JSON.parse(text).queues).toHaveLength(23);
  }
});

it('aborts what it does for a client that has gone', async () => {
  const { ask, engine } = serve(memoryEngine({ untilGone: true }));
  const gone = new AbortController();
  const answer = ask('/admin/queues/api/pgq/queues', { signal: gone.signal });
  await expect.poll(() => engine.ran).toEqual(['listPgqQueues']);
  gone.abort();
  expect((await answer).status).toBe(200);
});
