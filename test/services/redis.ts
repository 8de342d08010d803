/** Finds Redis: environment variable, default port, Docker, a local binary. */

import { connect } from 'node:net';
import { startContainer } from './docker.ts';
import { findProgram, freePort, scratchDirectory, startServer } from './server-process.ts';
import { firstFound, leaveRunning } from './service.ts';
import type { MissingService, Service } from './service.ts';

/** Whether a Redis server responds at the URL; a server that requires a password counts. */
function answers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 6379) }, () => {
      socket.write('PING\r\n');
    });
    const settle = (value: boolean) => (): void => {
      socket.destroy();
      resolve(value);
    };
    socket.setTimeout(20_000, settle(false));
    socket.once('error', settle(false));
    socket.once('data', (reply) => settle(/^(?:\+PONG|-NOAUTH)/.test(reply.toString()))());
  });
}

async function fromEnvironment(): Promise<Service | null> {
  const url = process.env['SLUICE_REDIS_URL'];
  if (!url) return null;
  if (await answers(url))
    return { name: 'redis', url, found: 'environment', dispose: leaveRunning };
  throw new Error('SLUICE_REDIS_URL names a server that does not answer.');
}

async function onUsualPort(): Promise<Service | null> {
  const url = 'redis://127.0.0.1:6379';
  if (!(await answers(url))) return null;
  return { name: 'redis', url, found: 'usual port', dispose: leaveRunning };
}

const fromDocker = (): Promise<Service | null> =>
  startContainer({
    name: 'redis',
    image: 'redis:7',
    port: 6379,
    environment: {},
    url: (port) => `redis://127.0.0.1:${port}`,
    answers,
  });

async function fromBinary(): Promise<Service | null> {
  const program = findProgram('redis-server', ['/usr/bin', '/usr/local/bin']);
  if (!program) return null;
  const directory = await scratchDirectory('redis');
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory];
  const stop = await startServer(program, args, directory, () => answers(url));
  return stop && { name: 'redis', url, found: 'started here', dispose: stop };
}

/** The steps by name, so that each can be tested separately. */
export const redisSteps = { fromEnvironment, onUsualPort, fromDocker, fromBinary } as const;

/** Finds or starts a Redis server. */
export function findRedis(): Promise<Service | MissingService> {
  return firstFound(
    'redis',
    'Redis: install redis-server, or set SLUICE_REDIS_URL=redis://host:port.',
    Object.values(redisSteps),
  );
}
