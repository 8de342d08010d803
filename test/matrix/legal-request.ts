/** Generates requests that an endpoint allows, with values taken from a world and from just beside it. */

import fc from 'fast-check';
import type { CompiledQueryRules, OperatorName } from '../../src/index.ts';
import {
  type AskedRows,
  type FilterLevel,
  aggregateOf,
  operatorRow,
} from '../../src/rules/index.ts';
import { type FieldKind, comparedKind } from '../../src/schema/index.ts';
import type { World } from './fixtures/dataset.ts';
import type { Stored } from './fixtures/model.ts';

type Text = fc.Arbitrary<string>;

/** Texts that databases disagree on, for every field. */
const hazards = [
  '',
  ' ',
  '%',
  '_',
  '\\',
  '!',
  "'",
  '"',
  '%%',
  '\\%',
  '!_',
  'a',
  'A',
  'ä',
  '😀',
  'ß',
  'İ',
  'Σ',
  '\uFFFD',
];

const integers = ['0', '-1', '1', '2', '3', '2147483647', '-2147483648'];
const beside: { readonly [kind in FieldKind]?: readonly string[] } = {
  integer: integers,
  bigint: [...integers, '9007199254740992', '9223372036854775807', '-9223372036854775808'],
  decimal: [
    ...integers,
    '0.1',
    '0.10',
    '-0.05',
    '0.000001',
    '9007199254740992.75',
    '9223372036854775807',
    '1'.repeat(40),
  ],
  boolean: ['true', 'false', '1', '0'],
  date: ['0001-01-01', '9999-12-31', '2020-02-29', '2020-05-14'],
  datetime: [
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59.999999Z',
    '2024-03-10T07:00:00.0005Z',
    '2024-05-04T14:00:00+02:00',
  ],
  uuid: ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'],
};

/** A piece of a text, in some case, composed or not. */
function pieceOf(text: string): Text {
  const points = [...text];
  return fc
    .record({
      from: fc.nat(points.length),
      length: fc.integer({ min: 1, max: 4 }),
      form: fc.constantFrom('as is', 'upper', 'lower', 'decomposed'),
    })
    .map(({ from, length, form }) => {
      const piece = points.slice(from, from + length).join('');
      if (form === 'upper') return piece.toUpperCase();
      if (form === 'lower') return piece.toLowerCase();
      return form === 'decomposed' ? piece.normalize('NFD') : piece;
    });
}

function storedTexts(world: World, model: string, path: string): string[] {
  const values = (world.rows.get(model) ?? []).map((row): Stored => row[path] ?? null);
  // Of arrays, their members.
  return [
    ...new Set(
      values
        .flat()
        .filter((value) => value !== null)
        .map(String),
    ),
  ];
}

/** A value that the field accepts. */
function valueOf(world: World, model: string, path: string, kind: FieldKind): Text {
  const stored = storedTexts(world, model, path);
  const near = kind === 'string' ? hazards : (beside[kind] ?? []);
  return fc.constantFrom(...stored, ...near);
}

/** A substring that occurs, or nearly. */
function termOf(world: World, model: string, path: string): Text {
  const stored = storedTexts(world, model, path);
  const near = fc.constantFrom(...hazards);
  // Rows have json fields as a whole, and no texts of the paths within them.
  return stored.length === 0 ? near : fc.oneof(near, fc.constantFrom(...stored).chain(pieceOf));
}

const parameter = (key: string, value: string): string => `${key}=${encodeURIComponent(value)}`;

