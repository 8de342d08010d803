/** A store in PostgreSQL, over the pool that the host has. */

import { AuthConfigurationError } from '../auth-error.ts';
import type { AuthStore } from './store.ts';

/** A `Pool` of `pg`, or anything with its `query`. */
export interface PostgresqlAuthPool {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
}

export interface PostgresqlAuthStoreOptions {
  /** Name of its table, with or without a schema. Default `sluice_auth`. */
  readonly table?: string | undefined;
  /** Whether the table is made where it does not exist. Default true. */
  readonly createTable?: boolean | undefined;
}

/** Milliseconds between two deletions of what has expired. */
const sweepEvery = 60_000;

/**
 * Keeps the shared state of authentication in a table: `key text primary key, value text not null, expires timestamptz not
 * null`. The pool stays the host's own.
 *
 * @throws {AuthConfigurationError} AUTH_CONFIGURATION_INVALID when the name of the table is not a plain one
 */
export function postgresqlAuthStore(
  pool: PostgresqlAuthPool,
  { table = 'sluice_auth', createTable = true }: PostgresqlAuthStoreOptions = {},
): AuthStore {
  if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/i.test(table)) {
    throw new AuthConfigurationError('"table" must be a name of letters, digits and underscores');
  }
  const name = table
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
  let ready: Promise<unknown> | null = createTable ? null : Promise.resolve();
  let sweptAt = Date.now();
  const run = async (text: string, values: unknown[]): Promise<readonly object[]> => {
    ready ??= makeTable(pool, name).catch((error: unknown) => {
      ready = null;
      throw error;
    });
    await ready;
    return (await pool.query(text, values)).rows;
  };
  const expires = 'now() + make_interval(secs => $3::float8)';
  return {
    async claim(key, seconds) {
      const rows = await run(
        `insert into ${name} as t (key, value, expires) values ($1, $2, ${expires})
         on conflict (key) do update set value = excluded.value, expires = excluded.expires
         where t.expires <= now() returning key`,
        [key, '', seconds],
      );
      return rows.length > 0;
    },
    async get(key) {
      const [row] = await run(`select value from ${name} where key = $1 and expires > now()`, [
        key,
      ]);
      const value: unknown = row === undefined ? null : Reflect.get(row, 'value');
      return typeof value === 'string' ? value : null;
    },
    async set(key, value, seconds) {
      await run(
        `insert into ${name} (key, value, expires) values ($1, $2, ${expires})
         on conflict (key) do update set value = excluded.value, expires = excluded.expires`,
        [key, value, seconds],
      );
      if (Date.now() - sweptAt < sweepEvery) return;
      sweptAt = Date.now();
      await run(`delete from ${name} where expires <= now()`, []);
    },
  };
}

/** Instances that start together may all make it: the loser finds it there. */
async function makeTable(pool: PostgresqlAuthPool, name: string): Promise<void> {
  const { rows } = await pool.query('select to_regclass($1) is not null as found', [name]);
  if (rows[0]?.['found'] === true) return;
  try {
    await pool.query(
      `create table if not exists ${name} (key text primary key, value text not null, expires timestamptz not null)`,
    );
  } catch (error) {
    const after = await pool.query('select to_regclass($1) is not null as found', [name]);
    if (after.rows[0]?.['found'] !== true) throw error;
  }
}
