/** The entry page: its content security policy, escaping of its texts, and its script reading the API. */

import { afterEach, describe, expect, it } from 'vitest';
import type { BoardOptions } from '../../../src/board/core/index.ts';
import { memoryEngine } from './memory-engine.ts';
import type { MemoryEngine } from './memory-engine.ts';
import { runPage } from './run-page.ts';
import { applications, send, serveBoard } from './serve-board.ts';
import type { Served } from './serve-board.ts';

const open: Served[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((served) => served.close()));
});

describe.each(applications)('the entry page under $name', (application) => {
  async function serve(options: BoardOptions = {}, engine: MemoryEngine = memoryEngine()) {
    const served = await serveBoard(application, engine.factory, { options });
    open.push(served);
    return { engine, port: served.port };
  }

  it.each([
    '',
    '/',
    '/metrics-history',
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
      expect(tags).toEqual([
        `<style nonce="${nonce}">`,
        '<script type="application/json" id="config">',
        `<script type="module" nonce="${nonce}">`,
      ]);
      expect(body).not.toMatch(/\son\w+=|style=|javascript:|https?:\/\//i);
    }
    expect(nonces.size).toBe(3);
  });

  it('escapes titles and base paths', async () => {
    const title = '</script><img src=x onerror=alert(1)>"\'&\u2028';
    const { port } = await serve({ ui: { boardTitle: title } });
    const { body } = await send(port, '/admin/queues/');
    expect(body).not.toContain('<img');
    expect(body.match(/<\/script>/g)).toHaveLength(2);
    const config = /id="config">(.*?)<\/script>/s.exec(body)?.[1] ?? '';
    expect(JSON.parse(config)).toMatchObject({
      basePath: '/admin/queues',
      uiConfig: { boardTitle: title, engine: 'pgq', hasHistoryProvider: false },
    });
  });

  it('shows queues with their counts, and errors', async () => {
    const { engine, port } = await serve();
    engine.queues.set('<b>bold</b>', ['1']);
    const page = await runPage(port, '/admin/queues/');
    expect(page.text('queues')).toContain('Queue queued deferred ready active failed total');
    expect(page.text('queues')).toContain('mail 2 0 2 0 0 2');
    expect(page.text('queues')).toContain('<b>bold</b> 1 0 1 0 0 1');
    expect(page.hidden('problem')).toBe(true);
    expect(page.hidden('jobs')).toBe(true);
    await page.press('mail');
    // This engine does not list jobs; the page shows the error key.
    expect(page.text('problem')).toBe('ERRORS.PGQ_FEATURE_UNAVAILABLE');
    expect(page.asked.at(-1)).toBe('/admin/queues/api/pgq/queues/mail/jobs?state=created');
    await page.press('<b>bold</b>');
    expect(page.asked.at(-1)).toContain('/queues/%3Cb%3Ebold%3C%2Fb%3E/jobs?');
  });
});
