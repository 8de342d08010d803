/**
 * Returns only connected Redis clients. A disconnected client would queue commands and send them after it reconnects: a
 * job added twice, or a queue emptied an hour later.
 */

import { TimeoutError, withTimeout } from '../../../../lib/index.ts';
import { UnreachableError } from '../../errors/unavailable.ts';
import type { RedisClient } from './client.ts';
import { timeouts } from '../../timeouts.ts';

/** Pending waits, shared by all callers for the same client. */
const waiting = new WeakMap<RedisClient, Promise<void>>();

function becomesReady(client: RedisClient): Promise<void> {
  let wait = waiting.get(client);
  if (!wait) {
    wait = awaitReady(client).finally(() => waiting.delete(client));
    waiting.set(client, wait);
  }
  return wait;
}

function awaitReady(client: RedisClient): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      client.removeListener('ready', arrived);
      client.removeListener('end', ended);
      clearTimeout(timer);
    };
    const arrived = (): void => {
      leave();
      resolve();
    };
    const ended = (): void => {
      leave();
      reject(new UnreachableError('The connection is closed.'));
    };
    const timer = setTimeout(() => {
      leave();
      reject(new UnreachableError('The server is unreachable.'));
    }, timeouts().connectMs);
    client.once('ready', arrived);
    client.once('end', ended);
  });
}

/** The client once it is connected. Rejects with {@link UnreachableError} when its server is unreachable. */
export async function readyClient(connecting: Promise<RedisClient>): Promise<RedisClient> {
  const client = await withTimeout(connecting, timeouts().connectMs).catch((error: unknown) => {
    throw error instanceof TimeoutError
      ? new UnreachableError('The server is unreachable.')
      : error;
  });
  // A lazy client connects on its first command.
  if (client.status === 'ready' || client.status === 'wait') return client;
  if (client.status === 'end') throw new UnreachableError('The connection is closed.');
  await becomesReady(client);
  return client;
}
