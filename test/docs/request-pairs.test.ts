/** The requests in the right column of the pages for those who come from other libraries: an endpoint accepts each. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defineQueryRules, defineSchemaRegistry, planQuery } from '../../src/index.ts';

const key = { path: 'id', kind: 'integer', nullable: false, primaryKey: true } as const;
const text = { kind: 'string', nullable: false, primaryKey: false } as const;
const registry = defineSchemaRegistry([
  {
    model: 'user',
    primaryKey: ['id'],
    fields: [
      key,
      { path: 'name', ...text },
      { path: 'email', ...text },
      { path: 'state', ...text },
      { path: 'age', kind: 'integer', nullable: true, primaryKey: false },
    ],
    relations: [{ path: 'company', target: 'company', cardinality: 'one', nullable: true }],
  },
  { model: 'company', primaryKey: ['id'], fields: [key, { path: 'name', ...text }], relations: [] },
]);
const rules = defineQueryRules(
  registry,
  'user',
  {
    filters: [
      {
        path: 'name',
        operators: ['eq', 'startsWith', 'endsWith', 'istartsWith', 'like', 'notLike', 'ilike'],
      },
      { path: 'age', operators: ['gt', 'gte', 'lt', 'lte', 'between', 'isNull'] },
      { path: 'state', operators: ['in', 'notIn'] },
      { path: 'company.name', operators: ['eq'] },
    ],
    groups: { depth: 2, terms: 4 },
    sorts: ['id', 'name', { path: 'age', nulls: 'last' }],
    includes: ['company'],
    fields: 'all',
    pagination: { mode: 'both' },
  },
  { families: ['postgresql'] },
);

/** The requests of the right column; those in parts of a sentence stand in code of their own. */
function requestsOf(page: string): readonly string[] {
  const document = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');
  const [, table = ''] = /^## A request\n([^]*?)(?=^## )/m.exec(document) ?? [];
  return [...table.matchAll(/^\| .* \| ([^|]+) \|$/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`((?:filter\[|fields|includes|sort|page|perPage|cursor)[^`]*=[^`]*)`/g)].map(
      ([, request = '']) => request,
    ),
  );
}

describe.each(['crud', 'nestjs-query', 'postgrest'])('the page %s', (page) => {
  const requests = requestsOf(page);

  it('has requests', () => expect(requests.length).toBeGreaterThan(10));

  it.each(requests)('%s is accepted', (request) => {
    expect(planQuery(request, rules).model).toBe('user');
  });
});
