/** The addresses of the benchmark's databases: from the environment, else the default local ports. */

import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Family = 'pg' | 'sqlite' | 'mysql';

export const families: readonly Family[] = ['pg', 'sqlite', 'mysql'];

/** The benchmark's own database on PostgreSQL and MariaDB. */
export const databaseName = 'sluice_bench';

/** Address of a PostgreSQL database of the server under test. */
export function postgresUrl(database: string): string {
  const url = new URL(
    process.env['SLUICE_BENCH_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/',
  );
  url.pathname = `/${database}`;
  return url.toString();
}

/** A pool on the benchmark's own database. Its connections stay, so that the CPU time of their backends can be read. */
export function postgresPool() {
  return { connectionString: postgresUrl(databaseName), max: 4, idleTimeoutMillis: 0 };
}

/** Address of the MariaDB or MySQL server under test, with or without the benchmark's database. */
export function mysqlUrl(database = ''): string {
  const url = new URL(process.env['SLUICE_BENCH_MYSQL'] ?? 'mysql://root@127.0.0.1:3306/');
  url.pathname = `/${database}`;
  return url.toString();
}

/** The format of instants in a SQLite file: milliseconds, or the text that TypeORM or Prisma writes. */
export type StoredInstants = 'milliseconds' | 'typeorm' | 'prisma';

/** File of the SQLite database with this format of instants; the rows are the same in all three. */
export function sqliteFile(stored: StoredInstants = 'milliseconds'): string {
  const file = process.env['SLUICE_BENCH_SQLITE'] ?? join(tmpdir(), 'sluice-bench.sqlite');
  return stored === 'milliseconds' ? file : `${file}-${stored}`;
}
