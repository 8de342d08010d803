/**
 * Zero dates in required columns of a related row. In conditions, MySQL and MariaDB take them for null; lists order them
 * before all dates and after rows without the relation.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type IntrospectedRegistry,
  type SqlConnection,
  introspect,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import { type QuerySource, defineQueryRules, runQuery } from '../../src/index.ts';
import { Walk } from '../matrix/walk.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { type Opened, openDriver, runScript } from './drivers.ts';

/** Three children of each of the parents 1 and 2, whose dates are zero and a date, and two without a parent. */
const script = [
  `set session sql_mode = ''`,
  `create table parents (id int primary key, day date not null, at datetime(3) not null,
     stamp timestamp not null default current_timestamp)`,
  `create table children (id int primary key, parent_id int, foreign key (parent_id) references parents (id))`,
  `insert into parents values (1, '0000-00-00', '0000-00-00 00:00:00', '0000-00-00 00:00:00'),
     (2, '2024-01-01', '2024-01-01 00:00:00', '2024-01-01 00:00:00')`,
  `insert into children values (1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 2), (7, null), (8, null)`,
];

describe('zero dates of related rows', () => {
  let opened: Opened | undefined;
  let connection: SqlConnection;
  let registry: IntrospectedRegistry;

  beforeAll(async () => {
    const database = await scratchDatabase('mysql', 'zero_dates');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    opened = openDriver('mysql', database);
    ({ connection } = opened);
    await runScript(opened, script);
    registry = await introspect(connection);
  });
  afterAll(() => opened?.close());

  async function walked(sort: string) {
    const rules = defineQueryRules(
      registry,
      'children',
      {
        sorts: ['parent.day', 'parent.at', 'parent.stamp'],
        fields: 'all',
        pagination: { mode: 'keyset' },
      },
      { families: ['mysql'], cursorKeys },
    );
    const { tables } = registry;
    const source = sqlSource({ connection, registry, tables, model: 'children' }) as QuerySource;
    const walk = new Walk(source, rules, `sort=${sort}&perPage=2`);
    const { keys: forwards, back } = await walk.forwards();
    const backwards = await walk.backwards(back);
    return { forwards, backwards };
  }

  it.each(['parent.day', 'parent.at', 'parent.stamp'])('are walked past by %s', async (path) => {
    if (!opened) return;
    const first = await walked(path);
    expect(first).toEqual({ forwards: [7, 8, 1, 2, 3, 4, 5, 6], backwards: [7, 8, 1, 2, 3, 4] });
    const last = await walked(`-${path}`);
    expect(last).toEqual({ forwards: [6, 5, 4, 3, 2, 1, 8, 7], backwards: [6, 5, 4, 3, 2, 1] });
  });

  it('are no nulls in filters, whatever the host declares', async () => {
    if (!opened) return;
    const tables = sqlTables({
      child: {
        table: 'children',
        primaryKey: 'id',
        columns: { id: 'int', parentId: { type: 'int', column: 'parent_id', nullable: true } },
        relations: { parent: { one: 'parent', from: 'parentId' } },
      },
      parent: {
        table: 'parents',
        primaryKey: 'id',
        columns: { id: 'int', day: { type: 'date', nullable: true } },
      },
    });
    const declared = sqlRegistry(tables, { families: ['mysql'] });
    const source = sqlSource({ connection, registry: declared, tables, model: 'child' });
    const rules = defineQueryRules(declared, 'child', {
      filters: [{ path: 'parent.day', operators: ['isNull'] }],
      fields: 'all',
    });
    const found = async (text: string) => {
      const { data } = await runQuery(source, `filter[parent.day][isNull]=${text}`, rules);
      return data.map(({ id }) => id);
    };
    expect(await found('true')).toEqual([7, 8]);
    expect(await found('false')).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
