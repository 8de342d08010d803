/** In CI: a run ends with the databases and the keys of Redis with which it began, on the servers that all files share. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import type { RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import { isCi } from './ci.ts';

const { env } = process;

const lists: Readonly<Record<string, () => Promise<string[]>>> = {
  async 'keys of Redis'() {
    const client = new Redis(env['SLUICE_REDIS_URL'] ?? 'redis://127.0.0.1:6379');
    const keys = await client.keys('*');
    client.disconnect();
    return keys;
  },
  async 'databases of PostgreSQL'() {
    const url = env['SLUICE_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
    await client.end();
    return rows.map(({ datname }) => datname);
  },
  async 'databases of MySQL'() {
    const uri = env['SLUICE_MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306';
    const client = await createConnection({ uri });
    const [rows] = await client.query<RowDataPacket[]>('show databases');
    await client.end();
    return rows.map((row) => String(row['Database']));
  },
};

/** Returns the function that compares, within the time that a test runner leaves to it. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!isCi) return undefined;
  const before: Record<string, readonly string[]> = {};
  for (const [kind, list] of Object.entries(lists)) before[kind] = await list();
  const left = async (): Promise<string[]> => {
    const names: string[] = [];
    for (const [kind, list] of Object.entries(lists)) {
      const more = (await list()).filter((name) => !before[kind]?.includes(name));
      if (more.length > 0) names.push(`${kind}: ${more.join(', ')}`);
    }
    return names;
  };
  return async () => {
    // A process that a test has ended may still be dropping what is its own.
    for (let attempt = 0; attempt < 20 && (await left()).length > 0; attempt += 1) await sleep(200);
    const names = await left();
    if (names.length > 0) throw new Error(`The tests left behind ${names.join('; ')}`);
  };
}
