/** Computed fields on plain connections: what is refused at boot, the statements, and the indexes that serve them. */

import Sqlite from 'better-sqlite3';
import mysql from 'mysql2/promise';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type ComputedField,
  type ComputedFields,
  checkProfile,
  sqlRegistry,
  sqlSource,
  sqlTables,
  withComputedFields,
} from '../../src/adapters/sql/index.ts';
import {
  defineQueryRules,
  defineSchemaRegistry,
  openApiParameters,
  runQuery,
} from '../../src/index.ts';
import { describeRules } from '../../src/client/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { everyServiceRequired, onCurrentMysql, scratchDatabase } from '../services/index.ts';
import { refusalOf } from '../unit/refusal.ts';

const tables = sqlTables({
  person: {
    table: 'people',
    primaryKey: 'id',
    columns: {
      id: 'integer',
      first: { type: 'text', column: 'first name' },
      last: { type: 'text', column: 'last"name' },
      age: { type: 'integer', nullable: true },
      state: { type: 'text', enumValues: ['open', 'shut'] },
      secret: { type: 'text', internal: true },
      bossId: { type: 'integer', nullable: true },
    },
    relations: {
      boss: { one: 'person', from: 'bossId' },
      staff: { many: 'person', to: 'bossId' },
    },
  },
});
const base = sqlRegistry(tables);
const fullName = {
  kind: 'string',
  nullable: false,
  sql: `{first} || ' ' || {last}`,
} as const satisfies ComputedField;

describe('computed fields are refused at boot', () => {
  const refused = (field: object, path = 'made') =>
    refusalOf(() => withComputedFields(base, { person: { [path]: field as ComputedField } }));
  const whole =
    'must be one whole SQL expression: parentheses and quotes closed, without ?, $1 and ;, without braces and backslashes outside quotes but those of names, and without comments.';

  it.each<[string, object, string]>([
    [
      'a name that is not a field',
      { kind: 'string', sql: '{frist}' },
      '"sql" names "{frist}", which is not a field of person with a column',
    ],
    [
      'a relation',
      { kind: 'string', sql: '{boss}' },
      '"{boss}", which is not a field of person with a column',
    ],
    ['an inherited name', { kind: 'string', sql: '{constructor}' }, '"{constructor}"'],
    ['itself', { kind: 'string', sql: '{made}' }, '"{made}"'],
    ['a path', { kind: 'string', sql: '{boss.first}' }, whole],
    ['an open parenthesis', { kind: 'string', sql: '({first}' }, whole],
    ['a closing parenthesis', { kind: 'string', sql: '{first}) or (1 = 1' }, whole],
    ['an open quote', { kind: 'string', sql: `{first} || '` }, whole],
    ['a comment', { kind: 'string', sql: '{first} -- ' }, whole],
    ['a comment of several lines', { kind: 'string', sql: '{first} /* */' }, whole],
    ['a second statement', { kind: 'string', sql: '{first}; drop table people' }, whole],
    ['a placeholder', { kind: 'string', sql: `{first} || '?'` }, whole],
    ['a numbered placeholder', { kind: 'string', sql: '$1' }, whole],
    ['an empty text', { kind: 'string', sql: ' ' }, whole],
    ['no text', { kind: 'string', sql: {} }, '"sql" must be one text'],
    [
      'an unknown family',
      { kind: 'string', sql: { oracle: '1' } },
      '"sql" must be one text, or a text for each of postgresql, mysql, sqlite',
    ],
    ['an unknown kind', { kind: 'text', sql: '1' }, 'unknown kind'],
    [
      'a kind that is not computed',
      { kind: 'json', sql: '1' },
      'a computed field is of kind string, integer, bigint, decimal, float, boolean, date, datetime, not json.',
    ],
    ['an unknown option', { ...fullName, null: true }, 'made.null" is not an option'],
    ['no expression', { kind: 'string' }, 'must be'],
    [
      'a companion that is not declared',
      { ...fullName, foldedField: 'madeFolded' },
      'its foldedField "madeFolded" is not declared',
    ],
  ])('%s', (_, field, message) => {
    const { code, message: said } = refused(field);
    expect(code).toBe('SOURCE_CONFIGURATION_INVALID');
    expect(said).toContain(message);
  });

  it('a name that a field or a relation has', () => {
    expect(refused(fullName, 'first').message).toContain(
      'person.first: the path is declared twice',
    );
    expect(refused(fullName, 'boss').message).toContain('a relation has the name of a field');
    expect(refused(fullName, 'full name').message).toContain('a field path must be');
  });

  it('a model that does not exist', () => {
    const fields = { persn: { fullName } } as ComputedFields;
    expect(refusalOf(() => withComputedFields(base, fields)).message).toContain(
      '"fields" names the model "persn"; the registry has person.',
    );
  });

  it('a computed field of another one', () => {
    const registry = withComputedFields(base, { person: { fullName } });
    const again = { person: { twice: { kind: 'string', sql: '{fullName}' } } } as const;
    expect(refusalOf(() => withComputedFields(registry, again)).message).toContain('{fullName}');
  });

  it('a key, an unsigned number and an order companion, by hand', () => {
    const field = { path: 'made', kind: 'integer', nullable: false, sql: '{id}' } as const;
    const schema = (own: object, primaryKey: string) => () =>
      defineSchemaRegistry([
        {
          model: 'thing',
          primaryKey: [primaryKey],
          fields: [
            { path: 'id', kind: 'integer', nullable: false, primaryKey: primaryKey === 'id' },
            { ...field, primaryKey: primaryKey === 'made', ...own },
          ],
          relations: [],
        },
      ]);
    const message = 'a computed field has no "primaryKey", "unsigned" and "portableOrderField"';
    expect(refusalOf(schema({}, 'made')).message).toContain(message);
    expect(refusalOf(schema({ unsigned: true }, 'id')).message).toContain(message);
  });

  it('a family without an expression, when the source is made', () => {
    const only = { ...fullName, sql: { postgresql: '{first}' } };
    const registry = withComputedFields(base, { person: { fullName: only } });
    const client = new Sqlite(':memory:');
    const made = () => sqlSource({ connection: client, registry, tables, model: 'person' });
    expect(refusalOf(made).message).toContain(
      'person.fullName: the computed field has no expression for sqlite',
    );
    client.close();
  });
});

