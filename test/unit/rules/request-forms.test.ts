/** The forms of a request: raw, `URLSearchParams`, and objects of the parsers that Express 4 and 5 use. */

import querystring from 'node:querystring';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyRequest, planQuery, QueryError } from '../../../src/index.ts';
import type { ListRequestInput } from '../../../src/index.ts';
import { holds } from '../../seed.ts';
import { refusalOf } from '../refusal.ts';
import { shopRules } from './shop-rules.ts';

type ParseNested = (text: string, options: object) => { readonly [param: string]: unknown };
const require = createRequire(import.meta.url);
const qsOf = (framework: string): ParseNested =>
  createRequire(require.resolve(framework))('qs').parse;
const qs4 = qsOf('express-4');
const qs5 = qsOf('express');

/** The parsers of Express, with their options there; the second is that of Express 4 before 4.22. */
const nestedForms: Readonly<Record<string, (text: string) => ListRequestInput>> = {
  'Express 5, extended': (text) => qs5(text, { allowPrototypes: true }),
  'Express 4, extended': (text) => qs4(text, { allowPrototypes: true }),
  'Express 4.22, extended': (text) => qs4(text, { allowPrototypes: true, arrayLimit: 1000 }),
};
const flatForms: Readonly<Record<string, (text: string) => ListRequestInput>> = {
  URLSearchParams: (text) => new URLSearchParams(text),
  'Express 5, simple': (text) => querystring.parse(text),
};
const forms = { ...flatForms, ...nestedForms };

const rules = shopRules();
const keysetRules = shopRules({ mode: 'keyset' });

/** The plan of a request as JSON, or the code of its refusal. */
function outcome(request: ListRequestInput, of = rules): string {
  try {
    return JSON.stringify(planQuery(request, of));
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    expect(error.status).toBe(400);
    return error.code;
  }
}

it('a body has a limit of its own, as text and as an object', () => {
  const { maxBodyLength } = rules.limits;
  for (const [length, details] of [
    [maxBodyLength, { path: 'search' }],
    [maxBodyLength + 1, { maxBodyLength }],
  ] as const) {
    const search = 'x'.repeat(length - 'search='.length);
    for (const body of [`search=${search}`, { search }]) {
      // The longest body that is read has a term that is too long.
      const error = refusalOf(() => planQuery(bodyRequest(body), rules));
      expect([typeof body, length, error.details]).toMatchObject([typeof body, length, details]);
    }
  }
});

const refused = (result: string): boolean => !result.startsWith('{');
const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('&');

