/** Loads the data of the demo into PostgreSQL, once. */

import type { Pool, PoolClient } from 'pg';

import { createIndexes, createTables } from './ddl.ts';
import type { Progress } from './progress.ts';
import type { RowValues, TableRows } from './rows.ts';

const batchRows = 5000;
const tableNames = ['cities', 'borders', 'country_languages', 'languages', 'countries'];

/** Inserts a batch as one array per column, so that the statement text does not depend on the number of rows. */
async function insert(
  client: PoolClient,
  { table, columns }: TableRows,
  types: ReadonlyMap<string, string>,
  rows: readonly RowValues[],
): Promise<void> {
  const arrays = columns.map((column, index) => `$${index + 1}::${types.get(column)}[]`);
  await client.query(
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})`,
    columns.map((_, index) => rows.map((row) => row[index])),
  );
}

async function typesOf(client: PoolClient, table: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0`,
    [table],
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** The loaded edition of the data; `null` before the first load. */
export async function loadedInPostgres(pool: Pool): Promise<string | null> {
  const { rows } = await pool.query<{ edition: string | null }>(
    `SELECT obj_description(to_regclass('cities'), 'pg_class') AS edition`,
  );
  return rows[0]?.edition ?? null;
}

/** Replaces all tables in one transaction; the comment on `cities` stores the edition. */
export async function loadPostgres(
  pool: Pool,
  tables: readonly TableRows[],
  edition: string,
  progress: Progress,
): Promise<void> {
  const client = await pool.connect();
  // A lost connection also fails its statement, which reports the error.
  client.on('error', () => undefined);
  try {
    await client.query('BEGIN');
    await client.query(`DROP TABLE IF EXISTS ${tableNames.join(', ')}`);
    for (const statement of createTables('postgresql')) await client.query(statement);
    for (const table of tables) {
      const types = await typesOf(client, table.table);
      for (let start = 0; start < table.rows.length; start += batchRows) {
        const rows = table.rows.slice(start, start + batchRows);
        await insert(client, table, types, rows);
        progress.add(rows.length);
      }
    }
    for (const statement of createIndexes) await client.query(statement);
    await client.query(`COMMENT ON TABLE cities IS ${client.escapeLiteral(edition)}`);
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE');
  } finally {
    // Closes the connection, and with it a transaction that failed.
    client.release(true);
  }
}
