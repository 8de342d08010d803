/** Arrays in JSON as other programs write it: escapes, blanks, numbers of every form, and text that is not JSON. */

import Sqlite from 'better-sqlite3';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { Walk } from '../matrix/walk.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

/** Documents by key: `texts` is an array of its own, `data` has one at a path. */
const documents: readonly (readonly [texts: string | null, data: string])[] = [
  [String.raw`["\u00e9","\"","\\"]`, String.raw`{"n":[1e2,1.50,-0.0,9007199254740991]}`],
  [' [ "é" , "b" ] ', '{ "n" : [ 100 , 150e-2 ] }'],
  ['["B", "b ", "b"]', '{"n":["100",null,[100],{"n":100}]}'],
  ['"b"', '{"n":100}'],
  ['{"b":"b"}', '[100]'],
  ['[[["b"]]]', '{"n":[[100]]}'],
  ['[null,true,false,1]', '{"n":[true,false]}'],
  [null, 'null'],
  [String.raw`["a\nb","\ud83d\ude00","𝒜"]`, '{"n":[]}'],
  ['[]', '{"n":[2147483648,-2147483649,2147483647]}'],
  ['["", " "]', '{"n":[0.1,0.10000000000000001]}'],
];

const cases: readonly (readonly [filter: string, ids: readonly number[]])[] = [
  ['[texts][has]=é', [1, 2]],
  ['[texts][has]=%22', [1]],
  ['[texts][has]=%5C', [1]],
  ['[texts][has]=b', [2, 3]],
  ['[texts][has]=B', [3]],
  ['[texts][has]=b%20', [3]],
  ['[texts][has]=true', []],
  ['[texts][has]=1', []],
  ['[texts][has]=a%0Ab', [9]],
  ['[texts][has]=😀', [9]],
  ['[texts][hasAll]=😀,𝒜', [9]],
  ['[texts][hasAny]=b,é', [1, 2, 3]],
  ['[texts][hasAll]=b,é', [2]],
  ['[texts][has]=', [11]],
  ['[texts][hasAll]=', [1, 2, 3, 6, 7, 9, 10, 11]],
  ['[texts][hasAny]=', []],
  ['[texts][hasAny]="", ', [11]],
  ['[texts][notHas]=b', [1, 6, 7, 9, 10, 11]],
  ['[texts][isEmpty]=true', [10]],
  ['[texts][isNull]=true', [4, 5, 8]],
  ['[data.n][has]=100', [1, 2]],
  ['[data.n][hasAny]=1.5,7', [1, 2]],
  ['[data.n][hasAll]=100,1.500', [1, 2]],
  ['[data.n][has]=0', [1]],
  ['[data.n][has]=9007199254740991', [1]],
  ['[data.n][has]=2147483648', [10]],
  ['[data.n][has]=0.1', [11]],
  ['[data.n][notHas]=100', [3, 6, 7, 9, 10, 11]],
  ['[data.n][isEmpty]=true', [9]],
  ['[data.n][isNull]=true', [4, 5, 8]],
  ['[data.w][isNull]=false', []],
];

/** Types that hold JSON, with their family. */
const types = {
  'postgresql jsonb': ['postgresql', 'jsonb'],
  'postgresql json': ['postgresql', 'json'],
  'mysql json': ['mysql', 'json'],
  'mysql longtext': ['mysql', 'longtext'],
  'sqlite text': ['sqlite', 'text'],
} as const;

interface Connected {
  readonly connection: object;
  run(sql: string, values?: unknown[]): Promise<unknown>;
  end(): Promise<unknown>;
}

async function connected(
  family: 'postgresql' | 'mysql' | 'sqlite',
  url: string,
): Promise<Connected> {
  if (family === 'sqlite') {
    const database = new Sqlite(url);
    return {
      connection: database,
      run: async (sql, values = []) => database.prepare(sql).run(...values),
      end: async () => database.close(),
    };
  }
  if (family === 'mysql') {
    const client = await mysql2.createConnection({ uri: url });
    return {
      connection: client,
      run: (sql, values) => client.query(sql, values),
      end: () => client.end(),
    };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    connection: client,
    run: (sql, values) => client.query(sql, values),
    end: () => client.end(),
  };
}

