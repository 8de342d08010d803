/** Columns of types without a kind, and floats, as each family shows them: the JSON is the same through every driver. */

import Sqlite from 'better-sqlite3';
import createKnex from 'knex';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { type SqlConnection, introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import {
  type DatabaseFamily,
  type KeysetResult,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

interface World {
  readonly columns: readonly (readonly [
    name: string,
    type: string,
    value: string,
    shown: unknown,
  ])[];
  readonly single: string;
  open(url: string): {
    readonly connection: SqlConnection;
    run(sql: string): Promise<unknown>;
    close(): unknown;
  };
}

const worlds: Readonly<Record<DatabaseFamily, World>> = {
  postgresql: {
    single: 'real',
    columns: [
      ['tags', 'text[]', `'{a,"b c",null}'`, ['a', 'b c', null]],
      ['big', 'bigint[]', `'{1,9007199254740993}'`, ['1', '9007199254740993']],
      ['span', 'interval', `'1 day 02:00'`, '1 day 02:00:00'],
      ['at', 'time', `'10:00'`, '10:00:00'],
      ['net', 'inet', `'10.0.0.1'`, '10.0.0.1'],
      ['reach', 'int4range', `'[1,5)'`, '[1,5)'],
      ['bits', 'bit(3)', `b'101'`, '101'],
      ['spot', 'point', `'(1,2)'`, '(1,2)'],
      ['cost', 'money', `'12.50'`, expect.stringContaining('12.50')],
    ],
    open: (url) => {
      const pool = new pg.Pool({ connectionString: url, max: 2 });
      return { connection: pool, run: (sql) => pool.query(sql), close: () => pool.end() };
    },
  },
  mysql: {
    single: 'float',
    columns: [
      ['at', 'time', `'10:00:00'`, '10:00:00'],
      ['bits', 'bit(3)', `b'101'`, 5],
      ['parts', `set('a', 'b', 'c')`, `'a,c'`, 'a,c'],
      ['spot', 'point', `st_geomfromtext('point(1 2)')`, { coordinates: [1, 2], type: 'Point' }],
    ],
    open: (url) => {
      const pool = mysql2.createPool({ uri: url, connectionLimit: 2 });
      return { connection: pool, run: (sql) => pool.query(sql), close: () => pool.end() };
    },
  },
  sqlite: {
    single: 'float',
    columns: [
      ['made', 'datetime', `'2020-01-01 10:00:00'`, '2020-01-01 10:00:00'],
      ['odd', '', `x'00ff'`, 'AP8='],
      ['other', 'whatever', '1.5', 1.5],
    ],
    open: (url) => {
      const connection = new Sqlite(url);
      return {
        connection,
        run: async (sql) => connection.exec(sql),
        close: () => connection.close(),
      };
    },
  },
};

const values = [0.1, -2.5, 0.1, 7.25, 0.3, 1e30];

describe.each(Object.keys(worlds) as DatabaseFamily[])('on %s', (family) => {
  it('are shown as JSON, and floats are sorted, filtered and walked', async (context) => {
    const database = await scratchDatabase(family, 'odd');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return context.skip();
    }
    const { columns, single, open } = worlds[family];
    const { connection, run, close } = open(database.url);
    const knex = createKnex(
      family === 'sqlite'
        ? {
            client: 'better-sqlite3',
            connection: { filename: database.url },
            useNullAsDefault: true,
          }
        : { client: family === 'mysql' ? 'mysql2' : 'pg', connection: database.url },
    );
    try {
      const list = columns.map(([name, type]) => `${name} ${type}`).join(', ');
      await run(
        `create table odds (id integer primary key, ratio double precision, small ${single}, ${list})`,
      );
      for (const [at, value] of values.entries()) {
        const odd = columns.map((column) => (at === 0 ? column[2] : 'null')).join(', ');
        await run(`insert into odds values (${at + 1}, ${value}, ${value}, ${odd})`);
      }
      for (const each of [connection, knex]) {
        const registry = await introspect(each);
        const names = columns.map(([name]) => name);
        const rules = defineQueryRules(registry, 'odds', {
          filters: [
            { path: 'ratio', operators: ['gt', 'in'] },
            { path: 'small', operators: ['gt', 'lt'] },
          ],
          sorts: ['ratio', 'small'],
          fields: { root: { allowed: ['id', 'ratio', 'small', ...names], default: ['id'] } },
          pagination: { mode: 'both' },
        });
        const source = sqlSource({
          connection: each,
          registry,
          tables: registry.tables,
          model: 'odds',
        });
        const rows = async (request: string) => (await runQuery(source, request, rules)).data;
        expect(await rows(`fields=${['ratio', 'small', ...names].join()}&perPage=1`)).toEqual([
          {
            ratio: 0.1,
            small: 0.1,
            ...Object.fromEntries(columns.map(([name, , , shown]) => [name, shown])),
          },
        ]);
        expect(await rows('sort=-ratio')).toEqual([6, 4, 5, 3, 1, 2].map((id) => ({ id })));
        expect(await rows('filter[ratio][in]=0.1,7.25')).toEqual([1, 3, 4].map((id) => ({ id })));
        expect(await rows('filter[small][gt]=0.2&filter[small][lt]=1e300&sort=small')).toEqual(
          [5, 4, 6].map((id) => ({ id })),
        );
        for (const sort of ['ratio', '-small']) {
          const seen: unknown[] = [];
          for (let cursor: string | null = ''; cursor !== null && seen.length < 10;) {
            const page = (await runQuery(
              source,
              `sort=${sort}&perPage=2&cursor=${cursor}`,
              rules,
            )) as KeysetResult;
            seen.push(...page.data.map(({ id }) => id));
            cursor = page.nextCursor;
          }
          expect(seen).toEqual(sort === 'ratio' ? [2, 1, 3, 5, 4, 6] : [6, 4, 5, 3, 1, 2]);
        }
      }
    } finally {
      await knex.destroy();
      await close();
      await database.drop();
    }
  });
});
