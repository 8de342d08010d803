/** A registry read from several schemas, relations between them included, and the list of what it leaves. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import type { IntrospectedRegistry, SqlConnection } from '../../src/adapters/sql/index.ts';
import { type DatabaseFamily, defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { type Opened, openDriver, runScript } from './drivers.ts';

/** Names of the three schemas in the database. */
interface Names {
  readonly main: string;
  readonly billing: string;
  readonly archive: string;
}

/** SQLite alone has no foreign keys between its schemas. */
const crosses = (family: DatabaseFamily): boolean => family !== 'sqlite';

const script = (family: DatabaseFamily, { main, billing, archive }: Names): string[] => [
  `create table ${main}.users (id int primary key, name varchar(40) not null)`,
  `create table ${main}.tags (id int primary key, word varchar(40) not null)`,
  `create table ${archive}.boxes (id int primary key)`,
  ...(family === 'postgresql' ? [`create type ${billing}.state as enum ('open', 'paid')`] : []),
  `create table ${billing}.users (id int primary key, vat varchar(40) not null)`,
  `create table ${billing}.invoices (id int primary key, user_id int not null, payer_id int, box_id int,
     state ${{ postgresql: `${billing}.state`, mysql: `enum('open', 'paid')`, sqlite: 'text' }[family]} not null,
     place ${family === 'sqlite' ? 'datetime' : 'point'},
     foreign key (payer_id) references ${crosses(family) ? `${billing}.` : ''}users (id)
     ${
       crosses(family)
         ? `, foreign key (user_id) references ${main}.users (id), foreign key (box_id) references ${archive}.boxes (id)`
         : ''
     })`,
  `create table ${billing}.invoice_tags (invoice_id int not null, tag_id int not null, primary key (invoice_id, tag_id)
     ${
       crosses(family)
         ? `, foreign key (invoice_id) references ${billing}.invoices (id), foreign key (tag_id) references ${main}.tags (id)`
         : ''
     })`,
  `create table ${billing}.drafts (at varchar(20))`,
  `create view ${billing}.paid as select id from ${billing}.invoices`,
  `insert into ${main}.users values (1, 'Ada'), (2, 'Bo')`,
  `insert into ${main}.tags values (7, 'late')`,
  `insert into ${billing}.users values (1, 'VAT-1')`,
  `insert into ${archive}.boxes values (3)`,
  `insert into ${billing}.invoices (id, user_id, payer_id, box_id, state) values (10, 1, 1, 3, 'paid'), (11, 2, null, null, 'open')`,
  `insert into ${billing}.invoice_tags values (10, 7)`,
];

const families: readonly DatabaseFamily[] = ['postgresql', 'mysql', 'sqlite'];

it('a join table is looked for in the schema that is read', async (context) => {
  const database = await scratchDatabase('postgresql', 'one_schema');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const opened = openDriver('postgresql', database);
  try {
    await runScript(opened, [
      'create schema solo',
      'create table solo.films (id int primary key)',
      'create table solo.actors (id int primary key)',
      `create table solo.roles (film_id int references solo.films, actor_id int references solo.actors,
        primary key (film_id, actor_id))`,
      'insert into solo.films values (1)',
      'insert into solo.actors values (2)',
      'insert into solo.roles values (1, 2)',
    ]);
    const { connection } = opened;
    const registry = await introspect(connection, { schema: 'solo' });
    const { tables } = registry;
    const shown = { allowed: ['id'], default: ['id'] };
    const rules = defineQueryRules(registry, 'films', {
      fields: { root: shown, relations: { actors: shown } },
      includes: ['actors'],
    });
    const source = sqlSource({ connection, registry, tables, model: 'films' });
    expect((await runQuery(source, 'includes=actors', rules)).data).toEqual([
      { id: 1, actors: [{ id: 2 }] },
    ]);
  } finally {
    await opened.close();
  }
});

