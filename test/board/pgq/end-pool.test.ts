/** The end of a pool whose server accepts connections and never replies. */

import { once } from 'node:events';
import { type AddressInfo, Socket, createServer } from 'node:net';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { endPool, openPool } from '../../../src/board/pgq/connect/end-pool.ts';

it.each(['its own sockets', 'the sockets of the host'])('cuts %s', async (kind) => {
  const accepted: Socket[] = [];
  const server = createServer((socket) => {
    accepted.push(socket);
    socket.on('error', () => undefined).resume();
  });
  onTestFinished(() => {
    for (const socket of accepted) socket.destroy();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const given: Socket[] = [];
  const stream = (): Socket => {
    const socket = new Socket();
    given.push(socket);
    return socket;
  };
  const isHosts = kind === 'the sockets of the host';
  const pool = openPool(pg, {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    ...(isHosts && { stream }),
  });
  const failed = pool.query('select 1').then(
    () => false,
    () => true,
  );
  await expect.poll(() => accepted.length).toBe(1);
  await endPool(pool);
  await expect.poll(() => accepted.every(({ destroyed }) => destroyed)).toBe(true);
  expect(await failed).toBe(true);
  expect(given).toHaveLength(isHosts ? 1 : 0);
});
