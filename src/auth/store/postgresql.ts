/** A store in PostgreSQL that uses the host's connection pool. */

import { checkOptions, sqlState, type OptionTableOf } from '../../lib/index.ts';
import * as option from '../../lib/option-rows.ts';
import { AuthConfigurationError } from '../auth-error.ts';
import type { AuthStore } from './store.ts';

/** A `Pool` of `pg`, or an object with the same `query` method. */
export interface PostgresqlAuthPool {
  /** Runs a statement with values, as `pg.Pool` does. */
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
}

/** Options of `postgresqlAuthStore`. */
export interface PostgresqlAuthStoreOptions {
  /** Name of the table, with or without a schema. Default `sluice_auth`. */
  readonly table?: string | undefined;
  /** Whether the table is created if it does not exist. Default true. */
  readonly createTable?: boolean | undefined;
}

const optionTable = {
  table: option.matching(
    'a name of letters, digits and underscores',
    /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/i,
  ),
  createTable: option.boolean,
} satisfies OptionTableOf<PostgresqlAuthStoreOptions>;

/** undefined_table: the table is gone, for example after a restore of the database. */
const undefinedTable = '42P01';

/** Milliseconds between two deletions of expired rows. */
const sweepEvery = 60_000;

/**
 * Creates an `AuthStore` in PostgreSQL, which shares the state of authentication between instances. The table has the
 * columns `key text primary key, value text not null, expires timestamptz not null`. The host owns the pool: the store
 * does not close it.
 *
 * @throws {AuthConfigurationError} AUTH_CONFIGURATION_INVALID when an option is unknown or has a wrong type, or `table` is
 * not a valid name
 */
export function postgresqlAuthStore(
  pool: PostgresqlAuthPool,
  options: PostgresqlAuthStoreOptions = {},
): AuthStore {
  checkOptions(
    'postgresqlAuthStore',
    options,
    optionTable,
    (message) => new AuthConfigurationError(message),
  );
  const { table = 'sluice_auth', createTable = true } = options;
  const name = table
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
  let ready: Promise<unknown> | null = createTable ? null : Promise.resolve();
  let sweptAt = Date.now();
  const query = async (text: string, values: unknown[]): Promise<readonly object[]> => {
    ready ??= makeTable(pool, name).catch((error: unknown) => {
      ready = null;
      throw error;
    });
    await ready;
    return (await pool.query(text, values)).rows;
  };
  const run = async (text: string, values: unknown[]): Promise<readonly object[]> => {
    try {
      return await query(text, values);
    } catch (error) {
      if (!createTable || sqlState(error) !== undefinedTable) throw error;
      ready = null;
      return query(text, values);
    }
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

/** Concurrent instances may all try to create the table: the others then find that it exists. */
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
