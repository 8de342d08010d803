/** Opens the database of a URL through Knex, which is loaded only then. */

import { existsSync } from 'node:fs';
import type { Knex } from 'knex';
import { UsageError } from './command.ts';

interface Family {
  readonly scheme: RegExp;
  readonly client: string;
}

const families: readonly Family[] = [
  { scheme: /^postgres(?:ql)?:\/\//i, client: 'pg' },
  { scheme: /^(?:mysql|mariadb):\/\//i, client: 'mysql2' },
  { scheme: /^sqlite:/i, client: 'better-sqlite3' },
];

/** A Knex instance for `postgresql://`, `mysql://` or `sqlite:`; messages never show the URL, which may hold a password. */
export async function openDatabase(url: string): Promise<Knex> {
  const family = families.find(({ scheme }) => scheme.test(url));
  if (family === undefined) {
    throw new UsageError('--database is a URL: postgresql://..., mysql://..., sqlite:<file>.');
  }
  const { client } = family;
  const knexFactory = await loadKnex();
  // Two connections: one statement at a time, and one for the transaction around a table's ALTER.
  const pool = { min: 0, max: 2 };
  try {
    const connection = url.replace(/^mariadb:/i, 'mysql:');
    const config = client === 'better-sqlite3' ? sqlite(url) : { client, connection, pool };
    const knex = knexFactory({ ...config, compileSqlOnError: false });
    knex.on('query-error', withoutStatement);
    return knex;
  } catch (error) {
    if (!isMissingModule(error)) throw error;
    throw new Error(`the driver "${client}" is not installed: npm install ${client}`, {
      cause: error,
    });
  }
}

function sqlite(url: string): Knex.Config {
  const filename = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
  // The driver would create an empty file of a misspelt name.
  if (!existsSync(filename))
    throw new UsageError('--database names an SQLite file that is not there.');
  return { client: 'better-sqlite3', connection: { filename }, useNullAsDefault: true };
}

/** Knex puts the statement before the driver's own message. */
function withoutStatement(error: Error, { sql }: { readonly sql: string }): void {
  const prefix = `${sql} - `;
  if (error.message.startsWith(prefix)) error.message = error.message.slice(prefix.length);
}

async function loadKnex(): Promise<(config: Knex.Config) => Knex> {
  try {
    return (await import('knex')).default;
  } catch (error) {
    if (!isMissingModule(error)) throw error;
    throw new Error('this command needs Knex: npm install knex', { cause: error });
  }
}

function isMissingModule(error: unknown): boolean {
  return error instanceof Error && /Cannot find (?:module|package)|Knex: run/.test(error.message);
}
