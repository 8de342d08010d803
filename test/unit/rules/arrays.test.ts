/** Arrays in rules: the operators that a kind takes, the values that requests may send, and what follows from the rules. */

import { describe, expect, it } from 'vitest';
import { parseFilterText, printFilterText } from '../../../src/client/index.ts';
import {
  QueryError,
  type QueryRulesDeclaration,
  defineQueryRules,
  defineSchemaRegistry,
  explainCost,
  openApiParameters,
  planQuery,
} from '../../../src/index.ts';
import { describeRules } from '../../../src/rules/client/index.ts';

const field = { nullable: true, primaryKey: false } as const;
const registry = defineSchemaRegistry([
  {
    model: 'note',
    primaryKey: ['id'],
    fields: [
      { path: 'id', kind: 'integer', nullable: false, primaryKey: true },
      { ...field, path: 'tags', kind: 'string[]' },
      { ...field, path: 'sizes', kind: 'integer[]' },
      { ...field, path: 'moods', kind: 'enum[]', enumValues: ['so so', 'fine'] },
      { path: 'marks', kind: 'boolean[]', nullable: false, primaryKey: false },
      { ...field, path: 'data', kind: 'json', paths: { days: 'date[]' } },
    ],
    relations: [],
  },
]);

const root = { root: { allowed: ['id', 'tags', 'sizes', 'moods'], default: ['id'] } } as const;
const rulesOf = (declaration: Partial<QueryRulesDeclaration>) =>
  defineQueryRules(registry as never, 'note', { fields: root, ...declaration } as never);
const all = ['has', 'notHas', 'hasAny', 'notHasAny', 'hasAll', 'notHasAll', 'isEmpty'] as const;
const rules = rulesOf({
  filters: [
    { path: 'tags', operators: [...all, 'isNull'] },
    { path: 'sizes', operators: all },
    { path: 'moods', operators: all },
    { path: 'data.days', operators: all },
  ],
  groups: { depth: 1, terms: 4 },
});

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof QueryError) return error.code;
    throw error;
  }
  return 'none';
}

describe('arrays in rules', () => {
  it.each([
    { filters: [{ path: 'tags', operators: ['eq'] }] },
    { filters: [{ path: 'tags', operators: ['in'] }] },
    { filters: [{ path: 'tags', operators: ['like'] }] },
    { filters: [{ path: 'sizes', operators: ['gte'] }] },
    { filters: [{ path: 'data.days', operators: ['between'] }] },
    { filters: [{ path: 'id', operators: ['has'] }] },
    { filters: [{ path: 'id', operators: ['isEmpty'] }] },
    { filters: [{ path: 'data', operators: ['has'] }] },
    // A required array is never null.
    { filters: [{ path: 'marks', operators: ['isNull'] }] },
    { sorts: ['tags'] },
    { sorts: ['data.days'] },
    { search: ['tags'] },
  ] as Partial<QueryRulesDeclaration>[])('refuses %j', (declaration) => {
    expect(codeOf(() => rulesOf(declaration))).toBe('SOURCE_CONFIGURATION_INVALID');
  });

  it('names the operators of an array', () => {
    expect(() => rulesOf({ filters: [{ path: 'tags', operators: ['eq'] }] })).toThrow(
      /eq compares a single value, not an array; use has, hasAny, hasAll or isEmpty/,
    );
  });

  it('refuses an array of an enum without members', () => {
    const define = () =>
      defineSchemaRegistry([
        {
          model: 'note',
          primaryKey: ['id'],
          fields: [
            { path: 'id', kind: 'integer', nullable: false, primaryKey: true },
            { ...field, path: 'moods', kind: 'enum[]' },
          ],
          relations: [],
        },
      ]);
    expect(codeOf(define)).toBe('SOURCE_CONFIGURATION_INVALID');
  });

  const numbers = (length: number) => Array.from({ length }, (_, at) => at).join();

  it.each([
    'filter[sizes][has]=a',
    'filter[sizes][has]=1.5',
    'filter[sizes][has]=2147483648',
    'filter[sizes][has]=',
    'filter[sizes][hasAny]=1,a',
    'filter[sizes][hasAll]=1,,2',
    `filter[sizes][hasAny]=${numbers(1001)}`,
    `filter[sizes][hasAll]=${numbers(1001)}`,
    `filter[sizes][notHasAny]=${numbers(1001)}`,
    'filter[sizes][isEmpty]=maybe',
    'filter[sizes][isEmpty]=',
    'filter[moods][has]=angry',
    'filter[moods][hasAny]=fine,angry',
    `filter[tags][has]=${'a'.repeat(1001)}`,
    'filter[tags][has]=%00',
    'filter[tags][hasAll]=a,%00',
    'filter[data.days][has]=2024-02-30',
  ])('refuses the value of %s', (request) => {
    expect(codeOf(() => planQuery(request, rules))).toBe('FILTER_VALUE_INVALID');
  });

  it('takes as many values as `in` does', () => {
    expect(codeOf(() => planQuery(`filter[sizes][hasAll]=${numbers(1000)}`, rules))).toBe('none');
  });

  it.each([
    ['filter[$not][tags][has]=a', { operator: 'notHas', value: 'a' }],
    ['filter[$not][tags][notHas]=a', { operator: 'has', value: 'a' }],
    ['filter[$not][tags][hasAny]=a,b', { operator: 'notHasAny', value: ['a', 'b'] }],
    ['filter[$not][tags][hasAll]=a,b', { operator: 'notHasAll', value: ['a', 'b'] }],
    ['filter[$not][tags][isEmpty]=true', { operator: 'isEmpty', value: false }],
  ])('negates %s', (request, condition) => {
    expect(planQuery(request, rules).where).toMatchObject(condition);
  });

  it('are in the description, the costs and the OpenAPI document', () => {
    const described = describeRules(rules).filters.find(({ path }) => path === 'moods');
    expect(described).toMatchObject({
      kind: 'enum[]',
      members: ['so so', 'fine'],
      operators: [...all],
    });
    const costs = Object.fromEntries(explainCost(rules).map(({ term, cost }) => [term, cost]));
    expect(costs).toMatchObject({
      'filter[tags][has]': 1,
      'filter[tags][hasAll]': 1,
      'filter[tags][notHas]': 5,
      'filter[tags][isEmpty]': 5,
    });
    const parameters = new Map(openApiParameters(rules).map((each) => [each.name, each]));
    expect(parameters.get('filter[sizes][has]')?.schema).toMatchObject({ type: 'integer' });
    expect(parameters.get('filter[moods][hasAny]')?.schema).toEqual({
      type: 'array',
      items: { type: 'string', enum: ['so so', 'fine'] },
      maxItems: 1000,
    });
    expect(parameters.get('filter[tags][isEmpty]')?.schema).toEqual({ type: 'boolean' });
    expect(parameters.get('filter[tags][isEmpty]')?.description).not.toContain('value is');
  });

  it('are written in filter texts', () => {
    const description = describeRules(rules);
    const text = 'tags has red and sizes hasany (1, 2) and moods is not empty';
    const { filter } = parseFilterText(description, text);
    expect(filter).toEqual({
      tags: { has: 'red' },
      sizes: { hasAny: [1, 2] },
      moods: { isEmpty: false },
    });
    expect(printFilterText(description, filter ?? {})).toBe(text);
  });
});
