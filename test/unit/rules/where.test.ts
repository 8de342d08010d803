/** The parameter `where`: what it means, how it is bounded, and how its refusals name a place in the text. */

import { describe, expect, it } from 'vitest';
import {
  type CompiledQueryRules,
  type ListRequestInput,
  type QueryErrorCode,
  bodyRequest,
  buildQuery,
  defineQueryRules,
  explainCost,
  openApiParameters,
  planQuery,
  runOne,
} from '../../../src/index.ts';
import { describeRules, parseFilterText } from '../../../src/client/index.ts';
import { keptPlan } from '../../../src/rules/plan/kept-parts.ts';
import { advanceClock } from '../../clock.ts';
import { refusalOf } from '../refusal.ts';
import { shopRegistry } from './shop.ts';

const declaration = {
  filters: [
    { path: 'name', operators: ['eq', 'ne', 'in', 'notIn', 'ilike', 'startsWith'] },
    { path: 'stock', operators: ['eq', 'gte', 'lt', 'between', 'isNull'] },
    { path: 'changedAt', operators: ['gt', 'gte', 'lt', 'lte', 'between', 'isNull'] },
    { path: 'day', operators: ['eq', 'gte', 'lt'] },
    { path: 'maker.name', operators: ['eq', 'like'] },
    { path: 'labels', operators: ['isNull'] },
    { path: 'labels.text', operators: ['eq', 'in'] },
  ],
  groups: { depth: 3, terms: 10 },
  quantifiers: [{ path: 'labels', quantifiers: ['some', 'every'] }],
  where: true,
  sorts: ['name'],
  fields: { root: { allowed: ['id', 'name'], default: ['id', 'name'] } },
  pagination: { mode: 'both' },
} as const;
const rules = defineQueryRules(shopRegistry, 'article', declaration);

const asked = (text: string, more = ''): string => `where=${encodeURIComponent(text)}${more}`;
const whereOf = (request: ListRequestInput, of: CompiledQueryRules = rules): unknown =>
  planQuery(request, of).where;
const refused = <Code extends QueryErrorCode>(request: ListRequestInput, of = rules) => {
  const { code, message, details } = refusalOf<Code>(() =>
    planQuery(request, of as CompiledQueryRules),
  );
  return { code, message, details };
};

