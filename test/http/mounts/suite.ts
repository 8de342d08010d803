/** The mount suite: a board with authentication, mounted in a framework of a host, as its clients see it. */

import { type IncomingMessage, request as open } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advanceClock } from '../../clock.ts';
import { type Host, hostCookie, hostMissing, hostPage } from './hosts.ts';
import type { Running } from '../../listening.ts';
import { type Site, createSite, pieceCount, pieceSize, token } from './site.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  readonly text: string;
}

interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request target unchanged. */
function send(
  port: number,
  target: string,
  { method = 'GET', headers = {}, body }: Sending = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = open(
      { port, host: '127.0.0.1', path: target, method, headers },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        incoming.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const { statusCode: status = 0, headers: received } = incoming;
          resolve({
            status,
            headers: received,
            bytes,
            // Most bodies are only counted, and some have forty megabytes.
            get text() {
              return bytes.toString();
            },
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const bearer = { authorization: `Bearer ${token}` };
const json = { ...bearer, 'content-type': 'application/json' };

/** Declares the tests of a host. */
export function mountSuite(host: Host): void {
  const sites: { site: Site; running: Running }[] = [];
  async function start(options: Parameters<typeof createSite>[0]) {
    const site = createSite(options);
    const running = await host.start(site);
    sites.push({ site, running });
    return { site, port: running.port };
  }
  afterAll(async () => {
    for (const { site, running } of sites) {
      await running.close();
      await site.close();
    }
  });

  describe.each([
    ['below a path', {}],
    ['below a path, behind parsers of bodies', { parsesFirst: true }],
    ['behind a proxy that strips the path', { mountPath: '', basePath: '/admin/queues' }],
    ['behind a proxy that adds a path', { mountPath: '/inner', basePath: '/outer/board' }],
  ] as const)('%s', (_, options) => {
    let site: Site;
    let port: number;
    let at: (path: string) => string;
    beforeAll(async () => {
      ({ site, port } = await start(options));
      at = (path) => site.mountPath + path;
    });

    it('shows its page and files', async () => {
      for (const path of ['', '/', '/queue/a%2Fb/7', '/job-schedulers/']) {
        const page = await send(port, at(path) || '/', { headers: bearer });
        expect([page.status, page.headers['content-type']]).toEqual([
          200,
          'text/html; charset=utf-8',
        ]);
        const [, source = ''] = /src="([^"]+)"/.exec(page.text) ?? [];
        expect(source.startsWith(`${site.basePath}/assets/`)).toBe(true);
        const file = await send(port, at(source.slice(site.basePath.length)), {
          headers: { ...bearer, 'accept-encoding': 'br' },
        });
        const encoding = host.compresses ? undefined : 'br';
        expect([file.status, file.headers['content-encoding']]).toEqual([200, encoding]);
        const plain = await send(port, at(source.slice(site.basePath.length)), { headers: bearer });
        const bytes = encoding ? brotliDecompressSync(file.bytes) : file.bytes;
        expect(bytes.equals(plain.bytes)).toBe(true);
      }
    });

    it('decodes a name with a slash once', async () => {
      const answer = await send(port, at('/api/pgq/queues/a%2Fb%20%25?x=%2F'), { headers: bearer });
      expect([answer.status, JSON.parse(answer.text).queue.name]).toEqual([200, 'a/b %']);
      const none = await send(port, at('/api/pgq/queues/a/b'), { headers: bearer });
      expect([none.status, JSON.parse(none.text).code]).toEqual([404, 'ROUTE_NOT_FOUND']);
    });

    it('names the methods of a path, for OPTIONS and for a method that it lacks', async () => {
      const allow = 'GET, HEAD, OPTIONS, POST';
      for (const [method, status] of [
        ['OPTIONS', 204],
        ['PATCH', 405],
        ['DELETE', 405],
      ] as const) {
        const target = at('/api/pgq/queues/mail/jobs');
        const answer = await send(port, target, { method, headers: bearer });
        expect([method, answer.status, answer.headers['allow']]).toEqual([method, status, allow]);
      }
      const entry = await send(port, at('/api'), { headers: bearer });
      expect([entry.status, JSON.parse(entry.text)]).toEqual([
        200,
        { openapi: `${site.basePath}/api/openapi.json` },
      ]);
    });

    it('answers 304 to what the client has, and no body to HEAD', async () => {
      const target = at('/api/pgq/queues');
      const first = await send(port, target, { headers: bearer });
      expect(first.headers['content-length']).toBe(String(first.bytes.byteLength));
      const { etag = '' } = first.headers;
      const again = await send(port, target, { headers: { ...bearer, 'if-none-match': etag } });
      expect([again.status, again.headers.etag, again.text]).toEqual([304, etag, '']);
      const head = await send(port, target, { method: 'HEAD', headers: bearer });
      expect([head.status, head.headers.etag, head.text]).toEqual([200, etag, '']);
      expect(head.headers['content-length']).toBe(first.headers['content-length']);
      const page = await send(port, at('/'), { method: 'HEAD', headers: bearer });
      expect([page.status, page.text]).toEqual([200, '']);
    });

    it.skipIf(host.compresses)('compresses', async () => {
      const target = at('/api/pgq/queues');
      const plain = await send(port, target, { headers: bearer });
      for (const [encoding, unpack] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const headers = { ...bearer, 'accept-encoding': encoding };
        const packed = await send(port, target, { headers });
        expect(packed.headers['content-encoding']).toBe(encoding);
        expect(packed.headers['content-length']).toBe(String(packed.bytes.byteLength));
        expect(packed.headers['vary']).toBe('accept-encoding');
        expect(unpack(packed.bytes).toString()).toBe(plain.text);
      }
    });

    it('reads a body, and refuses one that is too long or not JSON', async () => {
      const target = at('/api/pgq/queues/mail/jobs');
      const post = (body: string, headers: Record<string, string> = json) =>
        send(port, target, { method: 'POST', headers, body });
      const before = site.engine.queues.get('mail')?.length ?? 0;
      expect((await post('{"data":{"a":[1]}}')).status).toBe(200);
      expect(site.engine.queues.get('mail')?.at(-1)).toContain('"a":[1]');
      expect(site.engine.queues.get('mail')).toHaveLength(before + 1);
      // A parser of the host may refuse it first.
      expect((await post(`{"data":"${'x'.repeat(300_000)}"}`)).status).toBe(413);
      expect((await post('{"data":')).status).toBe(400);
      expect((await post('{}', { ...bearer, 'content-type': 'text/plain' })).status).toBe(415);
    });

    it('asks for a login, and sets its cookies beside those of the host', async () => {
      const refused = await send(port, at('/api/pgq/queues'));
      expect(refused.status).toBe(401);
      expect(refused.headers['set-cookie']).toEqual([hostCookie]);
      const body = new URLSearchParams({ token }).toString();
      const headers = {
        origin: `http://127.0.0.1`,
        'content-type': 'application/x-www-form-urlencoded',
      };
      const login = await send(port, at('/auth/login'), { method: 'POST', headers, body });
      expect([login.status, login.headers.location]).toEqual([303, `${site.basePath}/`]);
      const cookies = login.headers['set-cookie'] ?? [];
      expect(cookies).toHaveLength(2);
      expect(cookies).toContain(hostCookie);
      const session = cookies.find((cookie) => cookie.startsWith('board_session=')) ?? '';
      expect(session).toContain(`Path=${site.basePath};`);
      const cookie = session.split(';', 1)[0] ?? '';
      // After half of the idle time the session is renewed beside the board's own response.
      advanceClock(60_000);
      const renewed = await send(port, at('/api/pgq/queues'), { headers: { cookie } });
      expect(renewed.status).toBe(200);
      const [own, theirs] = [renewed.headers['set-cookie'] ?? [], hostCookie];
      expect(own).toHaveLength(2);
      expect(own).toContain(theirs);
      expect(own.some((text) => text.startsWith('board_session='))).toBe(true);
      expect(renewed.headers['cache-control']).toBe('no-store');
      expect(site.seen.at(-1)).toBe('ada');
    });

    it.runIf(host.fallsThrough)('leaves other paths to the host', async () => {
      const page = await send(port, '/host', { headers: bearer });
      expect([page.status, page.text]).toEqual([200, hostPage]);
      for (const path of [`${site.mountPath}/none`, `${site.mountPath || '/'}x/api/pgq/queues`]) {
        const missing = await send(port, path, { headers: bearer });
        expect([missing.status, missing.text]).toEqual([404, hostMissing]);
        expect(missing.headers['set-cookie']).toEqual([hostCookie]);
      }
    });
  });

  it('streams no faster than the client reads, and stops when it goes', async () => {
    const { site, port } = await start({});
    const path = `${site.mountPath}/api/pgq/info`;
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      open({ port, host: '127.0.0.1', path, headers: bearer }, resolve).on('error', reject).end();
    });
    expect(incoming.headers['content-length']).toBeUndefined();
    await new Promise((resolve) => incoming.once('readable', resolve));
    // All that buffers between the two ends hold; then the stream waits.
    let made = -1;
    await expect.poll(() => made === (made = site.stream.made), { interval: 100 }).toBe(true);
    expect(made).toBeLessThan(pieceCount / 2);
    expect(site.stream.ended).toBe(false);
    incoming.destroy();
    await expect.poll(() => site.stream.ended).toBe(true);
    expect(site.stream.made).toBeLessThan(pieceCount);
    const whole = await send(port, path, { headers: bearer });
    expect(whole.bytes.byteLength).toBe(pieceSize * pieceCount);
    const head = await send(port, path, { method: 'HEAD', headers: bearer });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('aborts the work for a client that has gone', async () => {
    const { site, port } = await start({ hold: true });
    const path = `${site.mountPath}/api/pgq/queues`;
    const outgoing = open({ port, host: '127.0.0.1', path, headers: bearer });
    outgoing.on('error', () => undefined).end();
    await expect.poll(() => site.engine.ran).toContain('listPgqQueues');
    expect(site.gone.aborted).toBe(0);
    outgoing.destroy();
    await expect.poll(() => site.gone.aborted).toBe(1);
  });
}
