/** The indexes that rules have a use for: named where they exist, and created by the statement where they do not. */

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import {
  checkProfile,
  enforceProfile,
  introspect,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import { type CompiledQueryRules, type DatabaseFamily, defineQueryRules } from '../../src/index.ts';
import { type IndexUse, readIndexUses } from '../../src/relational/profile/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { openDriver } from '../sql/drivers.ts';

const families = ['postgresql', 'mysql', 'sqlite'] as const;

const found = (uses: readonly IndexUse[]) =>
  uses.map(({ serves, index }) => [serves.join(', '), index !== null]);

async function opened(family: DatabaseFamily) {
  const database = await scratchDatabase(family, 'index_uses');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return undefined;
  }
  const driver = openDriver(family, database);
  const { run, connection } = driver;
  await run('create table companies (id int primary key, name varchar(40) not null)');
  await run(
    'create table users (id int primary key, company_id int not null, created_at int, age int, name varchar(40) not null, foreign key (company_id) references companies (id))',
  );
  await run(
    'create table posts (id int primary key, author_id int not null, title varchar(40) not null)',
  );
  await run('create index users_of_age on users (age, name)');
  const registry = await introspect(connection);
  const source = sqlSource({ connection, registry, tables: registry.tables, model: 'users' });
  const rules = defineQueryRules(
    registry,
    'users',
    {
      filters: [
        { path: 'company.name', operators: ['eq'] },
        { path: 'age', operators: ['between'] },
        { path: 'name', operators: ['like', 'eq', 'startsWith'] },
      ],
      sorts: ['createdAt', 'id', 'company.name'],
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        relations: { company: { allowed: ['id'], default: ['id'] } },
      },
      includes: ['company'],
    },
    { families: [family] } as object,
  );
  return { ...driver, url: database.url, source, rules };
}

it.each(families)('are named on %s, and created by their statements', async (family) => {
  const there = await opened(family);
  if (!there) return;
  const { source, rules, run, close } = there;
  try {
    const before = await readIndexUses(source, rules);
    // InnoDB has an index for each foreign key.
    const hasReference = family === 'mysql';
    expect(found(before)).toEqual([
      ['sort createdAt', false],
      ['sort id', true],
      ['sort company.name, filter company.name', hasReference],
      ['sort company.name, filter company.name, include company', true],
      ['sort company.name, filter company.name', false],
      ['filter age', true],
      // On PostgreSQL, an ordinary index does not serve the starts of texts.
      ...(family === 'postgresql' ? [['filter name', false]] : []),
      ['filter name', false],
    ]);
    const lacking = before.filter(({ index }) => index === null);
    const advice = (await checkProfile(source, rules)).filter(({ rule }) => rule === 'index');
    expect(advice.map(({ detail }) => detail)).toEqual(
      lacking.map(({ statement }) => `no index serves it: ${statement}`),
    );
    // A budget supposes the indexes of its filters: a term, and one more for a relation to one row.
    const bounded: CompiledQueryRules = { ...rules, limits: { ...rules.limits, cost: 100 } };
    const supposed = (await checkProfile(source, bounded)).filter(({ rule }) => rule === 'index');
    expect(supposed.map(({ detail }) => detail)).toEqual(
      lacking.map(({ serves, statement }) => {
        const cost = serves.includes('filter company.name') ? 2 : 1;
        const isFilter = serves.some((use) => use.startsWith('filter '));
        return `no index serves it${isFilter ? `, as its cost of ${cost} supposes` : ''}: ${statement}`;
      }),
    );
    for (const { statement } of lacking) await run(statement);
    expect((await readIndexUses(source, rules)).every(({ index }) => index !== null)).toBe(true);
    expect((await checkProfile(source, rules)).filter(({ rule }) => rule === 'index')).toEqual([]);
  } finally {
    await close();
  }
});

it('are missed in one line at boot where a table is large', async () => {
  const there = await opened('postgresql');
  if (!there) return;
  const { source, rules, run, close } = there;
  const lines: string[] = [];
  const logger = { warn: (line: string) => void lines.push(line) };
  try {
    await enforceProfile(source, rules, { logger });
    await run("update pg_class set reltuples = 2e6 where oid = 'users'::regclass");
    await enforceProfile(source, rules, { logger, warnOfSorts: false });
    expect(lines).toEqual([]);
    await enforceProfile(source, rules, { logger });
    expect(lines).toEqual([
      expect.stringMatching(
        /^sluice: sorts of users without an index .* sort createdAt: create index "users_created_at_id"/,
      ),
    ]);
    const wrong = { warnOfSort: false } as object;
    await expect(enforceProfile(source, rules, wrong)).rejects.toThrow(TypeError);
  } finally {
    await close();
  }
});

it('are those of the joins for values over a relation', async () => {
  const there = await opened('sqlite');
  if (!there) return;
  const { connection, close } = there;
  try {
    const registry = await introspect(connection);
    const tables = registry.tables;
    const source = sqlSource({ connection, registry, tables, model: 'companies' });
    const rules = defineQueryRules(
      registry,
      'companies',
      {
        filters: [{ path: 'users.$count', operators: ['gte'] }],
        sorts: ['users.$max.age'],
        aggregates: { users: { count: true, max: ['age'] } },
        fields: { root: { allowed: ['id', 'users.$count'], default: ['id'] } },
      },
      { families: ['sqlite'] },
    );
    const all = 'value users.$count, value users.$max.age';
    expect(found(await readIndexUses(source, rules))).toEqual([
      [`sort users.$max.age, ${all}, filter users.$count`, true],
      [`sort users.$max.age, ${all}, filter users.$count`, false],
    ]);
  } finally {
    await close();
  }
});