describe('where', () => {
  it.each([
    [
      'stock >= 65 or maker.name = Acme',
      'filter[$or][0][stock][gte]=65&filter[$or][1][maker.name]=Acme',
    ],
    ['name = a and stock >= 1', 'filter[name]=a&filter[stock][gte]=1'],
    ['not name = a', 'filter[$not][name]=a'],
    ['not (name = a and stock = 1)', 'filter[$not][name]=a&filter[$not][stock]=1'],
    [
      'not name = a and stock = 1 or name in (b, "c,d") and not not stock is null',
      'filter[$or][0][$not][name]=a&filter[$or][0][stock]=1&filter[$or][1][name][in]=b,"c,d"' +
        '&filter[$or][1][$not][$not][stock][isNull]=true',
    ],
    [
      '(name = a or name = b) and (stock = 1 or stock = 2)',
      'filter[$or][0][name]=a&filter[$or][1][name]=b' +
        '&filter[$and][0][$or][0][stock]=1&filter[$and][0][$or][1][stock]=2',
    ],
    ['name ~ a and name ~ b', 'filter[name][ilike]=a&filter[$and][0][name][ilike]=b'],
    ['maker.name ~ a', 'filter[maker.name][like]=a'],
    [
      'labels.some(text = new or text = old) and labels is not empty',
      'filter[labels][$some][$or][0][text]=new&filter[labels][$some][$or][1][text]=old&filter[labels][isNull]=false',
    ],
    [
      'labels.every(not text = x) or labels is empty',
      'filter[$or][0][labels][$every][$not][text]=x&filter[$or][1][labels][isNull]=true',
    ],
    [
      'stock between 1 and 5 or name in ()',
      'filter[$or][0][stock][between]=1,5&filter[$or][1][name][in]=',
    ],
    ['name = "and" AND name != "or"', 'filter[name]=and&filter[name][ne]=or'],
    ['', ''],
  ])('means what parameters in brackets mean: %s', (text, brackets) => {
    const plan = planQuery(`${brackets}&sort=name&cursor=`, rules);
    const told = planQuery(asked(text, '&sort=name&cursor='), rules);
    expect(told).toEqual(plan);
    // A client reads the same request from the text.
    const { filter } = parseFilterText(describeRules(rules), text);
    expect(whereOf(buildQuery({ filter: filter ?? {} }))).toEqual(plan.where);
  });

  it('holds together with filters in brackets, also of the same names', () => {
    const both = whereOf(
      `filter[name]=a&filter[$or][0][stock]=1&filter[$or][1][stock]=2&${asked('name = b and (stock = 3 or stock = 4)')}`,
    );
    expect(both).toEqual(
      whereOf(
        'filter[name]=a&filter[$or][0][stock]=1&filter[$or][1][stock]=2&filter[$and][0][name]=b' +
          '&filter[$and][1][$or][0][stock]=3&filter[$and][1][$or][1][stock]=4',
      ) && {
        type: 'and',
        predicates: [
          whereOf('filter[name]=a'),
          whereOf('filter[$or][0][stock]=1&filter[$or][1][stock]=2'),
          whereOf('filter[name]=b'),
          whereOf('filter[$or][0][stock]=3&filter[$or][1][stock]=4'),
        ],
      },
    );
  });

  it('means the same in every form of a request', () => {
    const text = 'name = "100% & more" or stock is null';
    const plan = whereOf(asked(text));
    expect(whereOf({ where: text })).toEqual(plan);
    expect(whereOf(new URLSearchParams({ where: text }))).toEqual(plan);
    expect(whereOf(bodyRequest({ where: text }))).toEqual(plan);
    expect(whereOf(bodyRequest(asked(text)))).toEqual(plan);
    expect(whereOf(buildQuery<typeof rules>({ where: text }))).toEqual(plan);
    for (const request of [`${asked(text)}&${asked(text)}`, 'where[]=name', { where: [text] }]) {
      expect(refused(request)).toMatchObject({
        code: 'QUERY_SYNTAX_INVALID',
        details: { param: 'where' },
      });
    }
  });

  it('is a parameter of lists whose rules say so, and of no others', async () => {
    const { where: _where, ...others } = declaration;
    for (const given of [others, { ...others, where: false }]) {
      const silent = defineQueryRules(shopRegistry, 'article', given as typeof others);
      expect(refused('where=name = a', silent as never)).toMatchObject({
        code: 'QUERY_SYNTAX_UNKNOWN_PARAM',
        details: { param: 'where' },
      });
      expect(describeRules(silent)).not.toHaveProperty('where');
      expect(openApiParameters(silent).map(({ name }) => name)).not.toContain('where');
      // @ts-expect-error -- the rules have no such parameter
      buildQuery<typeof silent>({ where: 'name = a' } satisfies { where: string });
    }
    await expect(runOne({} as never, 1, 'where=name', rules)).rejects.toThrow();
    expect(() =>
      defineQueryRules(shopRegistry, 'article', { ...declaration, where: 'yes' } as never),
    ).toThrow('"rules.where" must be a boolean');
    expect(() =>
      defineQueryRules(shopRegistry, 'article', declaration, { passthroughParams: ['where'] }),
    ).toThrow('"where" belongs to the request grammar');
    expect(describeRules(rules).where).toBe(true);
    expect(openApiParameters(rules).find(({ name }) => name === 'where')?.schema).toEqual({
      type: 'string',
      maxLength: 16_384,
    });
  });

  it.each([
    ['secret = 1', 'FIELD_NOT_ALLOWED', { path: 'secret' }, 'secret = 1'],
    [
      'name = a or labels.note = 1',
      'FIELD_NOT_ALLOWED',
      { path: 'labels.note' },
      'labels.note = 1',
    ],
    ['maker.some(name = a)', 'FIELD_NOT_ALLOWED', { path: 'maker' }, 'name = a'],
    ['labels.some(note = 1)', 'FIELD_NOT_ALLOWED', { path: 'labels.note' }, 'note = 1'],
    [
      'labels.none(text = 1)',
      'OPERATOR_NOT_ALLOWED',
      { path: 'labels', operator: '$none' },
      'text = 1',
    ],
    ['name = a and name < b', 'OPERATOR_NOT_ALLOWED', { path: 'name', operator: 'lt' }, 'name < b'],
    [
      'name = a or not stock = SECRET',
      'FILTER_VALUE_INVALID',
      { path: 'stock', operator: 'eq' },
      'stock = SECRET',
    ],
    [
      'labels.some(text in (a)) and stock between 1 and x',
      'FILTER_VALUE_INVALID',
      { path: 'stock', operator: 'between' },
      'stock between 1 and x',
    ],
    ['day >= now - 999999999w', 'FILTER_VALUE_INVALID', { path: 'day' }, 'day >= now - 999999999w'],
    ['changedAt = 1h', 'OPERATOR_NOT_ALLOWED', { path: 'changedAt' }, 'changedAt = 1h'],
    ['name = a or', 'QUERY_SYNTAX_INVALID', {}, ''],
    ['name = a name = b', 'QUERY_SYNTAX_INVALID', {}, 'name'],
    ['(name = a', 'QUERY_SYNTAX_INVALID', {}, '('],
    ['name = a)', 'QUERY_SYNTAX_INVALID', {}, ')'],
    ['name = "a', 'QUERY_SYNTAX_INVALID', {}, '"a'],
    ['1name = a', 'QUERY_SYNTAX_INVALID', {}, '1name = a'],
    ['a[b] = a', 'QUERY_SYNTAX_INVALID', {}, 'a[b] = a'],
    ['a][b.some(name = a)', 'QUERY_SYNTAX_INVALID', {}, 'name = a'],
    ['$or][0][labels.some(text = a)', 'QUERY_SYNTAX_INVALID', {}, 'text = a'],
    ['1][$some.some(text = a)', 'QUERY_SYNTAX_INVALID', {}, 'text = a'],
    ['1labels.some(text = a)', 'QUERY_SYNTAX_INVALID', {}, 'text = a'],
    ['__proto__ = a', 'FIELD_NOT_ALLOWED', { path: '__proto__' }, '__proto__ = a'],
    ['constructor.some(name = a)', 'FIELD_NOT_ALLOWED', { path: 'constructor' }, 'name = a'],
    ['labels.$count = 1', 'QUERY_SYNTAX_INVALID', {}, 'labels.$count = 1'],
    ['not not not not name = a', 'QUERY_SYNTAX_INVALID', {}, 'not'],
  ] as const)('names the place of a refusal: %s', (text, code, more, place) => {
    const { details, message, ...found } = refused(asked(text));
    expect(found).toEqual({ code });
    expect(details).toMatchObject({ param: 'where', ...more });
    const { start, end } = details as { start: number; end: number };
    expect(text.slice(start, end)).toBe(place);
    expect(JSON.stringify([message, details])).not.toContain('SECRET');
  });

  it('checks syntax before paths, and paths before values, as in brackets', () => {
    expect(refused(asked('secret = 1 and (')).code).toBe('QUERY_SYNTAX_INVALID');
    expect(refused(asked('stock = x and secret = 1')).code).toBe('FIELD_NOT_ALLOWED');
    expect(refused(asked('stock = x', '&filter[secret]=1')).code).toBe('FIELD_NOT_ALLOWED');
    expect(refused(asked('secret = 1', '&nope=1')).code).toBe('QUERY_SYNTAX_UNKNOWN_PARAM');
  });

  it('counts its filters with those in brackets', () => {
    const few = defineQueryRules(
      shopRegistry,
      'article',
      { ...declaration, groups: { depth: 2, terms: 3 } },
      { limits: { maxFilters: 4, cost: 10_000 } },
    );
    expect(
      whereOf(asked('name = a and stock = 1', '&filter[name]=b&filter[stock]=2'), few),
    ).toBeTruthy();
    expect(
      refused(
        asked('name = a and stock = 1 and name != b', '&filter[name]=b&filter[stock]=2'),
        few as never,
      ).details,
    ).toEqual({ maxFilters: 4 });
    const group = '&filter[$or][0][name]=a&filter[$or][1][name]=b';
    expect(whereOf(asked('not stock = 1', group), few)).toBeTruthy();
    expect(refused(asked('stock = 1 or stock = 2', group), few as never).details).toEqual({
      param: 'filter',
      maxTerms: 3,
    });
    expect(
      refused(asked('stock=1 or stock=2 or stock=3 or stock=4'), few as never).details,
    ).toMatchObject({
      param: 'where',
      start: 33,
    });
  });

  it('costs what its filters cost', () => {
    const cheap = defineQueryRules(shopRegistry, 'article', declaration, { limits: { cost: 25 } });
    const some = 'filter[labels][$some][text]';
    const { term, cost } =
      explainCost(cheap).find((row) => row.term === 'filter[labels.text][eq]') ?? {};
    expect([term, cost]).toEqual(['filter[labels.text][eq]', 11]);
    expect(whereOf(asked('labels.some(text = a)', '&filter[stock]=1'), cheap)).toBeTruthy();
    expect(
      refused(asked('labels.text = a or labels.text in (b)'), cheap as never).details,
    ).toMatchObject({
      term: 'where[$or][0][labels.text][eq]',
    });
    expect(
      refused(`${asked('labels.text = a')}&${some}=b&filter[labels.text]=c`, cheap as never).code,
    ).toBe('QUERY_TOO_EXPENSIVE');
  });

  it('is refused at once, however it is written', () => {
    const long = 16_000;
    const bombs = [
      '('.repeat(long),
      `${'('.repeat(long / 2)}name = a${')'.repeat(long / 2)})`,
      'not '.repeat(long / 4),
      '(not '.repeat(long / 5),
      'labels.some('.repeat(long / 12),
      'name=a or '.repeat(long / 10),
      'name=a and '.repeat(long / 11),
      `name in (${'a,'.repeat(long / 2)}`,
      `name = "${'\\'.repeat(long - 8)}`,
      `name = ${'a'.repeat(long)}`,
      `changedAt > now${' - 1h'.repeat(long / 5)}`,
      `changedAt > ${'1h'.repeat(long / 2)}x`,
      `${'x'.repeat(long)}.some(name = a)`,
      ' '.repeat(long),
      `${'a.some'.repeat(long / 6)}(`,
    ];
    for (const bomb of bombs) {
      const times = Array.from({ length: 20 }, () => {
        const begin = performance.now();
        try {
          planQuery({ where: bomb }, rules);
        } catch (error) {
          expect(error).toMatchObject({ status: 400 });
        }
        return performance.now() - begin;
      });
      // The shortest time: the others tell of the work beside them.
      expect([bomb.slice(0, 20), Math.min(...times) < 10]).toEqual([bomb.slice(0, 20), true]);
    }
    const body = bodyRequest({ where: `name in (${'a,'.repeat(20_000)}b)` });
    expect(refused(body)).toMatchObject({
      code: 'QUERY_SYNTAX_INVALID',
      details: { maxQueryLength: 16_384 },
    });
  });
});

