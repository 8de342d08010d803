/** A store in Redis that uses the host's client. */

import { checkOptions, type OptionTableOf } from '../../lib/index.ts';
import * as option from '../../lib/option-rows.ts';
import { AuthConfigurationError } from '../auth-error.ts';
import type { AuthStore } from './store.ts';

/** A client of `ioredis`, which has `call`, or of `redis`, whose `sendCommand` takes the arguments as an array. */
export type RedisAuthClient =
  | {
      /** Sends a command, as clients of ioredis do. */
      call(command: string, ...words: string[]): Promise<unknown>;
    }
  | {
      /** Sends a command, as clients of node-redis do. */
      sendCommand(words: string[]): Promise<unknown>;
    };

/** Options of `redisAuthStore`. */
export interface RedisAuthStoreOptions {
  /** Prefix of the keys. Default `sluice-auth:`. */
  readonly prefix?: string | undefined;
}

const optionTable = { prefix: option.string } satisfies OptionTableOf<RedisAuthStoreOptions>;

/**
 * Creates an `AuthStore` in Redis, which shares the state of authentication between instances. The host owns the
 * client: the store neither connects nor closes it.
 *
 * @throws {AuthConfigurationError} AUTH_CONFIGURATION_INVALID when an option is unknown or has a wrong type, or the client is not one of `ioredis` or `redis`
 */
export function redisAuthStore(
  client: RedisAuthClient,
  options: RedisAuthStoreOptions = {},
): AuthStore {
  checkOptions(
    'redisAuthStore',
    options,
    optionTable,
    (message) => new AuthConfigurationError(message),
  );
  const { prefix = 'sluice-auth:' } = options;
  const command = commandOf(client);
  const life = (seconds: number): string => String(Math.max(1, Math.ceil(seconds * 1000)));
  return {
    async claim(key, seconds) {
      return (await command(['SET', prefix + key, '', 'PX', life(seconds), 'NX'])) === 'OK';
    },
    async get(key) {
      const value = await command(['GET', prefix + key]);
      return Buffer.isBuffer(value) ? value.toString() : typeof value === 'string' ? value : null;
    },
    async set(key, value, seconds) {
      await command(['SET', prefix + key, value, 'PX', life(seconds)]);
    },
  };
}

function commandOf(client: RedisAuthClient): (words: string[]) => Promise<unknown> {
  if ('call' in client && typeof client.call === 'function') {
    return ([name = '', ...words]) => client.call(name, ...words);
  }
  if ('sendCommand' in client && typeof client.sendCommand === 'function') {
    return (words) => client.sendCommand(words);
  }
  throw new AuthConfigurationError('The client of redisAuthStore must be one of ioredis or redis');
}
