/** A Redis for the benchmark alone, so that other clients and keys do not affect the figures. */

import { Redis } from 'ioredis';
import {
  findProgram,
  freePort,
  scratchDirectory,
  startServer,
} from '../../test/services/server-process.ts';

/** A running server. */
export interface BenchRedis {
  readonly port: number;
  stop(): Promise<void>;
}

async function answers(port: number): Promise<boolean> {
  const client = new Redis({
    port,
    host: '127.0.0.1',
    lazyConnect: true,
    retryStrategy: () => null,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

/**
 * Starts a server without persistence.
 *
 * @throws Error when the machine has no redis-server
 */
export async function startRedis(): Promise<BenchRedis> {
  const program = findProgram('redis-server', ['/usr/bin', '/usr/local/bin']);
  if (!program) throw new Error('This benchmark starts its own redis-server: install it.');
  const port = await freePort();
  const directory = await scratchDirectory('bench-kvq');
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory];
  const stop = await startServer(program, args, directory, () => answers(port));
  if (!stop) throw new Error('redis-server did not start.');
  return { port, stop };
}
