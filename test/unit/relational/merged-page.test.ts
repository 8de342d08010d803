/** Which keyset pages are merged from parts, the statement of one, and the fields that are refused. */

import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { type PaginationRule, defineQueryRules, runQuery } from '../../../src/index.ts';
import { sqlRegistry, sqlSource, sqlTables } from '../../../src/adapters/sql/index.ts';

const tables = sqlTables({
  task: {
    table: 'task',
    primaryKey: 'id',
    columns: {
      id: 'integer',
      state: { type: 'text', kind: 'enum', enumValues: ['new', 'open', 'done'] },
      mood: { type: 'text', kind: 'enum', enumValues: ['calm', 'wild'], nullable: true },
      level: { type: 'integer', nullable: true },
      title: 'text',
      at: 'integer',
    },
  },
});
const registry = sqlRegistry(tables);
const shown = ['id', 'state', 'level', 'title', 'at'];
const rulesWith = (pagination: PaginationRule) =>
  defineQueryRules(
    registry,
    'task',
    {
      filters: [
        { path: 'id', operators: ['eq', 'in'] },
        { path: 'state', operators: ['eq', 'ne', 'in'] },
        { path: 'level', operators: ['eq', 'in'] },
      ],
      sorts: ['at'],
      fields: { root: { allowed: shown, default: ['id'] } },
      pagination: { mode: 'keyset', ...pagination },
    },
    { families: ['sqlite'] },
  );

/** The number of parts of the page of a request; 0 where it is not merged. */
async function partsOf(request: string, mergeBy: string): Promise<number> {
  const database = new Database(':memory:');
  database.exec(
    'create table task (id integer primary key, state text, mood text, level int, title text, at int)',
  );
  const texts: string[] = [];
  const prepare = database.prepare.bind(database);
  Reflect.set(database, 'prepare', (text: string) => {
    texts.push(text);
    return prepare(text);
  });
  await runQuery(
    sqlSource({ connection: database, registry, tables, model: 'task' }),
    request,
    rulesWith({ mergeBy }),
  );
  database.close();
  const page = texts.find((text) => text.includes('order by')) ?? '';
  return page.match(/ as "p\d+"/g)?.length ?? 0;
}

it.each([
  ['sort=-at', 'state', 3],
  ['filter[state][in]=new,done', 'state', 2],
  ['filter[state][in]=new,done,new&filter[state][ne]=new', 'state', 0],
  ['filter[state][ne]=new', 'state', 2],
  ['filter[state]=new', 'state', 0],
  ['filter[id]=5', 'state', 0],
  ['filter[id][in]=5,6', 'state', 3],
  // Rows without a value are in no part.
  ['sort=-at', 'mood', 0],
  // Without a list, the values of a number are not known.
  ['sort=-at', 'level', 0],
  ['filter[level][in]=1,2,3,4', 'level', 4],
  [`filter[level][in]=${Array.from({ length: 51 }, (_, at) => at).join()}`, 'level', 0],
])('%s by %s is read in %i parts', async (request, mergeBy, parts) => {
  expect(await partsOf(request, mergeBy)).toBe(parts);
});

it('an index that begins with the field serves each part, and nothing is sorted but the parts', () => {
  const database = new Database(':memory:');
  database.exec(`create table task (id integer primary key, state text, level int, title text, at int);
    create index by_state on task (state, at desc, id desc)`);
  const part = (state: string) =>
    `select * from (select t.* from task t where state = '${state}' order by at desc, id desc limit 3)`;
  const plan = database
    .prepare(
      `explain query plan select id from (${part('new')} union all ${part('done')}) order by at desc, id desc limit 3`,
    )
    .all() as { detail: string }[];
  const searches = plan.filter(({ detail }) => detail.startsWith('SEARCH'));
  expect(searches.map(({ detail }) => detail)).toEqual([
    expect.stringContaining('by_state (state=?)'),
    expect.stringContaining('by_state (state=?)'),
  ]);
  database.close();
});

it('refuses fields that cannot separate rows, and pages by number', () => {
  for (const mergeBy of ['title', 'nothing']) {
    expect(() => rulesWith({ mergeBy })).toThrow(/mergeBy: .* must be a field of task/);
  }
  expect(() => rulesWith({ mergeBy: 'state', mode: 'offset' })).toThrow(/only keyset pages/);
});
