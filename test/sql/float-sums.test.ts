/** Sums of doubles beyond those that a double can be: no data makes the database refuse the request, or a walk lose rows. */

import { expect, it, onTestFinished } from 'vitest';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { databaseFamilies } from '../../src/schema/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { Walk } from '../matrix/walk.ts';
import { everyServiceRequired, onCurrentMysql, scratchDatabase } from '../services/index.ts';
import { openDriver } from './drivers.ts';

const tables = sqlTables({
  probe: {
    table: 'probes',
    primaryKey: 'id',
    columns: { id: 'integer' },
    relations: { readings: { many: 'reading', to: 'probeId' } },
  },
  reading: {
    table: 'readings',
    primaryKey: 'id',
    columns: {
      id: 'integer',
      probeId: { column: 'probe_id', type: 'integer' },
      x: { type: 'double precision', nullable: true },
    },
  },
});
const registry = sqlRegistry(tables);
const declaration = {
  aggregates: { readings: { sum: ['x'], max: ['x'] } },
  filters: [
    { path: 'id', operators: ['in'] },
    { path: 'readings.$sum.x', operators: ['gt'] },
  ],
  sorts: ['readings.$sum.x', 'readings.$max.x'],
  fields: { root: { allowed: ['id', 'readings.$sum.x'], default: ['id', 'readings.$sum.x'] } },
  pagination: { mode: 'both' },
} as const;
const rules = defineQueryRules(registry, 'probe', declaration, { cursorKeys });
/** Cursors that clients can read, of values that are shown. */
const readable = defineQueryRules(registry, 'probe', {
  ...declaration,
  sorts: ['readings.$sum.x'],
});

const most = Number.MAX_VALUE;
const readings: readonly (readonly [probe: number, x: number | null])[] = [
  [1, 0.1],
  [1, 0.25],
  [1, 5e-324],
  [2, most],
  [2, -1],
  [3, most],
  [3, most],
  [3, 1],
  [4, most],
  [4, most],
  [4, -most],
  [5, null],
  [6, -most],
  [6, -most],
  [8, -1.2345678901234567e-100],
];

it.for([...databaseFamilies, 'MySQL'] as const)(
  'sums beyond doubles on %s',
  async (name, { skip }) => {
    const family = name === 'MySQL' ? 'mysql' : name;
    const database =
      name === 'MySQL'
        ? await onCurrentMysql('float_sums')
        : await scratchDatabase(family, 'float_sums');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return skip();
    }
    const opened = openDriver(family, database);
    onTestFinished(async () => {
      await opened.close();
    });
    const { run, connection } = opened;
    await run('create table probes (id int primary key not null)');
    await run(
      'create table readings (id int primary key not null, probe_id int not null, x double precision)',
    );
    await run('insert into probes values (1), (2), (3), (4), (5), (6), (7), (8)');
    const values = readings.map(([probe, x], at) => `(${at}, ${probe}, ${x})`);
    await run(`insert into readings values ${values.join()}`);
    const source = sqlSource({ connection, registry, tables, model: 'probe' });
    const { data } = await runQuery(source, 'filter[id][in]=1,2,5,7,8', rules);
    expect(data.map((row) => Object.values(row))).toEqual([
      [1, 0.35],
      [2, most],
      [5, null],
      [7, null],
      [8, -1.2345678901234567e-100],
    ]);
    // Families show sums beyond doubles differently; in their order none of the rows is an error.
    const sorted = await runQuery(source, 'sort=-readings.$sum.x', rules);
    expect(sorted.data.map(({ id }) => id).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const above = await runQuery(source, 'filter[readings.$sum.x][gt]=1', rules);
    expect(above.data).toContainEqual({ id: 2, 'readings.$sum.x': most });
    // The largest of a group may be infinite where the database stores such a double.
    if (family === 'sqlite') await run('insert into readings values (20, 1, 9e999)');
    if (family === 'postgresql') await run(`insert into readings values (20, 1, 'infinity')`);
    for (const [field, compiled] of [
      ['sum', rules],
      ['max', rules],
      ['sum', readable],
    ] as const) {
      for (const sort of [`readings.$${field}.x`, `-readings.$${field}.x`]) {
        const walk = new Walk(source as never, compiled as never, `sort=${sort}&perPage=1`);
        const { keys, back } = await walk.forwards();
        const whole = await runQuery(source, `sort=${sort}`, compiled);
        const ids = whole.data.map(({ id }) => id);
        expect([sort, ...keys]).toEqual([sort, ...ids]);
        expect([sort, ...(await walk.backwards(back))]).toEqual([sort, ...ids.slice(0, -1)]);
      }
    }
  },
);
