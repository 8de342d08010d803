/** Connects to the database of a URL through Knex, which is imported on demand. */

import { existsSync } from 'node:fs';
import type { Knex } from 'knex';
import { families } from '../relational/index.ts';
import { UsageError } from './command.ts';

/** A Knex instance for a `postgresql://`, `mysql://` or `sqlite:` URL. Errors omit the URL, which may contain a password. */
export async function openDatabase(url: string): Promise<Knex> {
  const family = Object.values(families).find(({ companions }) => companions.knex.scheme.test(url));
  if (family === undefined) {
    throw new UsageError('--database must be a URL: postgresql://..., mysql://..., sqlite:<file>.');
  }
  const { client } = family.companions.knex;
  const knexFactory = await loadKnex();
  // Two connections: one for statements, one for the transaction of an ALTER.
  const pool = { min: 0, max: 2 };
  try {
    const connection = url.replace(/^mariadb:/i, 'mysql:');
    const config = family.pooled ? { client, connection, pool } : file(client, url);
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

function file(client: string, url: string): Knex.Config {
  const filename = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
  // The driver would create a missing file.
  if (!existsSync(filename))
    throw new UsageError('--database must be the URL of an existing SQLite file.');
  return { client, connection: { filename }, useNullAsDefault: true };
}

/** Removes the statement, which Knex prepends to the driver's message and which can contain values. */
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
