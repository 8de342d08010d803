import { describe, expect, it } from 'vitest';
import { defineQueryRules, planQuery, QueryError } from '../../src/index.ts';
import type { ListRequestInput } from '../../src/index.ts';
import { tileRegistry } from '../http/tiles.ts';

/** A host that accepts requests of 1 MB: their cost must be proportional to their length. */
const rules = defineQueryRules(
  tileRegistry,
  'tile',
  {
    filters: [{ path: 'colour', operators: ['eq', 'in', 'like'] }],
    sorts: ['colour'],
    fields: { root: { allowed: ['id', 'colour'], default: ['id'] } },
    includes: [],
    pagination: { mode: 'both' },
  },
  { limits: { maxQueryLength: 1_000_000, maxListLength: 1_000_000, maxTextLength: 1_000_000 } },
);

const size = 1_000_000;
const repeated = (text: string): string => text.repeat(Math.floor(size / text.length));
const numbered = (count: number, text: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => text(index));

/** Milliseconds of the processor that this thread has used: other work of the machine does not count. */
const used = (): number => process.threadCpuUsage().user / 1000;

const requests: readonly (readonly [name: string, request: ListRequestInput])[] = [
  ['one sort repeated', repeated('sort=colour&')],
  ['a sort of many items', `sort=${repeated('colour,').slice(0, -20)}`],
  ['an array of empty sorts', { sort: new Array(size - 100).fill('') }],
  ['many filters', numbered(60_000, (index) => `filter[a${index}]=`).join('&')],
  [
    'many filters of an object',
    {
      filter: Object.fromEntries(
        numbered(90_000, (index) => `a${index}`).map((path) => [path, '']),
      ),
    },
  ],
  ['one list repeated', repeated('filter[colour][in]=1&')],
  ['a list of many items', `filter[colour][in]=${repeated('1,').slice(0, -40)}`],
  ['a list of many quotes', `filter[colour][in]=${repeated('"a",').slice(0, -40)}`],
  ['a list of backslashes', `filter[colour][in]=${repeated('\\').slice(0, -41)}`],
  ['brackets', `filter${repeated('[a]').slice(0, -40)}`],
  ['a path of many segments', `filter[${repeated('a.').slice(0, -40)}a]=1`],
  ['percent encodings', `search=${repeated('%41').slice(0, -40)}`],
  ['broken encodings', '%zz&'.repeat(50_000)],
  ['ampersands', repeated('&')],
  ['names without values', repeated('page&')],
  ['a cursor', `cursor=${repeated('QUFB').slice(0, -40)}`],
  ['a term whose case is long to fold', `filter[colour][like]=${'İ'.repeat(size / 2)}`],
  ['blanks around a term', `search=${repeated('+').slice(0, -40)}a`],
];

describe('1 MB where a host allows it', () => {
  it.each(requests)('%s: a plan or a refusal within two seconds', (_name, request) => {
    const start = used();
    try {
      planQuery(request, rules);
    } catch (error) {
      expect(error).toBeInstanceOf(QueryError);
    }
    expect(used() - start).toBeLessThan(2000);
  });
});

describe('values that are not requests', () => {
  it.each([null, undefined, 1, true, Symbol.iterator, () => 'page=1'])(
    '%s is malformed',
    (request) => {
      expect(() => planQuery(request as unknown as ListRequestInput, rules)).toThrow(
        expect.objectContaining({ code: 'QUERY_SYNTAX_INVALID' }),
      );
    },
  );
});