describe.each(families)('schemas of %s', (family) => {
  let opened: Opened | undefined;
  let connection: SqlConnection;
  let names: Names;
  let registry: IntrospectedRegistry;

  beforeAll(async () => {
    const database = await scratchDatabase(family, 'schemas');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    opened = openDriver(family, database);
    ({ connection } = opened);
    const own = new URL(database.url, 'file:').pathname.slice(1);
    names =
      family === 'mysql'
        ? { main: own, billing: `${own}_billing`, archive: `${own}_archive` }
        : {
            main: family === 'sqlite' ? 'main' : 'public',
            billing: 'billing',
            archive: 'archive',
          };
    const create = {
      postgresql: (name: string) => `create schema ${name}`,
      mysql: (name: string) => `create database ${name}`,
      sqlite: (name: string) => `attach ':memory:' as ${name}`,
    }[family];
    await runScript(opened, [
      create(names.billing),
      create(names.archive),
      ...script(family, names),
    ]);
    registry = await introspect(connection, { schema: [names.main, names.billing] });
  });
  afterAll(async () => {
    if (opened && family === 'mysql') {
      await runScript(opened, [`drop database ${names.billing}`, `drop database ${names.archive}`]);
    }
    await opened?.close();
  });

  /** The name of a model. */
  const modelOf = (schema: string, table: string): string =>
    Object.entries(registry.tables).find(
      ([, each]) => each.schema === schema && each.table === table,
    )?.[0] ?? '';

  it('has the tables of all, under names that tell them apart', (context) => {
    if (!opened) return context.skip();
    const { main, billing } = names;
    expect(modelOf(billing, 'invoices')).toBe('invoices');
    const users = [modelOf(main, 'users'), modelOf(billing, 'users')];
    expect(users.every((name) => /.Users$/.test(name)) && users[0] !== users[1]).toBe(true);
    if (family === 'postgresql') expect(users).toEqual(['publicUsers', 'billingUsers']);
    expect(registry.size).toBe(crosses(family) ? 4 : 5);
  });

  it('finds the relations between them', async (context) => {
    if (!opened) return context.skip();
    const { main, billing } = names;
    const billed = modelOf(billing, 'users');
    const found = (registry.get('invoices')?.relations ?? []).map(
      ({ path, cardinality, target }) => [path, `${cardinality} ${target}`],
    );
    const further = { user: `one ${modelOf(main, 'users')}`, tags: 'many tags' };
    expect(Object.fromEntries(found)).toEqual({
      payer: `one ${billed}`,
      ...(crosses(family) && further),
    });
    const rules = defineQueryRules(
      registry,
      'invoices',
      {
        filters: [
          { path: 'payer.vat', operators: ['eq'] },
          { path: 'state', operators: ['in'] },
          ...(crosses(family)
            ? [
                { path: 'user.name', operators: ['eq'] as const },
                { path: 'tags.word', operators: ['eq'] as const },
              ]
            : []),
        ],
        sorts: ['state'],
        includes: crosses(family) ? ['user', 'payer', 'tags'] : ['payer'],
        fields: {
          root: { allowed: ['id', 'state'], default: ['id', 'state'] },
          relations: {
            payer: { allowed: ['vat'], default: ['vat'] },
            ...(crosses(family) && {
              user: { allowed: ['name'], default: ['name'] },
              tags: { allowed: ['word'], default: ['word'] },
            }),
          },
        },
      },
      { families: [family] },
    );
    const { tables } = registry;
    const source = sqlSource({ connection, registry, tables, model: 'invoices' });
    const request = crosses(family)
      ? 'filter[user.name]=Ada&filter[tags.word]=late&includes=user,payer,tags'
      : 'filter[payer.vat]=VAT-1&includes=payer';
    expect(await runQuery(source, `${request}&filter[state][in]=paid&sort=state`, rules)).toEqual(
      expect.objectContaining({
        data: [
          {
            id: 10,
            state: 'paid',
            payer: { vat: 'VAT-1' },
            ...(crosses(family) && { user: { name: 'Ada' }, tags: [{ word: 'late' }] }),
          },
        ],
        total: 1,
      }),
    );
    // From the other end, across the schemas.
    if (!crosses(family)) return;
    const tagRules = defineQueryRules(registry, 'tags', {
      filters: [{ path: 'invoices.state', operators: ['eq'] }],
      fields: { root: { allowed: ['word'], default: ['word'] } },
    });
    const tags = sqlSource({ connection, registry, tables, model: 'tags' });
    const { data } = await runQuery(tags, 'filter[invoices.state]=paid', tagRules);
    expect(data).toEqual([{ word: 'late' }]);
  });

  it('lists what it has left', (context) => {
    if (!opened) return context.skip();
    const { billing, archive } = names;
    const type = family === 'sqlite' ? 'datetime' : 'point';
    expect(registry.skipped).toHaveLength(crosses(family) ? 4 : 3);
    expect(registry.skipped).toEqual(
      expect.arrayContaining([
        { schema: billing, table: 'drafts', reason: 'it has no primary key' },
        { schema: billing, table: 'paid', reason: 'it is a view without a key in "keys"' },
        {
          schema: billing,
          table: 'invoices',
          column: 'place',
          reason: `its type "${type}" does not determine a kind: it is only shown`,
        },
        ...(crosses(family)
          ? [
              {
                schema: billing,
                table: 'invoices',
                foreignKey: ['box_id'],
                reason: `it references "${archive}.boxes", whose schema is not read`,
              },
            ]
          : []),
      ]),
    );
  });

  it('lists foreign keys to tables that are not models', async (context) => {
    if (!opened) return context.skip();
    const { billing } = names;
    const { skipped } = await introspect(connection, { schema: billing, tables: ['invoices'] });
    expect(skipped).toContainEqual({
      schema: billing,
      table: 'invoices',
      foreignKey: ['payer_id'],
      reason: 'it references "users", which is not a model',
    });
  });

  it('takes names of tables and keys with their schema', async (context) => {
    if (!opened) return context.skip();
    const { main, billing } = names;
    const schema = [main, billing];
    const some = await introspect(connection, {
      schema,
      tables: [`${billing}.users`, 'tags', 'drafts', 'paid'],
      keys: { [`${billing}.drafts`]: 'at', paid: 'id' },
    });
    expect([...some.keys()].toSorted()).toEqual(['drafts', 'paid', 'tags', 'users']);
    expect(some.tables['users']?.schema).toBe(billing);
    expect(some.get('paid')?.fields).toHaveLength(1);
    const wrong = introspect(connection, { schema, keys: { users: 'id' } });
    await expect(wrong).rejects.toThrow('"users" has a primary key');
    for (const name of [`${main}.drafts`, 'nowhere.users']) {
      await expect(introspect(connection, { schema, tables: [name] })).rejects.toThrow(`"${name}"`);
    }
  });

  it('refuses schemas without tables, by name', async (context) => {
    if (!opened) return context.skip();
    await expect(introspect(connection, { schema: [names.main, 'bilng'] })).rejects.toThrow(
      'introspect, "schema": "bilng" has no tables, or does not exist.',
    );
    await expect(introspect(connection, { schema: [] })).rejects.toThrow('"schema"');
  });
});

