/** Compares two descriptions of rules, part by part. */

import type {
  DescribedChildren,
  DescribedFields,
  DescribedFilter,
  DescribedInclude,
  DescribedPagination,
  DescribedSort,
  RulesDescription,
} from '../../rules/client/index.ts';
import { type Change, type ChangeName, changed } from './changes.ts';

/** The changes from one description to the other, in the order of the parts of a description. */
export function compareDescriptions(before: RulesDescription, after: RulesDescription): Change[] {
  const ordered = orderedPaths(before, after);
  // No row with null is in both orders of such a path.
  const neverNull = new Set(
    [...before.filters, ...after.filters].filter((each) => !each.nullable).map(({ path }) => path),
  );
  return [
    ...byPath(before.filters, after.filters, 'filter', (one, other) =>
      filterChanges(one, other, ordered),
    ),
    ...byPath(before.sorts, after.sorts, 'sort', (sort, other) =>
      neverNull.has(sort.path) ? [] : sortChanges(sort, other, [before, after]),
    ),
    ...fieldChanges(before.fields, after.fields, ''),
    ...byPath(before.includes, after.includes, 'include', (one, other) =>
      includeChanges(one, other, [before, after]),
    ),
    ...texts(before.search, after.search, 'search-removed', 'search-added'),
    ...(before.where === after.where
      ? []
      : [changed(after.where ? 'where-added' : 'where-removed')]),
    ...paginationChanges(before.pagination, after.pagination),
    ...limitChanges('limits.', before.limits, after.limits),
  ];
}

/** The removed and the added of two lists with paths, and the changes of those that are in both. */
function byPath<Part extends { readonly path: string }>(
  before: readonly Part[],
  after: readonly Part[],
  part: 'filter' | 'sort' | 'include',
  changes: (one: Part, other: Part) => Change[],
): Change[] {
  const others = new Map(after.map((other) => [other.path, other]));
  const kept = before.flatMap((one) => {
    const other = others.get(one.path);
    return other ? changes(one, other) : [changed(`${part}-removed`, one.path)];
  });
  const known = new Set(before.map(({ path }) => path));
  const added = after.filter(({ path }) => !known.has(path));
  return [...kept, ...added.map(({ path }) => changed(`${part}-added`, path))];
}

/** The removed and the added of two lists of texts: paths, or what a path has. */
function texts(
  before: readonly string[] = [],
  after: readonly string[] = [],
  removed: ChangeName,
  added: ChangeName,
  of?: string,
): Change[] {
  const gone = before.filter((text) => !after.includes(text));
  const fresh = after.filter((text) => !before.includes(text));
  return [
    ...gone.map((text) =>
      of === undefined ? changed(removed, text) : changed(removed, of, { from: text }),
    ),
    ...fresh.map((text) =>
      of === undefined ? changed(added, text) : changed(added, of, { to: text }),
    ),
  ];
}

const comparing: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte', 'between']);

/** Paths that both descriptions sort or compare. */
function orderedPaths(
  ...descriptions: readonly Pick<RulesDescription, 'filters' | 'sorts'>[]
): ReadonlySet<string> {
  const ordered = descriptions.map(({ filters, sorts }) => {
    const compared = filters.filter(({ operators }) =>
      operators.some((name) => comparing.has(name)),
    );
    return new Set([...sorts, ...compared].map(({ path }) => path));
  });
  return new Set([...(ordered[0] ?? [])].filter((path) => ordered.every((of) => of.has(path))));
}

function filterChanges(
  one: DescribedFilter,
  other: DescribedFilter,
  ordered: ReadonlySet<string>,
): Change[] {
  const { path } = one;
  if (one.kind !== other.kind) {
    return [changed('kind-changed', path, { from: one.kind, to: other.kind })];
  }
  const range = one.unsigned === other.unsigned ? undefined : one.unsigned ? 'lowered' : 'raised';
  const nulls =
    one.nullable === other.nullable ? undefined : other.nullable ? 'possible' : 'impossible';
  const days = one.wholeDays === other.wholeDays ? undefined : one.wholeDays ? 'removed' : 'added';
  return [
    ...texts(one.operators, other.operators, 'operator-removed', 'operator-added', path),
    ...texts(one.members, other.members, 'member-removed', 'member-added', path),
    ...(ordered.has(path) && isReordered(one.members, other.members)
      ? [changed('members-reordered', path)]
      : []),
    ...(range ? [changed(`limit-${range}`, path)] : []),
    ...(nulls ? [changed(`null-${nulls}`, path)] : []),
    ...(one.many === other.many ? [] : [changed('cardinality-changed', path)]),
    ...(days ? [changed(`whole-days-${days}`, path)] : []),
  ];
}

/** Whether the members that both have stand in another order. */
function isReordered(before: readonly string[] = [], after: readonly string[] = []): boolean {
  const kept = before.filter((member) => after.includes(member));
  const places = kept.map((member) => after.indexOf(member));
  return places.some((place, at) => place < (places[at - 1] ?? -1));
}

/** Where rows with null stand in an order; the same text means the same place in both directions. */
const nullPlace = (nulls: DescribedSort['nulls'], { ascendingNulls }: RulesDescription): string =>
  nulls ?? `${ascendingNulls} where ascending`;