function operandsOf(
  world: World,
  level: FilterLevel,
  path: string,
  operator: OperatorName,
): fc.Arbitrary<string[]> {
  const target = level.filters.get(path)?.target;
  if (operator === 'isNull' || !target?.field) {
    return fc.constantFrom('true', 'false').map((flag) => [flag]);
  }
  const { field } = target;
  const over = aggregateOf(field);
  // The values of a relation are near those of its rows.
  const model = over?.of ? over.relation.target : target.model;
  const name = over?.of?.path ?? field.path;
  const value = valueOf(world, model, name, comparedKind(field.kind));
  if (operator === 'isEmpty') return fc.constantFrom('true', 'false').map((flag) => [flag]);
  if (/like$/i.test(operator)) return termOf(world, model, name).map((term) => [term]);
  if (operator === 'between') return fc.array(value, { minLength: 2, maxLength: 2 });
  if (operatorRow(operator).arity === 'list') {
    return fc.array(value, { minLength: 2, maxLength: 5 });
  }
  return value.map((one) => [one]);
}

/** One filter as parameters; a list as repeated ones. */
function filterOf(world: World, level: FilterLevel, prefix = 'filter'): fc.Arbitrary<string[]> {
  const choices = [...level.filters].flatMap(([path, { operators }]) =>
    [...operators].map((operator) => ({ path, operator })),
  );
  return fc.constantFrom(...choices).chain(({ path, operator }) => {
    const key = `${prefix}[${path}][${operator}]`;
    return operandsOf(world, level, path, operator).map((values) =>
      values.map((value) => parameter(key, value)),
    );
  });
}

/** Filters of a level within groups and quantifiers, each as parameters; at most so many groups within each other. */
function nestedOf(
  world: World,
  level: FilterLevel,
  prefix: string,
  depth: number,
): fc.Arbitrary<string[][]> {
  const plain = filterOf(world, level, prefix).map((one) => [one]);
  const members = (count: number, key: (at: number) => string, of = level, left = depth) =>
    fc
      .tuple(...Array.from({ length: count }, (_, at) => nestedOf(world, of, key(at), left)))
      .map((all) => all.flat());
  const groups = ['$or', '$and'].map((group) =>
    fc
      .integer({ min: 1, max: 3 })
      .chain((count) => members(count, (at) => `${prefix}[${group}][${at}]`, level, depth - 1)),
  );
  const not = fc
    .integer({ min: 1, max: 2 })
    .chain((count) => members(count, () => `${prefix}[$not]`, level, depth - 1));
  const related = [...level.quantifiers].flatMap(([path, found]) =>
    [...found.allowed].map((quantifier) =>
      fc
        .integer({ min: 1, max: 2 })
        .chain((count) => members(count, () => `${prefix}[${path}][$${quantifier}]`, found)),
    ),
  );
  return fc.oneof(
    { weight: 4, arbitrary: plain },
    ...(depth > 0 ? [...groups, not].map((arbitrary) => ({ weight: 2, arbitrary })) : []),
    ...(related.length > 0 ? [{ weight: 4, arbitrary: fc.oneof(...related) }] : []),
  );
}

function sortOf({ sorts }: Pick<AskedRows, 'sorts'>, name = 'sort'): fc.Arbitrary<string[]> {
  if (sorts.size === 0) return fc.constant([]);
  const paths = fc.uniqueArray(fc.constantFrom(...sorts.keys()), { maxLength: 3 });
  return fc
    .tuple(paths, fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }))
    .map(([all, down]) => {
      const terms = all.map((path, at) => (down[at] ? `-${path}` : path));
      return terms.length === 0 ? [] : [parameter(name, terms.join())];
    });
}

/** Requests for the children of includes. */
function childrenOf(
  world: World,
  rules: CompiledQueryRules,
  shown: ReadonlySet<string>,
): fc.Arbitrary<string[]> {
  const asked = [...rules.children.values()].flatMap((children) => {
    if (!shown.has(children.path)) return [];
    const prefix = `include[${children.path}]`;
    const sizes = [1, 2, 3, children.maxPerPage].filter((size) => size <= children.maxPerPage);
    const perPage = fc
      .constantFrom(0, ...sizes)
      .map((size) => (size === 0 ? [] : [parameter(`${prefix}[perPage]`, String(size))]));
    const parts = fc.tuple(
      filtersOf(world, children, `${prefix}[filter]`),
      sortOf(children, `${prefix}[sort]`),
      perPage,
    );
    return [parts.map((all) => all.flat())];
  });
  return fc.tuple(...asked).map((all) => all.flat());
}