it('leaves virtual tables of SQLite to keys, and takes versioned tables of MariaDB', async (context) => {
  const sqlite = openDriver('sqlite', await sqliteScratch());
  await runScript(sqlite, [
    'create virtual table areas using rtree(id, low, high)',
    'create table plain (id integer primary key)',
  ]);
  const without = await introspect(sqlite.connection);
  expect([...without.keys(), ...without.skipped]).toEqual([
    'plain',
    { table: 'areas', reason: 'it has no primary key' },
  ]);
  const keys = { areas: 'id' };
  expect((await introspect(sqlite.connection, { keys })).has('areas')).toBe(true);
  await sqlite.close();
  const database = await scratchDatabase('mysql', 'versioned');
  if ('missing' in database) return context.skip();
  if (!database.about.startsWith('MariaDB')) return database.drop();
  const mariadb = openDriver('mysql', database);
  await runScript(mariadb, ['create table kept (id int primary key) with system versioning']);
  expect([...(await introspect(mariadb.connection)).keys()]).toEqual(['kept']);
  await mariadb.close();
});

it('takes names as they are, except __proto__', async () => {
  const sqlite = openDriver('sqlite', await sqliteScratch());
  await runScript(sqlite, [
    `create table "__proto__" (id integer primary key, "__proto__" text)`,
    `create table t (id integer primary key, "__proto___id" integer references "__proto__" (id), "constructor" text)`,
    `insert into "__proto__" values (1, 'one')`,
    `insert into t values (2, 1, 'made')`,
  ]);
  const { connection } = sqlite;
  const registry = await introspect(connection, { naming: 'as-is' });
  const rules = defineQueryRules(registry, 't', {
    filters: [{ path: '__proto.__proto', operators: ['eq'] }],
    includes: ['__proto'],
    fields: {
      root: { allowed: ['id', 'constructor'], default: ['id', 'constructor'] },
      relations: { __proto: { allowed: ['__proto'], default: ['__proto'] } },
    },
  });
  const source = sqlSource({ connection, registry, tables: registry.tables, model: 't' });
  const { data } = await runQuery(source, 'filter[__proto.__proto]=one&includes=__proto', rules);
  expect(data).toEqual([{ id: 2, constructor: 'made', __proto: { __proto: 'one' } }]);
  await sqlite.close();
});

/** A file of SQLite. */
async function sqliteScratch() {
  const database = await scratchDatabase('sqlite', 'names');
  if ('missing' in database) throw new Error(database.advice);
  return database;
}