function fieldChanges(one: DescribedFields, other: DescribedFields, before: string): Change[] {
  const named = (fields: readonly string[]) => fields.map((field) => before + field);
  const removed = new Set(one.allowed.filter((field) => !other.allowed.includes(field)));
  const added = new Set(other.allowed.filter((field) => !one.allowed.includes(field)));
  return [
    ...texts(named(one.allowed), named(other.allowed), 'field-removed', 'field-added'),
    // A field that is gone, or new, is told once.
    ...texts(
      named(one.default.filter((field) => !removed.has(field))),
      named(other.default.filter((field) => !added.has(field))),
      'default-removed',
      'default-added',
    ),
  ];
}

function includeChanges(
  one: DescribedInclude,
  other: DescribedInclude,
  nulls: readonly [RulesDescription, RulesDescription],
): Change[] {
  const { path } = one;
  const isRequired = other.parent !== null && one.parent !== other.parent;
  return [
    ...(isRequired ? [changed('parent-required', path, { to: other.parent })] : []),
    ...(one.many === other.many
      ? limitChanges(
          `${path}.`,
          { maxChildren: one.maxChildren ?? Infinity },
          { maxChildren: other.maxChildren ?? Infinity },
        )
      : [changed('cardinality-changed', path)]),
    ...fieldChanges(one, other, `${path}.`),
    ...childrenChanges(one, other, nulls),
  ];
}

/** The changes of what may be asked of children, whose paths are told as parameters name them. */
function childrenChanges(
  { path, children: one = noChildren }: DescribedInclude,
  { children: other = noChildren }: DescribedInclude,
  nulls: readonly [RulesDescription, RulesDescription],
): Change[] {
  const placed = ({ filters, sorts }: DescribedChildren) => ({
    filters: filters.map((each) => ({ ...each, path: `include[${path}][filter][${each.path}]` })),
    sorts: sorts.map((each) => ({ ...each, path: `include[${path}][sort][${each.path}]` })),
  });
  const [before, after] = [placed(one), placed(other)];
  const compared = orderedPaths(before, after);
  return [
    ...byPath(before.filters, after.filters, 'filter', (filter, same) =>
      filterChanges(filter, same, compared),
    ),
    ...byPath(before.sorts, after.sorts, 'sort', (sort, same) => sortChanges(sort, same, nulls)),
    ...childNumberChanges(path, one.maxPerPage, other.maxPerPage),
  ];
}

/** Nothing may be asked. */
const noChildren: DescribedChildren = { filters: [], sorts: [], maxPerPage: 0 };

/** A number that may be asked for at all is a greater one. */
function childNumberChanges(path: string, from: number, to: number): Change[] {
  const name = `include[${path}][perPage]`;
  return limitChanges('', { [name]: from }, { [name]: to });
}

function sortChanges(
  { path, nulls }: DescribedSort,
  other: DescribedSort,
  [before, after]: readonly [RulesDescription, RulesDescription],
): Change[] {
  return nullPlace(nulls, before) === nullPlace(other.nulls, after)
    ? []
    : [changed('null-order-changed', path)];
}

/** The change of a mode of pages; a request without a cursor is answered by number where there are such pages. */
const modeChanges: Readonly<Record<string, ChangeName>> = {
  'offset both': 'pages-added',
  'keyset both': 'first-page-changed',
  'both offset': 'pages-removed',
  'both keyset': 'pages-removed',
  'offset keyset': 'pages-removed',
  'keyset offset': 'pages-removed',
};

/** How much a total tells. */
const totals = { none: 0, capped: 1, exact: 2 } as const;

function paginationChanges(one: DescribedPagination, other: DescribedPagination): Change[] {
  const mode = modeChanges[`${one.mode} ${other.mode}`];
  const told = totals[other.count] - totals[one.count];
  // Pages by cursor have no total.
  const isCounted = one.mode !== 'keyset' && other.mode !== 'keyset';
  const unpaginated =
    one.allowUnpaginated === other.allowUnpaginated
      ? undefined
      : one.allowUnpaginated
        ? 'removed'
        : 'added';
  const { defaultPerPage, maxPerPage, maxUnpaginatedRows } = one;
  return [
    ...(mode ? [changed(mode, undefined, { from: one.mode, to: other.mode })] : []),
    ...(isCounted && told !== 0
      ? [changed(totalChange(one, told), undefined, { from: one.count, to: other.count })]
      : []),
    ...(unpaginated ? [changed(`unpaginated-${unpaginated}`)] : []),
    ...limitChanges('', { defaultPerPage, maxPerPage }, { ...other }),
    ...(one.allowUnpaginated && other.allowUnpaginated
      ? limitChanges('', { maxUnpaginatedRows }, { ...other })
      : []),
  ];
}

function totalChange({ count }: DescribedPagination, told: number): ChangeName {
  if (told < 0) return 'total-removed';
  return count === 'none' ? 'next-page-removed' : 'total-added';
}

/** The limits that both have and that differ. Infinity is shown as null. */
function limitChanges(before: string, one: object, other: object): Change[] {
  const others = new Map<string, unknown>(Object.entries(other));
  return Object.entries(one).flatMap(([name, from]: [string, unknown]) => {
    const to = others.get(name);
    if (typeof from !== 'number' || typeof to !== 'number' || from === to) return [];
    const shown = (limit: number) => (limit === Infinity ? null : limit);
    const change = to < from ? 'limit-lowered' : 'limit-raised';
    return [changed(change, before + name, { from: shown(from), to: shown(to) })];
  });
}
