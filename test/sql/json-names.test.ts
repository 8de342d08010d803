/** Paths of JSON whose members have names that mean something to a database or to JavaScript. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { type DatabaseFamily, defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { type Opened, openDriver } from './drivers.ts';

const names = ['null', 'NULL', 'last', 'to', 'true', '_', 'key', 'constructor', 'x.null'];
const kinds: Readonly<Record<DatabaseFamily, string>> = {
  postgresql: 'jsonb',
  mysql: 'json',
  sqlite: 'text',
};
const members = names.map((name) => `"${name}":"of ${name}"`).join();

describe.each(Object.entries(kinds) as [DatabaseFamily, string][])('%s', (family, type) => {
  let opened: Opened | undefined;

  beforeAll(async () => {
    const database = await scratchDatabase(family, 'json_names');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    opened = openDriver(family, database);
    await opened.run(`create table notes (id int not null primary key, data ${type})`);
    await opened.run(
      `insert into notes values (1, '{${members},"x":{"null":"of x.null"}}'), (2, '{"x":null}')`,
    );
  });
  afterAll(() => opened?.close());

  it.each(names)('reads %s', async (name) => {
    if (!opened) return;
    const paths = Object.fromEntries(names.map((each) => [each, 'string' as const]));
    const data = { type, kind: 'json', nullable: true, paths } as const;
    const tables = sqlTables({
      note: { table: 'notes', primaryKey: 'id', columns: { id: 'integer', data } },
    });
    const registry = sqlRegistry(tables);
    const rules = defineQueryRules(registry, 'note', {
      filters: [{ path: `data.${name}`, operators: ['eq', 'isNull'] }],
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    const { connection } = opened;
    const source = sqlSource({ connection, registry, tables, model: 'note' });
    const listed = async (filter: string) =>
      (await runQuery(source, `filter[data.${name}]${filter}`, rules)).data;
    expect(await listed(`=of ${name}`)).toEqual([{ id: 1 }]);
    expect(await listed('[isNull]=true')).toEqual([{ id: 2 }]);
  });

  it('shows a whole document of a column that is opaque', async () => {
    if (!opened || family === 'sqlite') return;
    const data = { type, kind: 'opaque', nullable: true } as const;
    const tables = sqlTables({
      note: { table: 'notes', primaryKey: 'id', columns: { id: 'integer', data } },
    });
    const registry = sqlRegistry(tables);
    const rules = defineQueryRules(registry, 'note', { fields: 'all' });
    const { connection } = opened;
    const source = sqlSource({ connection, registry, tables, model: 'note' });
    const { data: rows } = await runQuery(source, '', rules);
    expect(rows[1]).toEqual({ id: 2, data: { x: null } });
  });
});
