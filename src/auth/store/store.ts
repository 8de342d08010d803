/** The store shared by several instances of a board: keys with values that expire. */

/**
 * A store that all instances of a board share. Keys do not contain secrets, and session data in values is sealed under
 * the cookie secret. `redisAuthStore` and `postgresqlAuthStore` create one from an existing connection. Without a store
 * each process keeps its state in memory.
 */
export interface AuthStore {
  /** Sets a key that has no value yet, else returns false. Of several concurrent callers exactly one gets true. */
  claim(key: string, seconds: number): Promise<boolean>;
  /** Returns the value of a key; `null` if it is absent or has expired. */
  get(key: string): Promise<string | null>;
  /** Sets the value of a key with a lifetime in seconds. */
  set(key: string, value: string, seconds: number): Promise<void>;
}
