/**
 * On extended clients SQL decides which rows a list has, whether Prisma could express the request or not, and one
 * `findMany` reads them by their keys: requests of every form, and their statement counts.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledQueryRules, DatabaseFamily } from '../../src/index.ts';
import { runQuery } from '../../src/index.ts';
import type { EndpointName } from '../matrix/corpus/index.ts';
import { compileEndpoints } from '../matrix/corpus/index.ts';
import type { PrismaCell } from '../matrix/prisma-cell.ts';
import { prismaCell } from '../matrix/prisma-cell.ts';
import { everyServiceRequired } from '../services/index.ts';

const families: readonly DatabaseFamily[] = ['sqlite', 'postgresql', 'mysql'];

const cases: readonly (readonly [title: string, EndpointName, request: string])[] = [
  ['equality', 'users', 'filter[name]=abc&filter[score][gte]=1&filter[active]=true'],
  ['a 64-bit number', 'users', 'filter[views][gt]=9007199254740993'],
  ['a uuid and its order', 'users', 'filter[token][gt]=9e3779b1-0000-4000-8000-000000000001'],
  [
    'an enum, its order and its patterns',
    'users',
    'filter[role][gte]=member&filter[mood][like]=app',
  ],
  ['lists', 'users', 'filter[id][in]=1,2,3&filter[verified][notIn]=true'],
  ['an empty list behind a relation', 'users', 'filter[company.name][notIn]='],
  ['null behind a relation', 'users', 'filter[company.motto][isNull]=true'],
  ['a pattern of letters', 'users', 'filter[name][like]=abc'],
  ['a pattern without ASCII letters', 'users', 'filter[name][like]=%C3%A9'],
  ['a pattern with a percent sign', 'users', 'filter[name][like]=0%25'],
  ['a pattern with a backslash', 'users', 'filter[name][like]=%5C'],
  ['a folded pattern', 'users', 'filter[name][ilike]=ABC'],
  ['a folded pattern with an underscore', 'users', 'filter[name][ilike]=A_C'],
  ['a pattern on a uuid', 'users', 'filter[token][like]=9e37'],
  ['search', 'users', 'search=ab'],
  ['search through relations', 'usersSearch', 'search=ab'],
  ['many relations, three deep', 'users', 'filter[orders.lines.notes.text]=ripe'],
  ['a join model', 'users', 'filter[teams.name]=x&filter[teams][isNull]=false'],
  ['an order of booleans', 'users', 'filter[active][gt]=false'],
  ['a narrow decimal', 'users', 'filter[balance][gte]=1.5'],
  ['a decimal of many digits', 'users', 'filter[balance][gte]=1.0000000000000001'],
  ['a wide decimal', 'users', 'filter[fortune]=0.1'],
  ['an instant', 'users', 'filter[createdAt][lt]=2024-05-05T00:00:00Z'],
  ['an instant with microseconds', 'users', 'filter[createdAt][lt]=2024-05-05T00:00:00.000001Z'],
  ['nulls in the default position', 'users', 'sort=age,-nickname'],
  ['nulls in the opposite position', 'usersNullsFixed', 'sort=age,nickname'],
  ['null behind a relation, first', 'users', 'sort=company.name'],
  ['null behind a relation, last', 'usersNullsFixed', 'sort=company.name'],
  ['a keyset page', 'usersKeyset', 'sort=-name&perPage=5'],
  ['a keyset page by two columns', 'usersKeyset', 'sort=nickname,-age&perPage=5'],
  ['a keyset page by an instant', 'usersKeyset', 'sort=createdAt&perPage=5'],
  ['a keyset page by a wide decimal', 'usersKeyset', 'sort=fortune&perPage=5'],
  ['a keyset page by a boolean', 'usersKeyset', 'sort=active&perPage=5'],
  ['a keyset page through a relation', 'usersKeyset', 'sort=manager.name&perPage=5'],
  ['a capped count', 'usersCapped', 'filter[name][ne]=x'],
  ['everything', 'users', 'paginate=false'],
  ['a composite key', 'lines', 'sort=-price'],
];

/** Whether Sluice has written the statement; Prisma writes `SELECT`. A comment before it holds a time limit. */
const isOwn = (text: string): boolean => /^(?:\/\*.*?\*\/ ?)?select/.test(text);

describe.each(families)('on %s', (family) => {
  let cell: PrismaCell | null = null;
  let rules: { readonly [name in EndpointName]: CompiledQueryRules };
  const statements: string[] = [];

  beforeAll(async () => {
    const logger = { logQuery: (text: string) => void statements.push(text) };
    const made = await prismaCell(family, 'exactness', logger);
    if (typeof made !== 'string') {
      cell = made;
      rules = compileEndpoints(made.registry);
    } else if (everyServiceRequired()) {
      throw new Error(made);
    }
  });
  afterAll(() => cell?.dispose());

  it.for(cases)('%s', async ([_title, endpoint, request], context) => {
    if (!cell) return context.skip();
    const source = cell.ownQueries(rules[endpoint].model);
    // On the first request a slow page may run a count that is not needed; later requests predict the total.
    await runQuery(source, request, rules[endpoint]);
    await sleep(20);
    statements.splice(0);
    const { data } = await runQuery(source, request, rules[endpoint]);
    // The keys, and the count where the page does not show it.
    const written = statements.filter(isOwn).length;
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThanOrEqual(2);
    expect(statements.length - written).toBe(data.length > 0 ? 1 : 0);
  });

  it('binds a list that is too long for Prisma as one parameter', async (context) => {
    if (!cell) return context.skip();
    const list = Array.from({ length: 950 }, (_, index) => index + 1).join();
    statements.splice(0);
    const result = await runQuery(
      cell.ownQueries('user'),
      `filter[score][in]=${list}&perPage=1`,
      rules.users,
    );
    expect(result.data).toHaveLength(1);
    expect(statements.some(isOwn)).toBe(true);
  });
});
