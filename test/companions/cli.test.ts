/** `sluice companions` as a process: printed and executed migrations, and errors. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyServiceRequired, findPostgresql } from '../services/index.ts';
import { withDatabase } from '../services/scratch-database.ts';

const server = await findPostgresql();
if ('missing' in server && everyServiceRequired()) throw new Error(server.advice);

const main = join(import.meta.dirname, '../../src/cli/main.ts');

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function sluice(...args: string[]): Promise<Outcome> {
  return new Promise((done) => {
    execFile(process.execPath, [main, ...args], (error, out, err) => {
      done({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

describe('sluice companions', () => {
  let directory: string;
  const inside = (name: string) => join(directory, name);
  const url = () => `sqlite:${inside('shop.db')}`;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-cli-'));
    const database = new Database(inside('shop.db'));
    database.exec('CREATE TABLE "the products" (id INTEGER PRIMARY KEY, title TEXT, status TEXT)');
    database.exec(
      `INSERT INTO "the products" VALUES (1, 'ÄBC', 'open'), (2, 'Déjà', 'lost'), (3, NULL, NULL)`,
    );
    database.close();
    const schema = `{ model: 'product', primaryKey: ['id'], relations: [], fields: [
      { path: 'id', kind: 'integer', nullable: false, primaryKey: true },
      { path: 'name', kind: 'string', nullable: true, primaryKey: false, foldedField: 'nameFolded' },
      { path: 'status', kind: 'enum', enumValues: ['open', 'closed'], nullable: true, primaryKey: false,
        portableOrderField: 'statusOrder' },
      { path: 'nameFolded', kind: 'string', nullable: true, primaryKey: false, internal: true },
      { path: 'statusOrder', kind: 'string', nullable: true, primaryKey: false, internal: true }] }`;
    await writeFile(inside('schemas.mjs'), `export default new Map([['product', ${schema}]]);`);
    await writeFile(
      inside('bad.ts'),
      `export default [${schema.replace("['id']", '[]')}] as unknown[];`,
    );
    await writeFile(
      inside('config.ts'),
      `const database: string = '${url()}';
       export default { database, models: [{ schema: ${schema}, table: 'the products',
         columns: { name: 'title', nameFolded: 'title_folded', statusOrder: 'status_order' } }] };`,
    );
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));
  afterAll(() => ('missing' in server ? undefined : server.dispose()));

  it('prints its commands and options', async () => {
    const help = await sluice('--help');
    expect(help).toMatchObject({ code: 0, err: '' });
    expect(help.out).toContain('companions');
    expect((await sluice('companions', '--help')).out).toContain('--recheck');
    expect(await sluice()).toMatchObject({ code: 2, out: '' });
  });

  it('prints the migration and changes nothing', async () => {
    const printed = await sluice('companions', '--config', inside('config.ts'), '--index');
    expect(printed).toMatchObject({ code: 0, err: '' });
    expect(printed.out).toContain('ALTER TABLE "the products" ADD COLUMN "title_folded" TEXT;');
    expect(printed.out).toContain('CREATE INDEX');
    const database = new Database(inside('shop.db'), { readonly: true });
    expect(database.prepare('SELECT * FROM "the products" WHERE id = 1').get()).toEqual({
      id: 1,
      title: 'ÄBC',
      status: 'open',
    });
    database.close();
  });

  it('runs the migration, reports rows with invalid values, and exits with 1', async () => {
    const ran = await sluice(
      'companions',
      '--config',
      inside('config.ts'),
      '--run',
      '--batch',
      '2',
    );
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('product (the products): 2 rows written');
    expect(ran.out).toContain(
      'status: 1 rows with a value that does not fit the kind; primary keys: (2)',
    );
    expect(ran.out).not.toContain('lost');
    expect(ran.err).toContain('product: 2 of 2 rows, 2 written');
    const database = new Database(inside('shop.db'));
    const read = database.prepare(
      'SELECT title_folded, status_order FROM "the products" ORDER BY id',
    );
    expect(read.raw().all()).toEqual([
      ['äbc', '00000'],
      ['déjà', null],
      [null, null],
    ]);
    database.exec(`UPDATE "the products" SET status = 'closed' WHERE id = 2`);
    database.close();
    const again = await sluice('companions', '--config', inside('config.ts'), '--run', '--recheck');
    expect(again.code).toBe(0);
    expect(again.out).toContain('1 rows written');
  });

  it('exits with 1 where one table of several has rows with invalid values', async () => {
    const database = new Database(inside('two.db'));
    for (const [table, status] of [
      ['whole', 'open'],
      ['spoiled', 'lost'],
    ]) {
      database.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, status TEXT)`);
      database.exec(`INSERT INTO ${table} VALUES (1, '${status}')`);
    }
    database.close();
    await writeFile(
      inside('two.mjs'),
      `export default ['whole', 'spoiled'].map((model) => ({ model, primaryKey: ['id'], relations: [], fields: [
        { path: 'id', kind: 'integer', nullable: false, primaryKey: true },
        { path: 'status', kind: 'enum', enumValues: ['open'], nullable: true, primaryKey: false,
          portableOrderField: 'statusOrder' },
        { path: 'statusOrder', kind: 'string', nullable: true, primaryKey: false, internal: true }] }));`,
    );
    const args = ['--schema', inside('two.mjs'), '--database', `sqlite:${inside('two.db')}`];
    const { code, out } = await sluice('companions', ...args, '--run');
    expect(out).toContain('whole (whole): 1 rows written');
    expect(out).toContain('status: 1 rows with a value that does not fit the kind');
    expect(code).toBe(1);
  });

  it('has the same help by both ways to ask for it', async () => {
    const [help, flag] = await Promise.all([
      sluice('help', 'companions'),
      sluice('companions', '--help'),
    ]);
    expect(help.out).toContain('--recheck');
    expect(help).toEqual(flag);
  });

  it.each<[string, string[], string]>([
    ['an unknown command', ['compagnons'], 'unknown command'],
    ['an inherited property name', ['constructor'], 'unknown command'],
    ['help about an unknown command', ['help', 'compagnons'], 'unknown command'],
    ['an unknown option', ['companions', '--force'], '--force'],
    ['no schema', ['companions', '--database', 'sqlite:x'], 'either --config or --schema'],
    [
      'a batch that is not a number',
      ['companions', '--config', '{config.ts}', '--batch', '1e3'],
      '--batch must be',
    ],
    [
      'a missing module',
      ['companions', '--schema', 'none.mjs', '--database', 'sqlite:x'],
      'cannot be loaded',
    ],
    ['no database', ['companions', '--schema', '{schemas.mjs}'], '--database is required'],
    [
      'an unsupported database',
      ['companions', '--schema', '{schemas.mjs}', '--database', 'oracle://me:secret@h'],
      'must be a URL',
    ],
    [
      'a file that does not exist',
      ['companions', '--schema', '{schemas.mjs}', '--database', 'sqlite:none.db'],
      'existing SQLite file',
    ],
  ])('refuses %s with exit code 2 and no stack trace', async (_case, args, message) => {
    const refused = await sluice(
      ...args.map((arg) => arg.replace(/^\{(.*)\}$/, (_, name) => inside(name))),
    );
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain(message);
    expect(refused.err).not.toMatch(/\n\s+at |secret/);
  });

  it('prints the error of the database, without the statement and its values', async () => {
    const database = new Database(inside('shop.db'));
    database.exec(
      `CREATE TRIGGER guard BEFORE UPDATE ON "the products" BEGIN SELECT RAISE(ABORT, 'frozen'); END`,
    );
    database.exec(`INSERT INTO "the products" (id, title) VALUES (4, 'Secret')`);
    const failed = await sluice('companions', '--config', inside('config.ts'), '--run');
    database.exec('DROP TRIGGER guard; DELETE FROM "the products" WHERE id = 4');
    database.close();
    expect(failed).toMatchObject({ code: 1, out: '', err: 'sluice companions: frozen\n' });
  });

  it('exits with 1 and no stack trace for an invalid schema or database', async () => {
    const invalid = await sluice('companions', '--schema', inside('bad.ts'), '--database', url());
    expect(invalid.code).toBe(1);
    expect(invalid.err).toContain('primaryKey is empty');
    const noTable = await sluice(
      'companions',
      '--schema',
      inside('schemas.mjs'),
      '--database',
      url(),
    );
    expect(noTable).toMatchObject({ code: 1, out: '' });
    expect(noTable.err).toContain('the table "product" does not exist');
    const closed = await sluice(
      'companions',
      '--schema',
      inside('schemas.mjs'),
      '--database',
      'postgresql://me:secret@127.0.0.1:1/x',
    );
    expect(closed.code).toBe(1);
    expect(closed.err).not.toMatch(/\n\s+at |secret/);
    expect(closed.err.trim().length).toBeGreaterThan('sluice companions:'.length);
  });

  it.skipIf('missing' in server)('says in one line that the database does not exist', async () => {
    const url = 'missing' in server ? '' : withDatabase(server.url, 'sluice_absent');
    const refused = await sluice('companions', '--config', inside('config.ts'), '--database', url);
    expect(refused).toEqual({
      code: 1,
      out: '',
      err: 'sluice companions: database "sluice_absent" does not exist\n',
    });
  });
});
