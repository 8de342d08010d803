/** Arrays of PostgreSQL's types of every kind of members, and the indexes that their filters use. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { introspect, sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { type OperatorName, defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const columns = {
  id: 'integer',
  keys: { type: 'uuid[]', nullable: true },
  moods: { type: 'mood[]', enumValues: ['so so', 'fine'], nullable: true },
  small: { type: 'smallint[]', nullable: true },
  large: { type: 'bigint[]', nullable: true },
  sums: { type: 'numeric(30, 3)[]', nullable: true },
  singles: { type: 'real[]', nullable: true },
  doubles: { type: 'double precision[]', nullable: true },
  flags: { type: 'boolean[]', nullable: true },
  days: { type: 'date[]', nullable: true },
  instants: { type: 'timestamptz[]', nullable: true },
  words: { type: 'character varying(20)[]', nullable: true },
  letters: { type: 'character(3)[]', nullable: true },
} as const;

const tables = sqlTables({ thing: { table: 'things', primaryKey: 'id', columns } });
const registry = sqlRegistry(tables, { families: ['postgresql'] });
const paths = Object.keys(columns).filter((path) => path !== 'id');
const operators = ['has', 'notHas', 'hasAny', 'hasAll', 'isEmpty', 'isNull'] as const;
const rules = defineQueryRules(registry as never, 'thing', {
  filters: paths.map((path) => ({ path, operators: operators as readonly OperatorName[] })),
  fields: { root: { allowed: ['id', ...paths], default: ['id'] } },
} as never);

const first = '11111111-1111-4111-8111-11111111111A';

describe('arrays of PostgreSQL', () => {
  let client: pg.Client;
  let drop: () => Promise<void>;
  let isMissing = false;
  const sent: { text: string; values?: unknown[] }[] = [];

  beforeAll(async () => {
    const database = await scratchDatabase('postgresql', 'array_columns');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      isMissing = true;
      return;
    }
    drop = () => database.drop();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`
      set time zone 'UTC';
      create type mood as enum ('so so', 'fine');
      create table things (id int primary key, keys uuid[], moods mood[], small smallint[], large bigint[],
        sums numeric(30, 3)[], singles real[], doubles float8[], flags boolean[], days date[], instants timestamptz[],
        words varchar(20)[], letters char(3)[]);
      insert into things values
        (1, '{${first}}', '{"so so",fine}', '{1,-32768}', '{9223372036854775807,1}', '{0.1,12345678901234567.125}',
          '{0.1,null}', '{0.1,NaN}', '{true,null}', '{2024-02-29,infinity}',
          '{2024-02-29T12:00:00.123456Z,2024-02-29T12:00:00Z}', '{Red,"a,b"}', '{ab,abc}'),
        (2, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}'),
        (3, null, null, null, null, null, null, null, null, null, null, null, null),
        (4, null, '{fine}', '{{1,2},{3,4}}', null, null, null, null, '{false}', null, null, '{{x},{y}}', null)`);
  });
  afterAll(async () => {
    await client?.end();
    await drop?.();
  });

  const source = () =>
    sqlSource({
      connection: Object.assign(Object.create(client) as pg.Client, {
        query: (statement: { text: string; values?: unknown[] }, ...rest: unknown[]) => {
          sent.push(statement);
          return (client.query as (...given: unknown[]) => unknown).call(
            client,
            statement,
            ...rest,
          );
        },
      }) as never,
      registry,
      tables,
      model: 'thing',
    });
  const found = async (filter: string) => {
    const { data } = await runQuery(source(), `filter${filter}`, rules);
    return (data as { id: number }[]).map(({ id }) => id);
  };

  it.each([
    [`[keys][has]=${first}`, [1]],
    [`[keys][hasAny]=${first.toLowerCase()}`, [1]],
    ['[keys][notHas]=11111111-1111-4111-8111-111111111112', [1, 2]],
    ['[moods][has]=fine', [1, 4]],
    ['[moods][hasAll]=fine,so so', [1]],
    ['[small][has]=1', [1, 4]],
    ['[small][has]=100000', []],
    ['[small][hasAny]=-32768,2147483647', [1]],
    ['[small][has]=4', [4]],
    ['[large][has]=9223372036854775807', [1]],
    ['[large][hasAll]=1,9223372036854775807', [1]],
    ['[sums][has]=0.10', [1]],
    ['[sums][has]=0.1001', []],
    ['[sums][has]=12345678901234567.125', [1]],
    ['[singles][has]=0.1', [1]],
    ['[singles][has]=1e300', []],
    ['[singles][hasAny]=1e-300,0.1', [1]],
    ['[doubles][has]=0.1', [1]],
    ['[flags][has]=true', [1]],
    ['[flags][notHas]=true', [2, 4]],
    ['[days][has]=2024-02-29', [1]],
    ['[instants][has]=2024-02-29T12:00:00.123Z', [1]],
    ['[instants][has]=2024-02-29T12:00:00.123456Z', [1]],
    ['[instants][has]=2024-02-29T12:00:00.123455Z', []],
    ['[instants][hasAll]=2024-02-29T12:00:00.123Z,2024-02-29T13:00:00%2B01:00', [1]],
    ['[instants][notHas]=2024-02-29T12:00:00.123Z', [2]],
    ['[words][has]=Red', [1]],
    ['[words][has]=red', []],
    ['[words][has]=a,b', [1]],
    ['[words][hasAny]=y', [4]],
    ['[words][has]=a much longer text than the column may hold', []],
    ['[letters][has]=abc', [1]],
    ['[letters][has]=abcd', []],
    ['[words][isEmpty]=true', [2]],
    ['[words][isEmpty]=false', [1, 4]],
    ['[words][isNull]=true', [3]],
  ])('filter%s', async (filter, ids) => {
    if (isMissing) return;
    expect(await found(filter)).toEqual(ids);
  });

  it('shows each member in the form of its kind', async () => {
    if (isMissing) return;
    const fields = paths.join();
    const { data } = await runQuery(source(), `fields=${fields}&filter[moods][has]=fine`, rules);
    expect(data).toEqual([
      {
        keys: [first.toLowerCase()],
        moods: ['so so', 'fine'],
        small: [1, -32768],
        large: ['9223372036854775807', '1'],
        sums: ['0.1', '12345678901234567.125'],
        singles: [0.1, null],
        doubles: [0.1, null],
        flags: [true, null],
        days: ['2024-02-29', 'infinity'],
        instants: ['2024-02-29T12:00:00.123Z', '2024-02-29T12:00:00.000Z'],
        words: ['Red', 'a,b'],
        letters: ['ab ', 'abc'],
      },
      {
        keys: null,
        moods: ['fine'],
        small: [null, null],
        large: null,
        sums: null,
        singles: null,
        doubles: null,
        flags: [false],
        days: null,
        instants: null,
        words: [null, null],
        letters: null,
      },
    ]);
  });

  it('has the kinds in the catalogue', async () => {
    if (isMissing) return;
    const read = await introspect(client as never);
    const kinds = Object.fromEntries(
      ([...sqlRegistry(read.tables).values()][0]?.fields ?? []).map(({ path, kind }) => [
        path,
        kind,
      ]),
    );
    expect(kinds).toEqual({
      id: 'integer',
      keys: 'uuid[]',
      // Members of an enum type are not read for its arrays.
      moods: 'opaque',
      small: 'integer[]',
      large: 'bigint[]',
      sums: 'decimal[]',
      singles: 'float[]',
      doubles: 'float[]',
      flags: 'boolean[]',
      days: 'date[]',
      instants: 'datetime[]',
      words: 'string[]',
      letters: 'string[]',
    });
  });

  it('reads an index on the array and on JSON', async () => {
    if (isMissing) return;
    await client.query(`
      create table notes (id int primary key, tags text[], data jsonb);
      insert into notes select no, array['t' || no, 'all'],
        jsonb_build_object('a', jsonb_build_object('b', jsonb_build_array('t' || no, no)))
        from generate_series(1, 20000) no;
      create index by_tags on notes using gin (tags);
      create index by_data on notes using gin (data jsonb_path_ops);
      analyze notes`);
    const noted = sqlTables({
      note: {
        table: 'notes',
        primaryKey: 'id',
        columns: {
          id: 'integer',
          tags: { type: 'text[]', nullable: true },
          data: { type: 'jsonb', paths: { 'a.b': 'string[]' } },
        },
      },
    });
    const own = sqlRegistry(noted, { families: ['postgresql'] });
    const asked = defineQueryRules(own, 'note', {
      filters: [
        { path: 'tags', operators: ['has', 'hasAny', 'hasAll'] },
        { path: 'data.a.b', operators: ['has', 'hasAny', 'hasAll'] },
      ],
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    const statements: typeof sent = [];
    const connection = Object.assign(Object.create(client) as pg.Client, {
      query: (statement: { text: string; values?: unknown[] }, ...rest: unknown[]) => {
        statements.push(statement);
        return (client.query as (...given: unknown[]) => unknown).call(client, statement, ...rest);
      },
    });
    const list = sqlSource({
      connection: connection as never,
      registry: own,
      tables: noted,
      model: 'note',
    });
    for (const [filter, index, total] of [
      ['[tags][has]=t7', 'by_tags', 1],
      ['[tags][hasAny]=t7,t8', 'by_tags', 2],
      ['[tags][hasAll]=t7,all', 'by_tags', 1],
      ['[data.a.b][has]=t7', 'by_data', 1],
      ['[data.a.b][hasAny]=t7,t8', 'by_data', 2],
      ['[data.a.b][hasAll]=t7,t7', 'by_data', 1],
    ] as const) {
      statements.splice(0);
      expect(await runQuery(list, `filter${filter}&perPage=1`, asked), `${filter}`).toMatchObject({
        total,
      });
      const counting = statements.find(({ text }) => text?.includes('count(*)'));
      const text = (counting?.text ?? '').replace(/^\/\*.*?\*\/\s*/, '');
      const plan = await client.query(`explain ${text}`, counting?.values);
      expect(JSON.stringify(plan.rows), `${filter}`).toContain(index);
    }
  });
});
