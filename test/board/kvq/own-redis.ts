/** A Redis server of a test that can be stopped, started and broken. */

import { Redis } from 'ioredis';
import {
  findProgram,
  freePort,
  scratchDirectory,
  startServer,
} from '../../services/server-process.ts';

/** A server that can be stopped and started again on its port. */
export interface OwnRedis {
  readonly port: number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether a server responds on the port. */
export async function answers(port: number): Promise<boolean> {
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

/** A server that is not started yet; `null` when Redis is not installed. */
export async function ownRedis(extra: readonly string[] = []): Promise<OwnRedis | null> {
  const program = findProgram('redis-server', ['/usr/bin', '/usr/local/bin']);
  if (!program) return null;
  const port = await freePort();
  let stopServer: (() => Promise<void>) | null = null;
  return {
    port,
    async start() {
      const directory = await scratchDirectory('kvq-redis');
      const args = [
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--dir',
        directory,
      ];
      stopServer = await startServer(program, [...args, ...extra], directory, () => answers(port));
      if (!stopServer) throw new Error('redis-server did not start.');
    },
    async stop() {
      await stopServer?.();
      stopServer = null;
    },
  };
}
