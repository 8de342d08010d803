/** The parts of hostile requests: paths, operators and parameters, right, wrong and broken. */

import fc from 'fast-check';
import type { ListRequestInput } from '../../src/index.ts';
import { hostileList, hostileText, markers } from './values.ts';

/** A request and the values in it, which no refusal may repeat. */
export interface HostileRequest<Input extends ListRequestInput = ListRequestInput> {
  readonly input: Input;
  readonly values: readonly string[];
  /** Whether a value may have become a name, which a refusal may repeat when it is well-formed. */
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
  'startsWith',
  'notStartsWith',
  'istartsWith',
  'endsWith',
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

export const path = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<string>(...goodPaths) },
  { weight: 1, arbitrary: fc.constantFrom<string>(...badPaths) },
  { weight: 1, arbitrary: fc.constantFrom<string>(...brokenPaths) },
);
export const operator = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<string>(...goodOperators) },
  { weight: 1, arbitrary: fc.constantFrom<string>(...badOperators) },
);
export const params = [
  'sort',
  'fields',
  'includes',
  'search',
  'page',
  'perPage',
  'paginate',
  'cursor',
] as const;
export const unknownParams = [
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

export const filterKey = fc.tuple(path, operator).map(([where, how]) => `filter[${where}][${how}]`);
const shortFilterKey = path.map((where) => `filter[${where}]`);
const pathList = fc
  .array(fc.tuple(fc.constantFrom('', '', '-', '--', '+'), path), { minLength: 1, maxLength: 4 })
  .map((items) => items.map(([sign, where]) => sign + where).join(','));
/** A path in both directions. */
const oppositeSorts = fc.constantFrom('name,-name', '-age,id,age');
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
  { weight: 1, arbitrary: fc.tuple(fc.constant('sort'), oppositeSorts) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('includes'), includeList) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('page', 'perPage', 'paginate'), paging) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('search', 'cursor'), hostileText) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom<string>(...params), fc.oneof(hostileText, hostileList)),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom<string>(...unknownParams), hostileText) },
);

/** Some parameters are repeated. */
export const pairs = fc
  .tuple(fc.array(pair, { maxLength: 4 }), fc.nat({ max: 9 }))
  .map(([list, twice]): readonly Pair[] => (twice === 0 ? [...list, ...list] : list));

/**
 * Values of pairs; path lists are paths, which a refusal may name when they are well-formed. The text before
 * a comma or the like is as much the client's as the whole.
 */
export function valuesOf(list: readonly Pair[]): string[] {
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
