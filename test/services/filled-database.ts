/**
 * Scratch databases of PostgreSQL with the same content: the first of a run fills a template, and each is a copy. Tables
 * take the server three times as long to create as to copy. `test/setup/drop-templates.ts` ends the templates.
 */

import pg from 'pg';
import { findPostgresql } from './postgresql.ts';
import { copyOnPostgresql, onPostgresql, type ScratchDatabase } from './scratch-database.ts';
import type { MissingService, Service } from './service.ts';
import { templatePrefix } from './template-prefix.ts';

// No commit waits for the disk: a scratch database need not survive its server.
const settings = ['synchronous_commit to off'];

/**
 * @param content names what `fill` does: lower case letters, digits and underscores
 * @param fill leaves no connection behind
 */
export async function filledDatabase(
  suite: string,
  content: string,
  fill: (database: ScratchDatabase) => Promise<void>,
): Promise<ScratchDatabase | MissingService> {
  const service = await findPostgresql();
  if ('missing' in service) return service;
  const prefix = templatePrefix();
  const isShared = service.found === 'environment' || service.found === 'usual port';
  if (prefix === undefined || !isShared) {
    const database = await onPostgresql(service, suite, ...settings);
    await fill(database);
    return database;
  }
  const template = `${prefix}${content}`;
  await makeTemplate(service, template, fill);
  return copyOnPostgresql(service, suite, template, settings);
}

/** Makes the template unless another test has made it; a lock lets one test make it. */
async function makeTemplate(
  service: Service,
  template: string,
  fill: (database: ScratchDatabase) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: service.url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [template]);
    const made = await client.query('select 1 from pg_database where datname = $1', [template]);
    if (made.rows.length > 0) return;
    const database = await onPostgresql(service, 'template', ...settings);
    try {
      await fill(database);
      const own = new URL(database.url).pathname.slice(1);
      await client.query(`create database ${template} template ${own}`);
    } finally {
      await database.drop();
    }
  } finally {
    // The lock ends with its connection.
    await client.end();
  }
}