describe.each(Object.entries(types))('arrays in %s', (name, [family, type]) => {
  let open: Connected | undefined;
  let drop = async (): Promise<void> => undefined;
  const columns = {
    id: 'integer',
    texts: { type, kind: 'string[]', nullable: true },
    data: {
      type,
      kind: 'json',
      nullable: true,
      paths: {
        n: 'decimal[]',
        w: 'boolean[]',
        day: 'date',
        at: 'datetime',
        name: 'string',
        big: 'bigint',
        num: 'decimal',
      },
    },
  } as const;
  const tables = sqlTables({ note: { table: 'notes', primaryKey: 'id', columns } });
  const registry = sqlRegistry(tables, { families: [family] });
  const operators = ['has', 'notHas', 'hasAny', 'hasAll', 'isEmpty', 'isNull'] as const;
  const rules = defineQueryRules(registry, 'note', {
    filters: ['texts', 'data.n', 'data.w'].map((path) => ({ path, operators })) as never,
    sorts: ['data.day', 'data.at', 'data.name', 'data.big', 'data.num'],
    fields: { root: { allowed: ['id', 'texts', 'data'], default: ['id'] } },
    pagination: { mode: 'both' },
  });
  const source = () =>
    sqlSource({ connection: open?.connection as never, registry, tables, model: 'note' });
  const list = (request: string) => runQuery(source(), `${request}&perPage=100`, rules);

  beforeAll(async () => {
    const database = await scratchDatabase(family, `json_arrays_${type}`);
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    drop = () => database.drop();
    open = await connected(family, database.url);
    await open.run(`create table notes (id int primary key, texts ${type}, data ${type})`);
    const [a, b, c] = family === 'postgresql' ? ['$1', '$2', '$3'] : ['?', '?', '?'];
    for (const [at, [texts, data]] of documents.entries()) {
      await open.run(`insert into notes values (${a}, ${b}, ${c})`, [at + 1, texts, data]);
    }
  });
  afterAll(async () => {
    await open?.end();
    await drop();
  });

  it.each(cases)('filter%s', async (filter, ids) => {
    if (!open) return;
    const { data } = await list(`filter${filter}`);
    expect(data.map(({ id }) => id)).toEqual(ids);
  });

  it('shows members that do not fit as null', async () => {
    if (!open) return;
    const { data } = await list('fields=id,texts');
    expect(data.map(({ texts }) => texts)).toEqual([
      ['é', '"', '\\'],
      ['é', 'b'],
      ['B', 'b ', 'b'],
      null,
      null,
      [null],
      [null, null, null, null],
      null,
      ['a\nb', '😀', '𝒜'],
      [],
      ['', ' '],
    ]);
  });

  it('takes text that is not JSON, and escaped NUL, for no member', async () => {
    if (!open) return;
    const isText = type === 'longtext' || type === 'text';
    const [a, b] = family === 'postgresql' ? ['$1', '$2'] : ['?', '?'];
    const add = (id: number, text: string) =>
      open?.run(`insert into notes (id, texts) values (${a}, ${b})`, [id, text]);
    if (isText) await add(100, 'b, not ["b"');
    if (name !== 'postgresql jsonb') await add(101, String.raw`["x\u0000y","z"]`);
    const has = async (filter: string) =>
      (await list(filter)).data.map(({ id }) => id).filter((id) => Number(id) >= 100);
    expect(await has('filter[texts][isNull]=true')).toEqual(isText ? [100] : []);
    const whole = name === 'postgresql jsonb' ? [] : [101];
    expect(await has('filter[texts][has]=z')).toEqual(whole);
    expect(await has('filter[texts][has]=x')).toEqual([]);
    expect(await has('filter[texts][hasAll]=z,z')).toEqual(whole);
  });

  /** Values that walks along the paths meet: dates of no calendar, long texts, numbers of every size. */
  const walked = [
    '{"day":"2024-02-29","at":"2024-02-29T12:00:00.000Z","name":"b","big":9007199254740993,"num":0.1}',
    '{"day":"2024-13-45","at":"2024-13-45T99:00:00.000Z","name":"B","big":-9223372036854775808,"num":-1e20}',
    '{"day":"0000-00-00","at":"0000-00-00T00:00:00.000Z","name":"","big":9223372036854775807,"num":123456789.125}',
    `{"day":1,"name":"${'long '.repeat(400)}1","big":1.5,"num":"1"}`,
    `{"name":"${'long '.repeat(400)}2","big":1e3,"num":1e-7}`,
    '{"name":"é😀","big":-1,"num":0}',
    '{"name":"ﬁ","big":0,"num":-0.05}',
    String.raw`{"day":"2024-02-29\n","at":"2024-02-29T12:00:00.000Z\n","num":9007199254740993}`,
    '{"num":9007199254740993}',
    '{"num":9007199254740994}',
    'null',
    // Types that check more than the syntax refuse them.
    ...(name === 'postgresql jsonb' || name === 'mysql json'
      ? []
      : [
          '{"name":"vast","num":1e200000,"big":-1e200000}',
          String.raw`{"other":"cut \ud83d\ud83d\ude00 \u0000","name":"half a pair","num":2,"day":"2024-02-29"}`,
          String.raw`{"other":"\\ud83d\ude00","name":"the other half","num":3}`,
          `{"name":"long","num":1${'0'.repeat(140_000)},"big":-1${'0'.repeat(140_000)}}`,
        ]),
  ];

  it.each(['day', 'at', 'name', 'big', 'num'])('walks along %s, both ways', async (path) => {
    if (!open) return;
    const [a, b] = family === 'postgresql' ? ['$1', '$2'] : ['?', '?'];
    await open.run('delete from notes where id >= 100');
    for (const [at, data] of walked.entries()) {
      await open.run(`insert into notes (id, data) values (${a}, ${b})`, [at + 200, data]);
    }
    const sorts = [`data.${path}`, `-data.${path}`];
    for (const [sort, perPage] of sorts.flatMap((each) =>
      [1, 3].map((rows) => [each, rows] as const),
    )) {
      const whole = (await list(`sort=${sort}`)).data.map(({ id }) => id);
      expect(new Set(whole).size).toBe(whole.length);
      const walk = new Walk(source() as never, rules, `sort=${sort}&perPage=${perPage}`);
      const { keys, back } = await walk.forwards();
      expect(keys).toEqual(whole);
      expect(await walk.backwards(back)).toEqual(
        whole.slice(0, perPage * Math.floor((whole.length - 1) / perPage)),
      );
    }
  });
});
