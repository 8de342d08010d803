/** What several instances of a board share: keys with values that expire. */

/**
 * A store that all instances of a board use. Keys hold no secret, and values only what is sealed under the cookie's secret.
 * `redisAuthStore` and `postgresqlAuthStore` make one of a connection at hand. Where none is given, each process keeps
 * its own in memory.
 */
export interface AuthStore {
  /** Sets a key that has no value yet; false where it has one. Exactly one of several callers is answered true. */
  claim(key: string, seconds: number): Promise<boolean>;
  /** The value of a key, `null` where it has none or has expired. */
  get(key: string): Promise<string | null>;
  /** Sets the value of a key, for so many seconds. */
  set(key: string, value: string, seconds: number): Promise<void>;
}