describe('computed fields in statements', () => {
  const statements: string[] = [];
  const client = new Sqlite(':memory:', { verbose: (text) => statements.push(String(text)) });
  client.exec(`
    create table people (id integer primary key not null, "first name" text not null, "last""name" text not null,
      age integer, state text not null, secret text not null, bossId integer references people(id));
    insert into people values (1, 'Ada', 'L', 36, 'open', 's', null), (2, 'Bob', 'M', null, 'shut', 's', 1),
      (3, 'Cy', 'N', 7, 'open', 's', 2);
    with recursive n(i) as (select 4 union all select i + 1 from n where i < 2000)
      insert into people select i, 'x' || i, 'y', i % 90, 'shut', 's', 1 from n;
    create index people_full on people (cast("first name" || ' ' || "last""name" as text), id);
    create index people_score on people (cast(age * 2 as integer), id);
    create index people_boss on people (bossId);
  `);
  afterAll(() => client.close());
  const registry = withComputedFields(base, {
    person: {
      fullName,
      score: { kind: 'integer', sql: '{age} * 2' },
      token: { kind: 'string', sql: `upper({secret})`, internal: true },
      greeting: { kind: 'string', nullable: false, sql: `coalesce({first}, 'nobody')` },
    },
  });
  const source = sqlSource({ connection: client, registry, tables, model: 'person' });
  const rules = defineQueryRules(
    registry,
    'person',
    {
      filters: [
        { path: 'fullName', operators: ['eq', 'in', 'like', 'ilike'] },
        { path: 'score', operators: ['eq', 'gte', 'between', 'isNull'] },
        { path: 'state', operators: ['in'] },
        { path: 'boss.greeting', operators: ['eq', 'ne'] },
        { path: 'staff.score', operators: ['gt'] },
      ],
      sorts: ['fullName', 'score', 'boss.greeting'],
      search: ['fullName'],
      includes: ['boss'],
      fields: 'all',
      pagination: { mode: 'both', mergeBy: 'state' },
    },
    { families: ['sqlite'], cursorKeys },
  );
  const run = async (request: string) => {
    statements.length = 0;
    return runQuery(source, request, rules);
  };
  const planOf = (): string => {
    const [statement = ''] = statements.filter((text) => !/count\(/.test(text)).slice(-1);
    return JSON.stringify(client.prepare(`explain query plan ${statement}`).all());
  };

  it('quotes the columns, and leaves out what is internal', async () => {
    const { data } = await run('filter[fullName]=Ada L&includes=boss');
    expect(data).toEqual([
      {
        id: 1,
        first: 'Ada',
        last: 'L',
        age: 36,
        state: 'open',
        bossId: null,
        fullName: 'Ada L',
        score: 72,
        greeting: 'Ada',
        boss: null,
      },
    ]);
    expect(statements[0]).toContain(
      `cast("people"."first name" || ' ' || "people"."last""name" as text)`,
    );
  });

  it('never takes text of a client for a part of it', async () => {
    const hostile = `filter[fullName]=${encodeURIComponent(`' or 1=1 --{first}`)}`;
    expect((await run(hostile)).data).toEqual([]);
    expect((await run(`search=${encodeURIComponent(`%' or {id}`)}`)).data).toEqual([]);
  });

  it('walks all rows, both ways', async () => {
    for (const sort of ['score', '-score,fullName', 'boss.greeting', '-fullName']) {
      const seen: unknown[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: { data: readonly object[]; nextCursor?: string | null } = await run(
          `sort=${sort}&fields=id&perPage=100&cursor=${encodeURIComponent(cursor)}`,
        );
        seen.push(...page.data.map((row) => Reflect.get(row, 'id')));
        cursor = page.nextCursor ?? null;
      }
      expect([sort, seen.length, new Set(seen).size]).toEqual([sort, 2000, 2000]);
    }
  });

  it('is null where the row is absent', async () => {
    const { data } = await run('filter[boss.greeting][ne]=Ada&fields=id');
    expect(data).toEqual([{ id: 3 }]);
    const first = await run('sort=boss.greeting&fields=id&perPage=2');
    expect(first.data[0]).toEqual({ id: 1 });
  });

  it('is served by an index on the expression', async () => {
    await run('filter[fullName]=x7 y&fields=id');
    expect(planOf()).toContain('people_full (<expr>=?');
    await run('filter[score][between]=10,12&fields=id');
    expect(planOf()).toContain('people_score (<expr>>? AND <expr><?');
    await run('sort=fullName&perPage=5&fields=id&cursor=');
    expect(planOf()).toContain('SCAN people USING INDEX people_full');
  });

  it('in merged pages', async () => {
    const request =
      'filter[state][in]=open,shut&sort=-fullName&fields=id,fullName&perPage=2&cursor=';
    const { data } = await run(request);
    expect(data).toEqual([
      { id: 999, fullName: 'x999 y' },
      { id: 998, fullName: 'x998 y' },
    ]);
    expect(statements.join()).toContain('union all');
  });

  it('in conditions of the host, on the internal one too', async () => {
    const scoped = defineQueryRules(
      registry,
      'person',
      { fields: { root: { allowed: ['id'], default: ['id'] } } },
      { families: ['sqlite'] },
    );
    const token = { type: 'condition', path: 'token', operator: 'eq', value: 'S' } as const;
    const result = await runQuery(source, 'perPage=1', scoped, {
      transformPlan: (plan) => ({ ...plan, where: token }),
    });
    expect(result).toMatchObject({ total: 2000 });
  });

  it('in documents and descriptions, by its kind', () => {
    const described = describeRules(rules);
    expect(JSON.stringify(described)).toContain('"fullName"');
    expect(JSON.stringify(described)).not.toContain('first name');
    expect(JSON.stringify(described)).not.toContain('||');
    const parameters = openApiParameters(rules);
    const score = parameters.find(({ name }) => name === 'filter[score][gte]');
    expect(JSON.stringify(score)).toContain('integer');
    expect(JSON.stringify(parameters)).not.toContain('||');
  });

  it('the profile knows that they have no column', async () => {
    const found = await checkProfile(source, rules);
    expect(JSON.stringify(found)).not.toMatch(/fullName|score|greeting/);
  });
});

it('instants have the stored form of the columns that an expression names', async () => {
  const client = new Sqlite(':memory:');
  client.exec(`create table visits (id integer primary key, began integer, ended integer);
    insert into visits values (1, 1704067200, null), (2, null, 1704153600)`);
  const instant = {
    type: 'integer',
    kind: 'datetime',
    storage: 'epoch-seconds',
    nullable: true,
  } as const;
  const visits = sqlTables({
    visit: {
      table: 'visits',
      primaryKey: 'id',
      columns: { id: 'integer', began: instant, ended: instant },
    },
  });
  const registry = withComputedFields(sqlRegistry(visits), {
    visit: { last: { kind: 'datetime', sql: 'coalesce({ended}, {began})' } },
  });
  const listed = defineQueryRules(registry, 'visit', {
    filters: [{ path: 'last', operators: ['eq', 'gte'] }],
    sorts: ['last'],
    fields: { root: { allowed: ['id', 'last'], default: ['last'] } },
  });
  const seen = sqlSource({ connection: client, registry, tables: visits, model: 'visit' });
  const of = async (request: string) => (await runQuery(seen, request, listed)).data;
  const [first, second] = [
    { last: '2024-01-01T00:00:00.000Z' },
    { last: '2024-01-02T00:00:00.000Z' },
  ];
  expect(await of('sort=-last')).toEqual([second, first]);
  expect(await of('filter[last][gte]=2024-01-02T00:00:00Z')).toEqual([second]);
  expect(await of('filter[last]=2024-01-01T00:00:00Z')).toEqual([first]);
  client.close();
});

it.for(['MySQL', 'MariaDB'])(
  'numbers keep every digit in the text of %s',
  async (name, context) => {
    const database =
      name === 'MySQL'
        ? await onCurrentMysql('computed_digits')
        : await scratchDatabase('mysql', 'computed_digits');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return context.skip();
    }
    const connection = await mysql.createConnection(database.url);
    try {
      await connection.query(
        'create table counters (id int primary key, views bigint not null, x double not null, `of` int)',
      );
      await connection.query(
        'insert into counters values (1, 0, 0, null), (2, 1, 0, null), (3, -9223372036854775798, -1.2345678901234567e-100, 1)',
      );
      const counters = sqlTables({
        counter: {
          table: 'counters',
          primaryKey: 'id',
          columns: {
            id: 'integer',
            views: 'bigint',
            x: 'double',
            of: { type: 'integer', nullable: true },
          },
          relations: { parts: { many: 'counter', to: 'of' } },
        },
      });
      const registry = withComputedFields(sqlRegistry(counters), {
        counter: {
          half: { kind: 'bigint', nullable: false, sql: '{views} div 2' },
          same: { kind: 'float', nullable: false, sql: 'coalesce({x}, 0)' },
        },
      });
      const shown = { allowed: ['id', 'half', 'same'], default: ['id', 'half', 'same'] };
      const rules = defineQueryRules(
        registry,
        'counter',
        { fields: { root: shown, relations: { parts: shown } }, includes: ['parts'] } as never,
        { families: ['mysql'] } as never,
      );
      const source = sqlSource({
        connection,
        registry,
        tables: counters,
        model: 'counter',
      } as never);
      const { data } = await runQuery(source as never, 'includes=parts', rules as never);
      const last = { id: 3, half: '-4611686018427387899', same: -1.2345678901234567e-100 };
      expect(data).toMatchObject([{ parts: [last] }, { parts: [] }, last]);
    } finally {
      await connection.end();
      await database.drop();
    }
  },
);
