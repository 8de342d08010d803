/** Hostile requests, in the three forms a request may have: query string, `URLSearchParams`, parsed object. */

import fc from 'fast-check';
import type { ListRequestInput } from '../../src/index.ts';
import { hostileList, hostileText, markers } from './values.ts';

/** A request and the values in it, which no refusal may repeat. */
export interface HostileRequest<Input extends ListRequestInput = ListRequestInput> {
  readonly input: Input;
  readonly values: readonly string[];
  /** Whether what was a value may have become a name, which a refusal may repeat when it is well-formed. */
  readonly shifted?: true;
}

const [mark] = markers;

const goodPaths = [
  'id',
  'name',
  'nick',
  'code',
  'role',
  'age',
  'visits',
  'balance',
  'active',
  'born',
  'seenAt',
  'firm',
  'firm.name',
  'notes',
  'notes.text',
  'labels.word',
] as const;
const badPaths = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__proto__.name',
  'firm.__proto__',
  'firm.constructor.name',
  'secret',
  'nameFolded',
  'c_name',
  'firm.people',
  'firm.people.firm.people.name',
  'notes.person.notes.person.name',
  'extra',
  'extra.tags',
  'length',
  'then',
  'toJSON',
  'id.id',
  'Name',
] as const;
const brokenPaths = [
  '',
  '.',
  '..',
  'firm.',
  '.name',
  'firm..name',
  '*',
  'firm.*',
  'na me',
  'name\0',
  '1name',
  'name[',
  ']',
  '[]',
  `${mark} `,
  `x-${mark}`,
  'naïve',
  '"name"',
  '`name`',
  "name'",
  'name;',
  'name--',
  'a/b',
  '\ud800',
  '$where',
] as const;
const goodOperators = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'notIn',
  'between',
  'like',
  'notLike',
  'ilike',
  'notIlike',
  'isNull',
] as const;
const badOperators = [
  'EQ',
  'regex',
  'constructor',
  'valueOf',
  '__proto__',
  '$ne',
  '',
  ' eq',
  'eq\0',
  'or',
  'raw',
  'isNotNull',
] as const;

const path = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<string>(...goodPaths) },
  { weight: 1, arbitrary: fc.constantFrom<string>(...badPaths) },
  { weight: 1, arbitrary: fc.constantFrom<string>(...brokenPaths) },
);
const operator = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<string>(...goodOperators) },
  { weight: 1, arbitrary: fc.constantFrom<string>(...badOperators) },
);
const params = [
  'sort',
  'fields',
  'includes',
  'search',
  'page',
  'perPage',
  'paginate',
  'cursor',
] as const;
const unknownParams = [
  '__proto__',
  'constructor',
  'filters',
  'Filter',
  'where',
  'limit',
  'offset',
  'take',
  'orderBy',
  'select',
  'q',
  '',
  'filter\0',
  'sort[]',
  'sort[0]',
  'page[]',
  'filter[',
  'filter]',
  'filter[]',
  'filter[][]',
  'filter[name',
  'filter.name',
  'filter[name][eq][0]',
  'filter[name][in][]',
  'filter[name]eq',
  'filter[name][eq]x',
  '[filter][name]',
  'filter[[name]]',
  `filter[${'a'.repeat(5000)}]`,
  `${'['.repeat(3000)}`,
  `filter${'[a]'.repeat(2000)}`,
] as const;

/** One parameter, decoded. */
type Pair = readonly [key: string, value: string];

const filterKey = fc.tuple(path, operator).map(([where, how]) => `filter[${where}][${how}]`);
const shortFilterKey = path.map((where) => `filter[${where}]`);
const pathList = fc
  .array(fc.tuple(fc.constantFrom('', '', '-', '--', '+'), path), { minLength: 1, maxLength: 4 })
  .map((items) => items.map(([sign, where]) => sign + where).join(','));
const includeList = fc
  .subarray(['firm', 'notes', 'notes.person', 'labels', 'firm.people', '*'] as const)
  .map(String);
const paging = fc.constantFrom(
  '1',
  '2',
  '3',
  '500',
  '501',
  '0',
  '-1',
  '1.5',
  '1e3',
  '01',
  ' 1',
  '9007199254740992',
  '99999999999999999999',
  'NaN',
  'Infinity',
  '',
  'true',
  'false',
  '0x1',
  mark,
  '²',
);

