/**
 * Gives Redis clients that are connected. A client without a connection would queue a command and send it whenever
 * the server comes back: a job added twice, or a queue emptied an hour later.
 */

import { TimeoutError, withTimeout } from '../../../../lib/index.ts';
import { UnreachableError } from '../../errors/unavailable.ts';
import type { RedisClient } from './client.ts';
import { timeouts } from '../../timeouts.ts';

/** Waits under way, shared by all callers that need the same client. */
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
      reject(new UnreachableError('The connection has ended.'));
    };
    const timer = setTimeout(() => {
      leave();
      reject(new UnreachableError('The server cannot be reached.'));
    }, timeouts().connectMs);
    client.once('ready', arrived);
    client.once('end', ended);
  });
}

/** The client once it is connected; rejects with {@link UnreachableError} when its server cannot be reached. */
export async function readyClient(connecting: Promise<RedisClient>): Promise<RedisClient> {
  const client = await withTimeout(connecting, timeouts().connectMs).catch((error: unknown) => {
    throw error instanceof TimeoutError
      ? new UnreachableError('The server cannot be reached.')
      : error;
  });
  // A lazy client connects with its first command.
  if (client.status === 'ready' || client.status === 'wait') return client;
  if (client.status === 'end') throw new UnreachableError('The connection has ended.');
  await becomesReady(client);
  return client;
}
