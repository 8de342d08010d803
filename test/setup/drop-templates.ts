/** Drops the databases that the tests of this run have copied. */

import pg from 'pg';
import { templatePrefix } from '../services/template-prefix.ts';

export async function teardown(): Promise<void> {
  // They are only on servers that are not started for tests.
  const url = process.env['SLUICE_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
  } catch {
    return;
  }
  const { rows } = await client.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [templatePrefix()],
  );
  for (const { name } of rows) await client.query(`drop database ${name} with (force)`);
  await client.end();
}
