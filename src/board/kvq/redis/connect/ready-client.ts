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

/** Clients for which a wait has ended in vain: until they are ready, nobody waits for them again. */
const away = new WeakSet<RedisClient>();

/** Connections that were still being made when a wait ended. */
const unmade = new WeakSet<object>();

const unreachable = (): Error => new UnreachableError('The server is unreachable.');

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
      away.add(client);
      client.once('ready', () => away.delete(client));
      reject(unreachable());
    }, timeouts().connectMs);
    client.once('ready', arrived);
    client.once('end', ended);
  });
}

/** The client that a library is making for `owner`, which one request waits for, and not every request. */
async function madeClient(owner: object, connecting: Promise<RedisClient>): Promise<RedisClient> {
  const isAway = unmade.has(owner);
  try {
    // A client that exists is there at the next turn.
    return await withTimeout(connecting, isAway ? 1 : timeouts().connectMs);
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    if (!isAway) {
      const made = (): void => void unmade.delete(owner);
      unmade.add(owner);
      connecting.then(made, made);
    }
    throw unreachable();
  }
}

/**
 * The client of `owner` once it is connected. Rejects with {@link UnreachableError} when its server is unreachable: at
 * once, if an earlier call has waited for it in vain.
 */
export async function readyClient(
  owner: object,
  connecting: Promise<RedisClient>,
): Promise<RedisClient> {
  const client = await madeClient(owner, connecting);
  // A lazy client connects on its first command.
  if (client.status === 'ready' || client.status === 'wait') return client;
  if (client.status === 'end') throw new UnreachableError('The connection is closed.');
  if (away.has(client)) throw unreachable();
  await becomesReady(client);
  return client;
}