describe('every form of a request means the same', () => {
  it.each([
    // More values than `qs` puts in an array.
    times(25, (n) => `filter[name][in]=${n}`),
    times(25, (n) => `filter[name][in][]=${n}`),
    times(25, (n) => `filter[name][in][${n}]=${n}`),
    times(25, (n) => `filter[name][in][${24 - n}]=${n}`),
    times(990, (n) => `sort=${n % 2 ? 'id' : 'name'}`),
    `filter[stock]=1&${times(25, (n) => `filter[stock][in]=${n}`)}&filter[stock][gt]=0`,
    times(25, () => 'filter[name]=a'),
    // A repetition in each spelling.
    'sort[]=id',
    'sort[]=-name&sort[]=price',
    'sort%5B%5D=-name&sort%5b%5d=price',
    'sort[0]=-name&sort[1]=price',
    'sort[1]=-name&sort[0]=price',
    'sort[1]=-name&sort[3]=price',
    'sort[30]=-name&sort[31]=price',
    'sort[]=-name&sort=price',
    'sort=-name&sort[]=price',
    'sort=price&sort[]=-name&sort=id',
    'sort[]=name,price',
    'fields[]=id&fields[]=name&includes[]=maker&includes[]=maker.articles',
    'filter[name][in][]=a,b&filter[name][in][]=c',
    'filter[name][in][]=',
    'filter[name][in]=&filter[name][in]=a',
    'filter[stock][between][]=1&filter[stock][between][]=5',
    'filter[stock][between][1]=1&filter[stock][between][0]=5',
    // A plain value beside operators.
    'filter[name]=a&filter[name][ne]=b',
    'filter[name][ne]=b&filter[name]=a',
    'filter[name][ne]=b&filter[name]=ne',
    'filter[name]=a&filter[name][ne]=b&filter[name][like]=c',
    'filter[name][ne]=b&filter[name]=a&filter[name][like]=c',
    'filter[name]=a&filter[name][in]=b&filter[name][in]=c',
    'filter[name]=a&filter[stock]=1&filter[name][ne]=b&filter[stock][lt]=3',
    'filter[name][ne]=&filter[stock][isNull]',
    // Encodings.
    'filter%5Bname%5D%5Blike%5D=a%5D%3Db+c%2Bd%26e',
    'filter[name][like]=a]=b',
    'search=50%25+off',
    'search=%2541',
    'search=%EF%BB%BF',
    '&&page=2&&perPage=3&',
    'filter[name]&search=&sort=',
    'filter[name]=%3D%3D&filter[name][ne]==',
  ])('%s', (text) => {
    const expected = outcome(text);
    for (const [form, read] of Object.entries(forms)) {
      expect([form, outcome(read(text))]).toEqual([form, expected]);
    }
  });

  it('and where it is refused, it is refused in every form', () => {
    for (const text of [
      '%=%',
      '%=1',
      '%zz=1',
      '%25zz=1',
      'a%FF=1',
      'a%EF%BF%BD=1',
      'constructor=1',
      'toString[]=1',
      'filter[constructor]=1',
      'filter[name][constructor]=1',
      'filter=name',
      'filter=name&filter[name]=a',
      'filter[name]=a&filter=name',
      'filter[]=name',
      'filter[0]=name',
      'filter[name]=a&filter[]=b',
      'filter[name][]=a',
      'filter[name][0]=a',
      'filter[name][]=a&filter[name][ne]=b',
      'filter[name]=a&filter[name]=b&filter[name][ne]=c',
      'filter[name]=a&filter[name][ne]=c&filter[name]=b',
      'filter[name][ne]=c&filter[name]=a&filter[name]=a',
      'filter[name]=a&filter[name][eq]=a',
      'filter[name][eq][]=a',
      'filter[name][eq][low]=a',
      'filter[name][in]=a&filter[name][in][low]=b',
      'filter[name][in][0]=a&filter[name][in][0]=b',
      'filter[a][b][c][d][e][f][g]=1',
      'page[]=1',
      'page[0]=1',
      'page[size]=1',
      'page=1&page=1',
      'search[]=a',
      'sort[name]=asc',
      'sort[]=id&sort[name]=asc',
      'sort[01]=id',
      'sort[-1]=id',
      'sort[9999999999]=id',
      'sort[0]=id&sort[0]=name',
      'sort[ ]=id',
      'cursor=a',
    ]) {
      const expected = outcome(text);
      expect([text, refused(expected)]).toEqual([text, true]);
      for (const [form, read] of Object.entries(forms)) {
        expect([text, form, outcome(read(text))]).toEqual([text, form, expected]);
      }
    }
  });

  it('objects that hold no parameters of their own are refused', () => {
    const address = 'http://localhost/?sort=name';
    const params = new URL(address).searchParams;
    const wrong = [new URL(address), new Request(address), new Map(params)];
    for (const input of [...wrong, Promise.resolve('sort=name'), new Blob(['sort=name'])]) {
      const members = input as unknown as { readonly [param: string]: unknown };
      expect(outcome(members)).toBe('QUERY_SYNTAX_INVALID');
      expect(outcome(bodyRequest(members))).toBe('QUERY_SYNTAX_INVALID');
    }
  });

  it('numbered items are not mixed with others where the parser tells them apart', () => {
    for (const text of ['sort[0]=id&sort=name', 'sort[]=name&sort[1]=id']) {
      expect(outcome(text)).toBe('QUERY_SYNTAX_INVALID');
      for (const read of Object.values(flatForms)) {
        expect(outcome(read(text))).toBe('QUERY_SYNTAX_INVALID');
      }
    }
  });
});

describe('an object whose parser has lost a part of the request is refused', () => {
  it('after the thousandth parameter', () => {
    const text = `${times(1000, () => 'sort=id')}&filter[name]=a`;
    for (const [form, read] of Object.entries(forms)) {
      const expected = form === 'URLSearchParams' ? outcome(text) : 'QUERY_SYNTAX_INVALID';
      expect([form, outcome(read(text))]).toEqual([form, expected]);
    }
  });

  it('unless it holds more than a query string could', () => {
    const ids = Array.from({ length: 1000 }, (_, index) => `article ${index}`);
    expect(outcome({ filter: { name: { in: ids } } })).toContain('article 999');
    expect(outcome({ filter: { name: { in: ids.slice(1) } } })).toContain('article 999');
  });

  it('when it left text encoded because a part of it was malformed', () => {
    for (const value of ['%FF', '%41%', '%C3%28', '%20%zz', '%ED%A0%80']) {
      expect(outcome(`search=${value}`)).toBe('QUERY_SYNTAX_INVALID');
      for (const [form, read] of Object.entries(nestedForms)) {
        expect([form, outcome(read(`search=${value}`))]).toEqual([form, 'QUERY_SYNTAX_INVALID']);
      }
    }
    expect(outcome({ search: '50%' })).toBe(outcome('search=50%25'));
  });

  it('but not when a value has a replacement character, which a client may have sent', () => {
    for (const text of [
      'search=%EF%BF%BD',
      'filter[name][in]=a%EF%BF%BD,b',
      'filter[name]=%EF%BF%BD',
    ]) {
      const meant = outcome(text);
      expect(refused(meant)).toBe(false);
      expect(outcome(new URLSearchParams(text))).toBe(meant);
      expect(outcome(querystring.parse(text))).toBe(meant);
      for (const [form, read] of Object.entries(nestedForms)) {
        expect([form, outcome(read(text))]).toEqual([form, meant]);
      }
    }
  });

  it('when it dropped a name and left its container', () => {
    for (const text of ['filter[__proto__]=a', 'filter[name][__proto__]=a']) {
      expect(refused(outcome(text))).toBe(true);
      for (const [form, read] of Object.entries(nestedForms)) {
        expect([form, outcome(read(text))]).toEqual([form, 'QUERY_SYNTAX_INVALID']);
      }
    }
  });

  it('when it has merged a value with operators, as qs before 6.15 does', () => {
    const merged = (conditions: object): string => outcome({ filter: { name: conditions } });
    expect(merged({ ne: 'b', a: true })).toBe(outcome('filter[name][ne]=b&filter[name]=a'));
    expect(merged({ ne: 'b', a: true, c: true })).toBe('QUERY_SYNTAX_INVALID');
    expect(merged({ ne: 'b', like: true })).toBe('QUERY_SYNTAX_INVALID');
    expect(merged({ ne: 'b', 'a b': true })).toBe(outcome('filter[name][ne]=b&filter[name]=a+b'));
  });
});