const pair: fc.Arbitrary<Pair> = fc.oneof(
  { weight: 10, arbitrary: fc.tuple(filterKey, fc.oneof(hostileText, hostileList)) },
  { weight: 2, arbitrary: fc.tuple(shortFilterKey, hostileText) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('sort', 'fields'), pathList) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('includes'), includeList) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('page', 'perPage', 'paginate'), paging) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('search', 'cursor'), hostileText) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom<string>(...params), fc.oneof(hostileText, hostileList)),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom<string>(...unknownParams), hostileText) },
);

/** Now and then a parameter comes twice. */
const pairs = fc
  .tuple(fc.array(pair, { maxLength: 4 }), fc.nat({ max: 9 }))
  .map(([list, twice]): readonly Pair[] => (twice === 0 ? [...list, ...list] : list));

/**
 * Values of pairs; path lists are paths, which a refusal may name when they are well-formed. The text before
 * a comma or the like is as much the client's as the whole.
 */
function valuesOf(list: readonly Pair[]): string[] {
  return list.flatMap(([key, value]) =>
    key === 'sort' || key === 'fields' || key === 'includes' ? [] : [value, ...value.split(',')],
  );
}

/** Percent-encodes as UTF-8, an unpaired surrogate as the three bytes that are not UTF-8. */
export function encodeAnything(text: string): string {
  if (text.isWellFormed()) return encodeURIComponent(text);
  return [...text]
    .map((char) => {
      if (char.isWellFormed()) return encodeURIComponent(char);
      const unit = char.charCodeAt(0);
      const bytes = [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
      return bytes.map((byte) => `%${byte.toString(16)}`).join('');
    })
    .join('');
}

const encoded: fc.Arbitrary<HostileRequest<string>> = pairs.map((list) => ({
  input: list.map(([key, value]) => `${encodeAnything(key)}=${encodeAnything(value)}`).join('&'),
  values: valuesOf(list),
}));

/** Only the ASCII that a request line may hold is left as it is, brackets and quotes among it. */
const barelyEncoded: fc.Arbitrary<HostileRequest<string>> = pairs.map((list) => ({
  input: list
    .map((entry) =>
      entry.map((text) => text.replace(/[^\x21-\x7e]|[%&#+]/gu, encodeAnything)).join('='),
    )
    .join('&'),
  values: valuesOf(list),
}));

const brokenPieces = [
  '%',
  '%%',
  '%z',
  '%zz',
  '%0',
  '%00',
  '%C3%28',
  '%ED%A0%80',
  '%F5%80%80%80',
  '%C0%AE',
  '%u0041',
  '%FF',
  '%E2%82',
  '&&',
  '==',
  '=&=',
  '?',
  '#',
  ';',
  '+',
  '[',
  ']',
  '%5B',
  '%5D',
  '%26',
  '%3D',
  '%2500',
] as const;

/** A query string with something broken in the middle of it. */
const malformed: fc.Arbitrary<HostileRequest<string>> = fc
  .tuple(encoded, fc.constantFrom(...brokenPieces), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([{ input, values }, piece, where]) => {
    const at = Math.floor(input.length * where);
    return { input: input.slice(0, at) + piece + input.slice(at), values, shifted: true };
  });

const garbage: fc.Arbitrary<HostileRequest<string>> = fc
  .array(
    fc.constantFrom(
      'filter',
      'name',
      'sort',
      'page',
      '[',
      ']',
      '=',
      '&',
      '%',
      '"',
      '\\',
      ',',
      '.',
      '-',
      '1',
      'eq',
      '?',
      '+',
      mark,
    ),
    { maxLength: 40 },
  )
  .map((pieces) => ({ input: pieces.join(''), values: [], shifted: true }));

/** Sizes that only a bound can answer quickly. */
const enormous: fc.Arbitrary<HostileRequest<string>> = fc
  .constantFrom(
    `search=${mark.repeat(170_000)}`,
    `filter[name][in]=${`${mark},`.repeat(150_000)}`,
    `filter[id][in]=${Array.from({ length: 10_000 }, (_, index) => index).join(',')}`,
    `filter[id][in]=${'1,'.repeat(1_000)}1`,
    `filter[id][in]=${'1,'.repeat(999)}1`,
    'filter[id][in]=1&'.repeat(60_000),
    'filter[id]=1&'.repeat(1_200),
    'sort=name&'.repeat(1_600),
    `sort=${'-name,name,'.repeat(1_400)}id`,
    `includes=${'notes,'.repeat(2_700)}notes`,
    `fields=${'id,'.repeat(5_000)}id`,
    `fields=${'a.'.repeat(8_000)}a`,
    `filter[${'a.'.repeat(7_000)}a]=1`,
    `filter[${'a'.repeat(16_000)}!]=1`,
    `filter[name][like]=${'%25'.repeat(1_000)}`,
    `filter[name][in]=${'"'.repeat(16_000)}`,
    `filter[name][in]=${'\\'.repeat(16_000)}`,
    `filter[balance]=${'9'.repeat(16_000)}`,
    `filter[seenAt]=2024-01-01T00:00:00.${'1'.repeat(16_000)}`,
    `filter[code]=${'0'.repeat(16_000)}`,
    `cursor=${'A'.repeat(16_000)}`,
    `page=${'1'.repeat(16_000)}`,
    `search=${'+'.repeat(16_000)}a`,
    '&'.repeat(1_000_000),
    '='.repeat(16_000),
    `filter${'['.repeat(500_000)}`,
    `filter${'[a]'.repeat(5_000)}=1`,
    Array.from({ length: 51 }, (_, index) => `filter[a${index}]=1`).join('&'),
    Array.from({ length: 1_400 }, (_, index) => `filter[a${index}]`).join('&'),
  )
  .map((input) => ({ input, values: [] }));

/** Query strings of every sort. */
export const hostileQueryString: fc.Arbitrary<HostileRequest<string>> = fc.oneof(
  { weight: 40, arbitrary: encoded },
  { weight: 15, arbitrary: barelyEncoded },
  { weight: 15, arbitrary: malformed },
  { weight: 8, arbitrary: garbage },
  { weight: 1, arbitrary: enormous },
);

const hostileSearchParams: fc.Arbitrary<HostileRequest> = pairs.map((list) => ({
  input: new URLSearchParams(list.map(([key, value]): [string, string] => [key, value])),
  values: valuesOf(list),
}));

/** What a framework's parser, or a careless host, may put where a value belongs. */
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.array(hostileText, { maxLength: 4 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      0,
      1,
      -1,
      1.5,
      -0,
      1e400,
      Number.NaN,
      2 ** 31,
      2 ** 53,
      true,
      false,
      null,
      undefined,
      10n,
      Symbol.iterator,
      () => mark,
      new Date(0),
      new Date(Number.NaN),
      new Map([['eq', mark]]),
      /x/,
      Buffer.from(mark),
      [],
      [[]],
      [[mark]],
      [null],
      [undefined],
      [{}],
      {},
      { eq: { eq: mark } },
      Object.create(null),
      Object.create({ eq: mark }),
      { toString: () => mark },
      { valueOf: () => 1 },
      { length: 2 ** 32 },
      { then: mark },
      new Array(3),
      Array.from({ length: 10_000 }, () => 1),
    ),
  },
);

function nullPrototype(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const result = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of entries) define(result, key, value);
  return result;
}

/** Defines rather than assigns, so that `__proto__` is a key like any other. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Something else at every look. */
function withGetter(key: string, values: readonly unknown[]): Record<string, unknown> {
  let looks = 0;
  return Object.defineProperty({}, key, {
    enumerable: true,
    get: () => values[looks++ % values.length],
  }) as Record<string, unknown>;
}

const operands = fc.array(fc.tuple(operator, oddValue), { maxLength: 3 });
const conditions = fc.oneof(
  oddValue,
  operands.map(nullPrototype),
  operands.map((list) => Object.fromEntries(list)),
);
const filterObject = fc.array(fc.tuple(path, conditions), { maxLength: 4 });

type Make = () => Record<string, unknown>;
const paramEntries = fc.array(
  fc.tuple(
    fc.oneof(filterKey, fc.constantFrom<string>(...params, 'filter', ...unknownParams)),
    oddValue,
  ),
  { maxLength: 4 },
);

const hostileObject: fc.Arbitrary<HostileRequest> = fc
  .oneof(
    filterObject.map(
      (list): Make =>
        () =>
          nullPrototype([['filter', nullPrototype(list)]]),
    ),
    filterObject.map((list): Make => () => ({ filter: Object.fromEntries(list) })),
    filterObject.map(
      (list): Make =>
        () =>
          withGetter('filter', [Object.fromEntries(list), { name: { eq: mark } }, mark]),
    ),
    paramEntries.map(
      (list): Make =>
        () =>
          nullPrototype(list),
    ),
    paramEntries.map(
      (list): Make =>
        () =>
          Object.fromEntries(list),
    ),
    fc.tuple(filterKey, oddValue, oddValue).map(
      ([key, ...looks]): Make =>
        () =>
          withGetter(key, looks),
    ),
  )
  .map((make) => ({ input: make(), values: [] }));

/** Requests of every form. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.oneof(
  { weight: 5, arbitrary: hostileQueryString },
  { weight: 1, arbitrary: hostileSearchParams },
  { weight: 3, arbitrary: hostileObject },
);
