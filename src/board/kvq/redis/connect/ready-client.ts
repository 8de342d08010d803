/**
 * Refuses to queue commands for a server that is away. A client that waits for its server would hold a command
 * back and send it when nobody expects it any more: a job added twice, a queue emptied an hour later.
 */

import { StoreTimeout, within } from '../../time-limit.ts';
import { timeouts } from '../../timeouts.ts';
import type { RedisClient } from './client.ts';

/** The server cannot be reached now. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway';
}

/** Those who wait for a client wait together. */
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
      reject(new StoreAway('The connection has ended.'));
    };
    const timer = setTimeout(() => {
      leave();
      reject(new StoreAway('The server cannot be reached.'));
    }, timeouts().connectMs);
    client.once('ready', arrived);
    client.once('end', ended);
  });
}

/** The client once it is connected; rejects with {@link StoreAway} when its server is not there. */
export async function readyClient(connecting: Promise<RedisClient>): Promise<RedisClient> {
  const client = await within(timeouts().connectMs, connecting).catch((error: unknown) => {
    throw error instanceof StoreTimeout ? new StoreAway('The server cannot be reached.') : error;
  });
  // A lazy client connects with its first command.
  if (client.status === 'ready' || client.status === 'wait') return client;
  if (client.status === 'end') throw new StoreAway('The connection has ended.');
  await becomesReady(client);
  return client;
}