describe('generated requests', () => {
  const paths = ['name', 'stock', 'maker.name', 'labels.text', 'constructor', 'nope'] as const;
  const operators = ['eq', 'ne', 'in', 'notIn', 'between', 'like', 'isNull', 'gt', 'no'] as const;
  const places = ['', '', '', '[]', '[0]', '[1]', '[2]', '[25]', '[x]'] as const;
  const plain = fc.constantFrom('sort', 'fields', 'includes', 'search', 'page', 'cursor', 'other');
  const wellFormed = fc.oneof(
    { weight: 3, arbitrary: plain },
    { weight: 4, arbitrary: fc.constantFrom(...paths).map((path) => `filter[${path}]`) },
    {
      weight: 5,
      arbitrary: fc
        .tuple(fc.constantFrom(...paths), fc.constantFrom(...operators))
        .map(([path, operator]) => `filter[${path}][${operator}]`),
    },
    { weight: 1, arbitrary: fc.constantFrom('filter', 'filter[a][b][c][d][e][f]', 'a.b') },
  );
  const name = fc.tuple(wellFormed, fc.constantFrom(...places)).map((parts) => parts.join(''));
  const word = fc.constantFrom('a', 'b', 'id', 'name', '-name', 'maker', '1', '2', 'ne', 'true');
  const value = fc.oneof(
    { weight: 6, arbitrary: word },
    { weight: 2, arbitrary: fc.array(word, { maxLength: 3 }).map((words) => words.join()) },
    {
      weight: 2,
      arbitrary: fc.string({
        unit: fc.constantFrom('%', '+', '&', '=', ']', '[', ',', '"', 'é', '4'),
      }),
    },
  );
  const pair = fc.tuple(name, value, fc.constantFrom(1, 1, 1, 1, 1, 2, 22));
  const encode = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');
  const print = (list: readonly (readonly [string, string, number])[]): string =>
    list
      .flatMap(([key, text, count]) => Array<string>(count).fill(`${encode(key)}=${encode(text)}`))
      .join('&');

  /**
   * Pairs that `qs` merges without a trace: it drops an empty value that meets an object or an array of its name, and
   * puts a numbered item wherever there is room.
   */
  function losesWithoutTrace(list: readonly (readonly [string, string, number])[]): boolean {
    const names = new Set(list.map(([key]) => key));
    const bases = list.map(([key]) => key.replace(/\[[^[\]]*\]$/, ''));
    const meet = (key: string) =>
      list.some(([other]) => other !== key && other.startsWith(`${key}[`));
    return (
      list.some(([key, text]) => text === '' && (meet(key) || /\[\d+\]$/.test(key))) ||
      list.some(([key], at) => {
        if (!/\[\d+\]$/.test(key)) return false;
        const base = bases[at] as string;
        return names.has(base) || names.has(`${base}[]`) || meet(key);
      })
    );
  }

  it('mean the same in every form, or are refused there', { timeout: 300_000 }, async () => {
    let answered = 0;
    await holds(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 4 }), (list) => {
        const text = print(list);
        for (const of of [rules, keysetRules]) {
          const expected = outcome(text, of);
          if (!refused(expected)) answered += 1;
          for (const [form, read] of Object.entries(forms)) {
            if (form in nestedForms && losesWithoutTrace(list)) continue;
            const result = outcome(read(text), of);
            // Which of several errors is named first depends on the order in which the form holds its parameters.
            if (refused(result) && refused(expected)) continue;
            const lossy = form !== 'URLSearchParams' && list.some(([, item]) => /%/.test(item));
            if (lossy && refused(result)) continue;
            expect([form, text, result]).toEqual([form, text, expected]);
          }
        }
      }),
      40_000,
    );
    expect(answered).toBeGreaterThan(100);
  });
});
