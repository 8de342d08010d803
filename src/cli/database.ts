/** Connects to the database of a URL through Knex, which is imported on demand. */

import { existsSync } from 'node:fs';
import type { Knex } from 'knex';
import { families } from '../relational/index.ts';
import { familyTools } from '../relational/tools/index.ts';
import { isMissingPackage, failedImport } from '../lib/index.ts';
import { UsageError } from './command.ts';

/** A Knex instance for a `postgresql://`, `mysql://` or `sqlite:` URL. Errors omit the URL, which may contain a password. */
export async function openDatabase(url: string): Promise<Knex> {
  const names = Object.keys(familyTools) as (keyof typeof familyTools)[];
  const name = names.find((each) => familyTools[each].companions.knex.scheme.test(url));
  if (name === undefined) {
    throw new UsageError('--database must be a URL: postgresql://..., mysql://..., sqlite:<file>.');
  }
  const { client } = familyTools[name].companions.knex;
  const knexFactory = await loadKnex();
  // Two connections: one for statements, one for the transaction of an ALTER.
  const pool = { min: 0, max: 2 };
  try {
    const connection = url.replace(/^mariadb:/i, 'mysql:');
    const config = families[name].pooled ? { client, connection, pool } : file(client, url);
    // Knex warns of a connection that fails with the error that it throws as well.
    const log = { warn: () => undefined };
    const knex = knexFactory({ ...config, log, compileSqlOnError: false });
    knex.on('query-error', withoutStatement);
    return knex;
  } catch (error) {
    // Knex replaces the error of its driver by advice of its own.
    if (!isMissingPackage(error) && !/Knex: run/.test(String(error))) throw error;
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
    throw failedImport(error, 'knex', 'This command');
  }
}