it('know how many rows MySQL expects', async () => {
  const there = await opened('mysql');
  if (!there) return;
  const { source, rules, run, close } = there;
  try {
    await run(`insert into companies values (1, 'a'), (2, 'b')`);
    await run('analyze table companies');
    const rows = (await readIndexUses(source, rules)).map((use) => use.rows);
    expect(rows).toContain(2);
  } finally {
    await close();
  }
});

const root = path.join(import.meta.dirname, '../..');
const command = (...args: readonly string[]) =>
  spawnSync(process.execPath, [path.join(root, 'src/cli/main.ts'), 'indexes', ...args], {
    encoding: 'utf8',
  });

it('are printed by a command, as statements that can be run', async () => {
  const there = await opened('sqlite');
  if (!there) throw new Error('SQLite is always there.');
  const { url, run, close } = there;
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-indexes-'));
  const module = path.join(folder, 'endpoints.mjs');
  const own = (file: string) => JSON.stringify(pathToFileURL(path.join(root, file)).href);
  const write = (exported: string) =>
    writeFile(
      module,
      `import Sqlite from ${own('node_modules/better-sqlite3/lib/index.js')};
     import { introspect, sqlSource } from ${own('src/adapters/sql/index.ts')};
     import { defineQueryRules } from ${own('src/index.ts')};
     const connection = new Sqlite(${JSON.stringify(url)});
     const registry = await introspect(connection);
     const source = sqlSource({ connection, registry, tables: registry.tables, model: 'users' });
     const rulesOf = (sorts) => defineQueryRules(registry, 'users', {
       sorts,
       fields: { root: { allowed: ['id'], default: ['id'] } },
     });
     const one = { source, rules: rulesOf(['createdAt', 'age']), close: () => connection.close() };
     const other = { source, rules: rulesOf(['age']) };
     export default ${exported};`,
    );
  try {
    await write('[one, other]');
    const first = command('--endpoints', module);
    // The index of another endpoint than the last is lacking.
    expect([first.stderr, first.status]).toEqual(['', 1]);
    await write('one');
    const lacking = command('--endpoints', module);
    expect(lacking.stderr).toBe('');
    expect(first.stdout.startsWith(lacking.stdout)).toBe(true);
    expect(lacking.stdout).toBe(
      `-- users
create index "users_created_at_id" on "users" ("created_at", "id"); -- sort createdAt
-- users_of_age on "users" ("age"): sort age
`,
    );
    expect(lacking.status).toBe(1);
    await run(lacking.stdout);
    expect(command('--endpoints', module).status).toBe(0);
    expect(command().status).toBe(2);
    expect(command('--endpoints', path.join(root, 'package.json')).status).toBe(2);
  } finally {
    await close();
    await rm(folder, { recursive: true });
  }
});

it('are inverted for members of arrays and values within jsonb', async () => {
  const there = await opened('postgresql');
  if (!there) return;
  const { connection, run, close } = there;
  try {
    await run(
      'create table "art""icles" (id int primary key, tags text[], small smallint[], at timestamptz[], data jsonb, plain json)',
    );
    const any = (type: string, more: object = {}) => ({ type, nullable: true, ...more });
    const paths = { tags: 'string[]', name: 'string', at: 'datetime' } as const;
    const tables = sqlTables({
      article: {
        table: 'art"icles',
        primaryKey: 'id',
        columns: {
          id: 'integer',
          tags: any('text[]'),
          small: any('smallint[]'),
          at: any('timestamptz[]'),
          data: any('jsonb', { paths }),
          plain: any('json', { paths }),
        },
      },
    });
    const registry = sqlRegistry(tables, { families: ['postgresql'] });
    const source = sqlSource({ connection, registry, tables, model: 'article' });
    const members = ['has', 'notHas'] as const;
    const rules = defineQueryRules(registry, 'article', {
      filters: [
        { path: 'tags', operators: ['hasAll'] },
        { path: 'small', operators: members },
        { path: 'at', operators: members },
        { path: 'data.tags', operators: members },
        { path: 'data.name', operators: ['eq', 'gt'] },
        { path: 'data.at', operators: ['eq'] },
        { path: 'plain.tags', operators: members },
        { path: 'plain.name', operators: ['eq'] },
      ] as never,
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    const lacking = await readIndexUses(source, rules);
    expect(lacking.map(({ serves, statement }) => [serves, statement])).toEqual([
      [['filter tags'], 'create index "art""icles_tags" on "art""icles" using gin ("tags")'],
      [
        ['filter data.tags', 'filter data.name'],
        'create index "art""icles_data" on "art""icles" using gin ("data" jsonb_path_ops)',
      ],
    ]);
    expect(found(lacking).map(([, isThere]) => isThere)).toEqual([false, false]);
    for (const { statement } of lacking) await run(statement);
    expect(found(await readIndexUses(source, rules)).map(([, isThere]) => isThere)).toEqual([
      true,
      true,
    ]);
    const opposites = defineQueryRules(registry, 'article', {
      filters: [{ path: 'tags', operators: ['notHas', 'isEmpty'] }] as never,
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    expect(await readIndexUses(source, opposites)).toEqual([]);
  } finally {
    await close();
  }
});