/** Includes with their parents, and a few fields of the root and of them. */
function shownOf(world: World, rules: CompiledQueryRules): fc.Arbitrary<string[]> {
  const paths = [...rules.includes.keys()];
  const root = [...rules.root.allowed];
  const some = (all: readonly string[], most: number) =>
    fc.subarray([...all], { maxLength: Math.min(all.length, most) });
  return fc
    .record({ includes: some(paths, 3), fields: some(root, 4) })
    .chain(({ includes, fields }) => {
      const whole = new Set(
        includes.flatMap((path) =>
          path.split('.').map((_, at, segments) => segments.slice(0, at + 1).join('.')),
        ),
      );
      const shown = [
        ...(whole.size > 0 ? [parameter('includes', [...whole].join())] : []),
        ...(fields.length > 0 ? [parameter('fields', fields.join())] : []),
      ];
      return childrenOf(world, rules, whole).map((asked) => [...shown, ...asked]);
    });
}

function searchOf(world: World, rules: CompiledQueryRules): fc.Arbitrary<string[]> {
  const terms = rules.search.flatMap(({ model, field }) =>
    field ? [termOf(world, model, field.path)] : [],
  );
  const [first, ...rest] = terms;
  if (!first) return fc.constant([]);
  return fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, first, ...rest).map((term) => {
    return term === null ? [] : [parameter('search', term)];
  });
}

function windowOf(rules: CompiledQueryRules): fc.Arbitrary<string[]> {
  const perPage = fc
    .constantFrom(1, 2, 3, 7, 10, 60, 100)
    .map((size) => parameter('perPage', String(size)));
  if (rules.pagination.mode === 'keyset') return perPage.map((size) => [size]);
  const first = perPage.map((size) => [size, 'cursor=']);
  const page = fc.constantFrom(1, 1, 1, 1, 2, 9).map((number) => parameter('page', String(number)));
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(perPage, page).map((both): string[] => both) },
    {
      weight: rules.pagination.allowUnpaginated ? 1 : 0,
      arbitrary: fc.constant<string[]>(['paginate=false']),
    },
    { weight: rules.pagination.mode === 'both' ? 4 : 0, arbitrary: first },
  );
}

/** Up to two filters, of which each may be a group of several. */
function filtersOf(
  world: World,
  rows: AskedRows,
  prefix = 'filter',
  depth = rows.groups?.depth ?? 0,
): fc.Arbitrary<string[]> {
  if (rows.filters.size === 0) return fc.constant([]);
  return (
    fc
      .array(
        rows.groups || rows.quantifiers.size > 0
          ? nestedOf(world, rows, prefix, depth)
          : filterOf(world, rows, prefix).map((one) => [one]),
        { maxLength: 2 },
      )
      // So many in groups are refused.
      .filter((all) => all.flat().length <= (depth === 1 ? 4 : (rows.groups?.terms ?? Infinity)))
      .map((all) => {
        // The same path and operator twice would be one list.
        const byKey = new Map(all.flat().map((each) => [each[0]?.split('=')[0], each]));
        return [...byKey.values()].flat();
      })
  );
}

/** A request that the endpoint answers with 200 (or, all at once, refuses for its cap). */
export function legalRequest(
  world: World,
  rules: CompiledQueryRules,
  depth = rules.groups?.depth ?? 0,
): Text {
  return fc
    .tuple(
      filtersOf(world, rules, 'filter', depth),
      sortOf(rules),
      shownOf(world, rules),
      searchOf(world, rules),
      windowOf(rules),
    )
    .map((parts) => parts.flat().join('&'));
}
