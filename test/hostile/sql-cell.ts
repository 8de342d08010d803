/** The hostile endpoint through the drivers alone. */

import Database from 'better-sqlite3';
import { createPool } from 'mysql2/promise';
import pg from 'pg';
import {
  type SqlConnection,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import type { DatabaseFamily } from '../../src/index.ts';
import { hostileDatabase } from './database.ts';
import type { OpenHostile } from './hostile-cell.ts';
import { hostileRules } from './rules.ts';
import { roles } from './world.ts';
import { executorOf as sqlExecutor } from '../../src/adapters/sql/executors/recognise.ts';

/** Types by family. */
const types = {
  postgresql: {
    text: 'text',
    code: 'uuid',
    role: 'hz_role',
    flag: 'boolean',
    born: 'date',
    seenAt: 'timestamp with time zone',
    extra: 'jsonb',
  },
  mysql: {
    text: 'varchar(191)',
    code: 'char(36)',
    role: 'enum',
    flag: 'boolean',
    born: 'date',
    seenAt: 'datetime(6)',
    extra: 'json',
  },
  sqlite: {
    text: 'text',
    code: 'text',
    role: 'text',
    flag: 'integer',
    born: 'text',
    seenAt: 'integer',
    extra: 'text',
  },
} as const;

function tablesOf(family: DatabaseFamily) {
  const { text, code, role, flag, born, seenAt, extra } = types[family];
  const id = { type: 'integer', column: 'c_id' };
  const named = (column: string, type: string = text, nullable = false) => ({
    type,
    column,
    nullable,
  });
  return sqlTables({
    person: {
      table: 'hz_people',
      primaryKey: 'id',
      columns: {
        id,
        name: named('c_name'),
        nameFolded: named('c_name_folded'),
        nick: named('c_nick', text, true),
        code: { ...named('c_code', code), kind: 'uuid' },
        codeOrder: named('c_code_order'),
        role: { ...named('c_role', role), enumValues: roles },
        roleFolded: named('c_role_folded'),
        roleOrder: named('c_role_order'),
        age: named('c_age', 'integer', true),
        visits: named('c_visits', 'bigint'),
        balance: named('c_balance', 'numeric(20, 5)'),
        active: { ...named('c_active', flag), kind: 'boolean' },
        born: { ...named('c_born', born, true), kind: 'date' },
        seenAt: {
          ...named('c_seen_at', seenAt, true),
          kind: 'datetime',
          ...(family === 'sqlite' && { storage: 'epoch-milliseconds' }),
        },
        extra: { ...named('c_extra', extra, true), kind: 'json' },
        secret: named('c_secret'),
        firmId: named('c_firm_id', 'integer', true),
      },
      relations: {
        firm: { one: 'firm', from: 'firmId' },
        notes: { many: 'note', to: 'personId' },
        labels: {
          many: 'label',
          through: { table: 'hz_person_labels', from: 'c_person_id', to: 'c_label_id' },
        },
      },
    },
    firm: {
      table: 'hz_firms',
      primaryKey: 'id',
      columns: { id, name: named('c_name'), nameFolded: named('c_name_folded') },
      relations: { people: { many: 'person', to: 'firmId' } },
    },
    note: {
      table: 'hz_notes',
      primaryKey: 'id',
      columns: {
        id,
        text: named('c_text'),
        textFolded: named('c_text_folded'),
        personId: named('c_person_id', 'integer'),
      },
      relations: { person: { one: 'person', from: 'personId' } },
    },
    label: {
      table: 'hz_labels',
      primaryKey: 'id',
      columns: { id, word: named('c_word') },
    },
  });
}

const openings: {
  readonly [family in DatabaseFamily]: (
    url: string,
  ) => readonly [connection: SqlConnection, end: () => Promise<unknown>];
} = {
  sqlite: (url) => {
    const client = new Database(url);
    return [client, async () => client.close()];
  },
  postgresql: (url) => {
    const pool = new pg.Pool({ connectionString: url });
    return [pool, () => pool.end()];
  },
  mysql: (url) => {
    const pool = createPool({ uri: url });
    return [pool, () => pool.end()];
  },
};

/** Opens the endpoint through the family's driver. */
export const sqlHostile: OpenHostile = async (family) => {
  const database = await hostileDatabase(family, 'epoch-milliseconds');
  if ('missing' in database) return database;
  const [connection, end] = openings[family](database.url);
  const execute = sqlExecutor(connection, { namedStatements: true });
  let statements = 0;
  const counted: typeof execute = {
    ...execute,
    run: (...given) => {
      statements += 1;
      return execute.run(...given);
    },
  };
  const tables = tablesOf(family);
  const registry = sqlRegistry(tables);
  return {
    rules: hostileRules(registry),
    source: sqlSource({ connection: counted, registry, tables, model: 'person' }),
    statements: () => statements,
    mostStatements: 4,
    close: async () => {
      await end();
      await database.drop();
    },
  };
};
