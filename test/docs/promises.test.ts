/** Each row of the page on what a client may rely on is held by the test that is named here; the members of answers by those below. */

import Database from 'better-sqlite3';
import { afterAll, expect, it } from 'vitest';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import { type PaginationRule, defineQueryRules, runQuery } from '../../src/index.ts';
import { read, sectionsOf } from './documents.ts';

/** The test of each promise: its file, and the name of a test in it. */
const holders: Readonly<Record<string, readonly [file: string, name: string]>> = {
  requests: [
    'test/unit/rules/plan-query.test.ts',
    'raw, with its question mark, as URLSearchParams, nested and bracketed mean the same',
  ],
  'unknown parameters': [
    'test/unit/rules/plan-query.test.ts',
    'are refused before anything else, by name where the name is plain',
  ],
  answers: ['test/docs/promises.test.ts', 'the members of a page'],
  values: [
    'test/unit/schema/kinds-present.test.ts',
    'has the same JSON from every form of a driver, and is accepted as a value',
  ],
  order: [
    'test/unit/rules/plan-query.test.ts',
    'puts nulls first ascending and last descending, unless the rule fixes them',
  ],
  '`describeRules`': [
    'test/client/describe-rules.test.ts',
    'is JSON that names everything a client may ask for',
  ],
  "a board's API": ['test/board/contract/openapi.test.ts', 'docs/openapi'],
  '`code`': ['test/docs/reference.test.ts', 'names every error with its status'],
  '`details`': [
    'test/unit/rules/values.test.ts',
    'refuses, naming path, operator and rule, never the value',
  ],
  '`message`': [
    'test/unit/schema/query-error.test.ts',
    'is a class with the name, status and envelope of its code',
  ],
  'a cursor of an earlier minor version': [
    'test/unit/rules/kept-cursors.test.ts',
    'goes on at its row',
  ],
  'a cursor that does not fit': ['test/unit/rules/cursor.test.ts', 'for a cursor of another sort'],
};

const promised = sectionsOf('docs/compatibility.md')
  .filter(({ text }) => text.includes('| part | stays |'))
  .flatMap(({ text }) => [...text.matchAll(/^\| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm)])
  .map(([, part = '']) => part)
  .filter((part) => part !== 'part' && part !== '---');

it('are named with a test each', () =>
  expect(promised.toSorted()).toEqual(Object.keys(holders).toSorted()));

it.each(Object.entries(holders))('%s: the test exists', (_part, [file, name]) => {
  expect(read(file)).toContain(name);
});

const connection = new Database(':memory:');
connection.exec(
  'create table users (id integer primary key); insert into users values (1), (2), (3)',
);
afterAll(() => connection.close());

const byNumber = ['data', 'page', 'perPage'];
const byCursor = ['data', 'perPage', 'nextCursor', 'prevCursor'];
const forms: readonly (readonly [PaginationRule, request: string, members: readonly string[]])[] = [
  [{}, '', [...byNumber, 'total', 'lastPage']],
  [{ count: 'none' }, '', [...byNumber, 'hasNextPage']],
  [{ count: { capped: 1 } }, '', [...byNumber, 'total', 'totalCapped', 'lastPage']],
  [{ mode: 'keyset' }, '', byCursor],
  [{ mode: 'both' }, 'cursor=', byCursor],
  [{ mode: 'both' }, '', [...byNumber, 'total', 'lastPage']],
];

it.each(forms)('the members of a page: %j %s', async (pagination, request, members) => {
  const registry = await introspect(connection);
  const rules = defineQueryRules(registry, 'users', { fields: 'all', pagination });
  const source = sqlSource({ connection, registry, tables: registry.tables, model: 'users' });
  const answer = await runQuery(source, `${request}&perPage=1`, rules);
  expect(Object.keys(answer).toSorted()).toEqual(members.toSorted());
});
