/** The page: its routes and files, content security policy, and escaping of its texts. */

import { afterEach, describe, expect, it } from 'vitest';
import type { BoardOptions } from '../../../src/board/core/index.ts';
import { memoryEngine } from './memory-engine.ts';
import type { MemoryEngine } from './memory-engine.ts';
import { applications, send, serveBoard } from './serve-board.ts';
import type { Served } from './serve-board.ts';

const open: Served[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((served) => served.close()));
});

describe.each(applications)('the page under $name', (application) => {
  async function serve(options: BoardOptions = {}, engine: MemoryEngine = memoryEngine()) {
    const served = await serveBoard(application, engine.factory, { options });
    open.push(served);
    return { engine, port: served.port };
  }

  it.each([
    '',
    '/',
    '/metrics-history',
    '/metrics-history/',
    '/warnings',
    '/schedules',
    '/workers',
    '/workers/',
    '/metrics',
    '/job-schedulers',
    '/queue/mail',
    '/queue/a%2Fb/7?tab=Data',
  ])('is served at %j', async (path) => {
    const { port } = await serve();
    const answer = await send(port, `/admin/queues${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('runs only its own script, with a new nonce per request', async () => {
    const { port } = await serve();
    const nonces = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      const { headers, body } = await send(port, '/admin/queues/');
      const policy = String(headers['content-security-policy']);
      const nonce = /script-src 'nonce-([\w+/=]{24})'/.exec(policy)?.[1] ?? '';
      nonces.add(nonce);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).toContain("form-action 'none'");
      expect(policy).toContain("frame-ancestors 'self'");
      expect(policy).not.toContain('unsafe');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cache-control']).toBe('no-store');
      const tags = [...body.matchAll(/<(?:script|style)\b[^>]*>/g)].map(([tag]) => tag);
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).toContain("img-src 'self' data:");
      expect(tags).toEqual([
        '<script type="application/json" id="config">',
        // Sets the colour scheme before the first paint, and asks for the queues.
        `<script nonce="${nonce}">`,
        expect.stringMatching(
          /^<script type="module" nonce="[^"]+" src="\/admin\/queues\/assets\//,
        ),
      ]);
      expect(tags[2]).toContain(nonce);
      expect(body).not.toContain('<base');
      expect(body).not.toMatch(/\son\w+=|style=|javascript:|https?:\/\//i);
    }
    expect(nonces.size).toBe(3);
  });

  it('names files that browsers keep for ever', async () => {
    const { port } = await serve();
    const { body } = await send(port, '/admin/queues/queue/mail/7');
    const paths = [...body.matchAll(/(?:src|href)="([^"]*\/assets\/[^"]*)"/g)].map(
      ([, path]) => path,
    );
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      const plain = await send(port, path ?? '');
      expect(plain.status).toBe(200);
      expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(plain.headers['vary']).toBe('accept-encoding');
      const head = await send(port, path ?? '', { method: 'HEAD' });
      expect([head.status, head.body]).toEqual([200, '']);
      expect(head.headers['content-length']).toBe(plain.headers['content-length']);
      const headers = { 'if-none-match': String(plain.headers.etag) };
      const known = await send(port, path ?? '', { headers });
      expect([known.status, known.body]).toEqual([304, '']);
      for (const encoding of ['br', 'gzip']) {
        const packed = await send(port, path ?? '', { headers: { 'accept-encoding': encoding } });
        expect(packed.headers['content-encoding']).toBe(encoding);
        expect(packed.headers.etag).toBe(plain.headers.etag);
      }
    }
    expect((await send(port, '/admin/queues/assets/none.js')).status).toBe(404);
  });

  it('escapes titles and base paths', async () => {
    const title = '</script><img src=x onerror=alert(1)>"\'&\u2028';
    const { port } = await serve({ ui: { boardTitle: title } });
    const { body } = await send(port, '/admin/queues/');
    expect(body).not.toContain('<img');
    expect(body.match(/<\/script>/g)).toHaveLength(3);
    const config = /id="config">(.*?)<\/script>/s.exec(body)?.[1] ?? '';
    expect(JSON.parse(config)).toMatchObject({
      basePath: '/admin/queues',
      uiConfig: { boardTitle: title, engine: 'pgq', hasHistoryProvider: false },
    });
  });
});
