/** A connection of the host that breaks when it is checked out fails the request, and not the process. */

import net from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newestLibrary } from './libraries.ts';
import { type World, makeWorld } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_lent');
  await world.boss.createQueue('a');
});
afterAll(() => world?.close());

/** The message of PostgreSQL for a terminated connection. */
function farewell(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');
  const message = Buffer.alloc(5);
  message.write('E');
  message.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([message, fields]);
}

const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** A proxy that ends the first connections together with the data that makes them ready. */
async function breakingWay(breaks: number): Promise<{ port: number; server: net.Server }> {
  const target = new URL(world.url);
  let left = breaks;
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port || 5432), target.hostname);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.pipe(upstream);
    let started = false;
    upstream.on('data', (data) => {
      const isReady = !started && data.subarray(-ready.length).equals(ready);
      if (!isReady) return client.write(data);
      started = true;
      if (left === 0) return client.write(data);
      left -= 1;
      upstream.destroy();
      return client.end(Buffer.concat([data, farewell()]));
    });
    upstream.on('close', () => client.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as net.AddressInfo).port, server };
}

it('is retried once, and leads to 503 when the retry breaks too', async () => {
  const { port, server } = await breakingWay(3);
  const url = new URL(world.url);
  url.host = `127.0.0.1:${port}`;
  url.search = '';
  const pool = new pg.Pool({ connectionString: url.href, max: 1 });
  pool.on('error', () => undefined);
  try {
    const board = await world.board({ connection: pool });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await board.get('/api/pgq/queues/a')).status);
    expect(statuses).toEqual([503, 200, 200]);
  } finally {
    await pool.end();
    server.close();
  }
});
