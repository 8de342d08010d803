/** Conditional requests and caching of lists in every framework: one ETag, 304, HEAD, and what the host has decided. */

import { once } from 'node:events';
import { type IncomingMessage, type Server, request as open } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { defineQueryRules } from '../../../src/index.ts';
import { type Tile, tileRegistry, tileSource, tiles } from '../tiles.ts';
import { type Listed, listHosts } from './list-hosts.ts';

// No scope of these tests leaves a tile out.
const source = {
  ...tileSource(async ({ where }) => {
    const { path, value } = where?.type === 'condition' ? where : {};
    return tiles.filter((tile) => path === undefined || tile[path as keyof Tile] === value);
  }),
  servesScopes: true,
};
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Ask = (
  path: string,
  asked?: Asked,
) => Promise<{ status: number | undefined; headers: IncomingMessage['headers']; text: string }>;

/** Starts a host. `fetch` of the tests would ask not to be answered from a cache. */
async function started(
  { start }: (typeof listHosts)[number],
  listed: Partial<Listed>,
): Promise<Ask> {
  const server = await start({ source, onError: () => undefined, ...listed });
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  return async (path, { method = 'GET', headers = {} } = {}) => {
    const asking = open({ host: '127.0.0.1', port, path, method, headers, agent: false }).end();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    const text = (await answer.setEncoding('utf8').toArray()).join('');
    return { status: answer.statusCode, headers: answer.headers, text };
  };
}

const scopedRules = defineQueryRules(
  tileRegistry,
  'tile',
  { fields: { root: { allowed: ['id'], default: ['id'] } } },
  { scopes: { tile: () => ({ type: 'condition', path: 'id', operator: 'gt', value: 0 }) } },
);

/** The ETag of all tiles, as Express makes it. */
const tag = 'W/"88-L9DR/O7/YAA7dSE81Z1QPphwq90"';

describe.each(listHosts)('lists in $name', (host) => {
  it('have the ETag of their JSON, and are 304 where the client has it', async () => {
    const ask = await started(host, {});
    const { headers, text } = await ask('/tiles');
    expect(headers.etag).toBe(tag);
    expect(headers['cache-control']).toBeUndefined();
    for (const method of ['GET', 'HEAD']) {
      for (const known of [tag, tag.slice(2), `"a", ${tag} , "b"`, '*']) {
        const again = await ask('/tiles', { method, headers: { 'if-none-match': known } });
        expect([known, again.status, again.headers.etag, again.text]).toEqual([
          known,
          304,
          tag,
          '',
        ]);
        expect(again.headers['content-length'] ?? String(text.length)).toBe(String(text.length));
      }
      for (const other of ['"a"', 'W/"88-"', 'W/', '']) {
        const whole = await ask('/tiles', { method, headers: { 'if-none-match': other } });
        expect([other, whole.status, whole.text]).toEqual([
          other,
          200,
          method === 'HEAD' ? '' : text,
        ]);
      }
    }
    const red = await ask('/tiles?filter[colour][eq]=red', { headers: { 'if-none-match': tag } });
    expect(red.status).toBe(200);
    expect(red.headers.etag).not.toBe(tag);
    const wrong = await ask('/tiles?sort=none', { headers: { 'if-none-match': '*' } });
    expect([wrong.status, wrong.headers['cache-control']]).toEqual([400, undefined]);
    // QUERY is safe: some frameworks answer 304 to it, too.
    for (const method of host.methods.filter((other) => other === 'POST')) {
      const headers = {
        'if-none-match': tag,
        'content-length': '0',
        'content-type': 'application/x-www-form-urlencoded',
      };
      expect([method, (await ask('/tiles', { method, headers })).status]).toEqual([method, 200]);
    }
    const one = await ask('/tiles/2');
    const known = { 'if-none-match': one.headers.etag ?? '' };
    expect((await ask('/tiles/2', { headers: known })).status).toBe(304);
  });

  it('are for one person where they have a scope', async () => {
    const ask = await started(host, { rules: scopedRules, scope: { tenant: 1 } });
    const { status, headers } = await ask('/tiles');
    expect([status, headers['cache-control']]).toEqual([200, 'private']);
    const asked = { headers: { 'if-none-match': headers.etag ?? '' } };
    const known = await ask('/tiles', asked);
    expect([known.status, known.headers['cache-control']]).toEqual([304, 'private']);
  });

  // These have no response before the endpoint makes it.
  it.skipIf(/Fetch|Next|NestJS/.test(host.name))('keep what the host has decided', async () => {
    const decided = { etag: '"of-the-host"', 'cache-control': 'public, max-age=5' };
    const ask = await started(host, { rules: scopedRules, scope: {}, headers: decided });
    const { headers } = await ask('/tiles');
    expect(headers).toMatchObject(decided);
    const mine = await ask('/tiles', { headers: { 'if-none-match': decided.etag } });
    expect([mine.status, mine.text]).toEqual([304, '']);
    expect(mine.headers).toMatchObject(decided);
    expect((await ask('/tiles', { headers: { 'if-none-match': tag } })).status).toBe(200);
  });
});
