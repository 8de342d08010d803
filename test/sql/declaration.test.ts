/** Declared tables become a registry, and errors in them are reported by name. */

import Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import knex from 'knex';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { type SqlTables, sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { QueryError } from '../../src/index.ts';

const tables = sqlTables({
  user: {
    table: 'users',
    primaryKey: 'id',
    columns: {
      id: 'int8',
      name: 'varchar(80)',
      name_folded: 'text',
      mood: { type: 'mood', enumValues: ['sad', 'happy'], foldedField: false },
      moodFolded: 'text',
      price: { type: 'numeric(10, 2)', portableOrderField: 'priceKey' },
      priceKey: 'text',
      companyId: { type: 'int unsigned', column: 'company_id', nullable: true },
    },
    relations: { company: { one: 'company', from: 'companyId' } },
  },
  company: {
    table: 'companies',
    primaryKey: ['id'],
    columns: { id: 'bigint' },
    relations: { users: { many: 'user', to: 'companyId' } },
  },
});

/** The message of the error for invalid tables. */
function refusal(change: object): string {
  try {
    sqlRegistry({ ...tables, user: { ...tables.user, ...change } } as SqlTables);
  } catch (error) {
    expect(error).toBeInstanceOf(QueryError);
    expect((error as QueryError).code).toBe('SOURCE_CONFIGURATION_INVALID');
    return (error as QueryError).message;
  }
  return 'nothing is refused';
}

describe('a registry of declared tables', () => {
  it('has kinds by type, companions by convention or name, and relations', () => {
    const user = sqlRegistry(tables).get('user');
    expect(user?.fields.map(({ path, kind, internal }) => [path, kind, internal ?? false])).toEqual(
      [
        ['id', 'bigint', false],
        ['name', 'string', false],
        ['name_folded', 'string', true],
        ['mood', 'enum', false],
        ['moodFolded', 'string', false],
        ['price', 'decimal', false],
        ['priceKey', 'string', true],
        ['companyId', 'bigint', false],
      ],
    );
    expect(user?.fields[1]).toMatchObject({ foldedField: 'name_folded' });
    expect(user?.relations).toEqual([
      { path: 'company', target: 'company', cardinality: 'one', nullable: true },
    ]);
  });

  it.each([
    [{ colums: {} }, '"colums" is not an option of table "user"; did you mean "columns"?'],
    [{ primaryKey: 7 }, '"primaryKey" must be a string or a list of strings'],
    [
      { columns: { id: { type: 'int', nulable: true } } },
      '"columns.id.nulable" is not an option of table "user"; did you mean "columns.id.nullable"?',
    ],
    [
      { columns: { id: { name: 'user_id' } } },
      '"columns.id.name" is not an option of table "user"; did you mean "columns.id.column"?',
    ],
    [
      { relations: { boss: { one: 'boss', from: 'id' } } },
      'no table has model "boss"; there is user',
    ],
    [{ relations: { company: { one: 'company', from: 'nope' } } }, 'user has no column "nope"'],
    [{ relations: { companies: { many: 'company' } } }, '"to" must name the paths of company'],
    [
      { relations: { company: { one: 'company', from: ['id', 'companyId'] } } },
      'it joins 2 columns with 1',
    ],
  ])('refuses %j', (change, message) => {
    expect(refusal(change)).toContain(message);
  });

  it('refuses options that do not exist', () => {
    expect(() => sqlRegistry(tables, { family: ['mysql'] } as never)).toThrow(
      '"family" is not an option of sqlRegistry',
    );
  });

  it('shows columns of a type that only the host knows', () => {
    const columns = { ...tables.user.columns, shape: 'hull' };
    const { user } = { user: { ...tables.user, columns } };
    const fields = sqlRegistry({ ...tables, user } as SqlTables).get('user')?.fields;
    expect(fields?.at(-1)).toMatchObject({ path: 'shape', kind: 'opaque' });
  });
});

describe('a source', () => {
  const registry = sqlRegistry(tables);
  const on = (connection: unknown, more: object = {}) =>
    sqlSource({ connection: connection as pg.Pool, registry, tables, model: 'user', ...more });

  it('refuses an unknown connection, and names the supported ones', () => {
    const accepted =
      'an executor, a Pool of pg, a Client of pg, a pool or connection of mysql2, a Database of better-sqlite3, a Knex instance, a Kysely instance';
    class Oracle {
      readonly password = 'secret';
    }
    const message = (given: string) => `"connection" must be one of: ${accepted}; it is ${given}.`;
    expect(() => on(new Oracle())).toThrow(message('an instance of Oracle'));
    expect(() => on({ host: 'x' })).toThrow(message('an object of another kind'));
    // It has methods `run` and `transaction` as an executor has.
    const database = drizzle(new Sqlite(':memory:'));
    expect(() => on(database)).toThrow(message('an instance of BetterSQLite3Database'));
    expect(() => on('postgres://secret')).toThrow(message('a value of type string'));
  });

  it('takes Knex on the drivers of the families, and names them where it runs on another', () => {
    const onDriver = (driverName: string) => {
      const client = knex({
        client: 'better-sqlite3',
        connection: ':memory:',
        useNullAsDefault: true,
      });
      return on(Object.assign(client, { client: Object.assign(client.client, { driverName }) }));
    };
    expect(onDriver('sqlite3').family).toBe('sqlite');
    expect(() => onDriver('oracledb')).toThrow(
      'Knex runs on oracledb here; use one of pg, mysql2, better-sqlite3, sqlite3.',
    );
  });

  it('refuses unknown options and models without a table', () => {
    const pool = new pg.Pool();
    expect(() => on(pool, { namedStatement: false })).toThrow(
      '"namedStatement" is not an option of sqlSource; did you mean "namedStatements"?',
    );
    expect(() => on(pool, { model: 'nope' })).toThrow('has no table for model "nope"; it has user');
  });

  it('refuses a model that the registry does not have', () => {
    const item = { table: 'items', primaryKey: 'id', columns: { id: 'int' } };
    expect(() => on(new pg.Pool(), { registry: sqlRegistry({ item }) })).toThrow(
      'The source has no schema for model "user"; it has item.',
    );
  });

  it('refuses a type that does not match its kind on the family', () => {
    const wrong = sqlTables({
      row: { table: 'rows', primaryKey: 'id', columns: { id: { type: 'text', kind: 'integer' } } },
    });
    const connection = new Sqlite(':memory:');
    expect(() =>
      sqlSource({ connection, registry: sqlRegistry(wrong), tables: wrong, model: 'row' }),
    ).toThrow('row.id: a column of type text does not hold kind integer on sqlite');
  });

  it('is described once, however often it is created', () => {
    const pool = new pg.Pool();
    expect(on(pool).describe).toBe(on(new pg.Pool()).describe);
    expect(on(pool).execute).toBe(on(pool).execute);
  });

  it('is described once for each family of databases', () => {
    const own = sqlTables({ item: { table: 'items', primaryKey: 'id', columns: { id: 'int' } } });
    const registry = sqlRegistry(own);
    const familyOn = (connection: pg.Pool | Sqlite.Database) =>
      sqlSource({ connection, registry, tables: own, model: 'item' }).describe.context.dialect
        .family;
    const database = new Sqlite(':memory:');
    expect([database, new pg.Pool(), database].map(familyOn)).toEqual([
      'sqlite',
      'postgresql',
      'sqlite',
    ]);
    database.close();
  });
});