describe('times that are told from now', () => {
  const hour = 3_600_000;
  const valueOf = (text: string): number =>
    Date.parse(String((whereOf(asked(text)) as { value: unknown }).value));

  it('are read by the clock of each request', () => {
    const text = 'changedAt > now - 1h';
    const before = valueOf(text);
    expect(Math.abs(before - (Date.now() - hour))).toBeLessThan(60_000);
    advanceClock(5 * hour);
    expect(valueOf(text) - before).toBeGreaterThanOrEqual(5 * hour);
    const kept = () => keptPlan(asked(text), rules, {}) as unknown as { where: { value: string } };
    const first = Date.parse(kept().where.value);
    advanceClock(hour);
    expect(Date.parse(kept().where.value) - first).toBeGreaterThanOrEqual(hour);
  });

  it('have cursors that belong to the text', () => {
    const bindingOf = (text: string, plan = planQuery(asked(text, '&cursor='), rules)) =>
      plan.page.mode === 'keyset' ? plan.page.binding : expect.fail();
    const binding = bindingOf('changedAt < 1h or name = a');
    advanceClock(hour);
    expect(bindingOf('changedAt < 1h or name = a')).toBe(binding);
    const kept = keptPlan(asked('changedAt < 1h or name = a', '&cursor='), rules, {});
    expect(bindingOf('', kept)).toBe(binding);
    expect(bindingOf('changedAt > now - 60m or name = a')).toBe(binding);
    const several = 'changedAt between now - 1h and 2030-01-01T00:00:00Z';
    const first = bindingOf(several);
    advanceClock(hour);
    expect(bindingOf(several)).toBe(first);
    const others = [
      'changedAt < 2h or name = a',
      'changedAt < 1h or name = b',
      'changedAt > 1h or name = a',
    ];
    for (const other of others) expect(bindingOf(other)).not.toBe(binding);
  });
});
