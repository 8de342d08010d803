/** The compiled rules of an endpoint as JSON, for user interfaces that are built at run time. */

import { type FieldKind, nullsOf } from '../../schema/index.ts';
import { assertCompiled } from '../declare/assert-compiled.ts';
import { askedRowsOf } from '../declare/reached-models.ts';
import type {
  AskedRows,
  CompiledChildren,
  CompiledFilter,
  CompiledInclude,
  CompiledQueryRules,
  FilterLevel,
} from '../declare/compiled.ts';
import type { GroupsRule, Quantifier, QueryLimits } from '../declare/declaration.ts';
import { type OperatorArity, type OperatorName, operatorRows } from '../declare/operators.ts';

/** One filterable path. */
export interface DescribedFilter {
  /** Path of a field or relation. */
  readonly path: string;
  /** Kind of the field; `null` for a relation, which takes only `isNull`. */
  readonly kind: FieldKind | null;
  /** Present where a whole number may be as great as an unsigned column holds: 2^32 - 1, as kind `bigint` 2^64 - 1. */
  readonly unsigned?: true;
  /** Operators that may be used on the path. */
  readonly operators: readonly OperatorName[];
  /** Members of an enum; absent for other kinds. */
  readonly members?: readonly string[];
  /** Whether the value may be null, by itself or because a relation of the path is. */
  readonly nullable: boolean;
  /** Whether the path crosses a relation with many rows: one matching row suffices. */
  readonly many: boolean;
  /** Present where a value may also be a whole day, such as `2026-01-31`, although the path holds instants. */
  readonly wholeDays?: true;
  /** Present where a number is one of milliseconds, which a text may also write as a duration, such as `1m30s`. */
  readonly milliseconds?: true;
}

/** One relation of which a request may ask that its rows meet conditions together. */
export interface DescribedQuantifier {
  /** Full path of the relation; the filters whose paths continue it may be used in it. */
  readonly path: string;
  /** The quantifiers that may be used. */
  readonly quantifiers: readonly Quantifier[];
}

/** One sortable path, and the position of nulls. */
export interface DescribedSort {
  /** Path of a field. */
  readonly path: string;
  /** Position of nulls in both directions; `null` means that they follow the direction, as `ascendingNulls` says. */
  readonly nulls: 'first' | 'last' | null;
}

/** Fields that may be asked for, and those shown if none are. */
export interface DescribedFields {
  /** Fields that may be asked for. */
  readonly allowed: readonly string[];
  /** Fields that are shown where a request asks for none. */
  readonly default: readonly string[];
}

/** One relation that may be included. */
export interface DescribedInclude extends DescribedFields {
  /** Full path of the relation. */
  readonly path: string;
  /** The include that this one needs in the same request; `null` for none. */
  readonly parent: string | null;
  /** Whether the relation has many rows. */
  readonly many: boolean;
  /** Largest number of rows that each row shows of a relation with many; null for no limit, and for other relations. */
  readonly maxChildren: number | null;
  /** Requests that the children take; absent where a client cannot choose them. */
  readonly children?: DescribedChildren;
}

/** Requests that the children of one include take; paths begin at the children. */
export interface DescribedChildren {
  /** Paths that may be filtered. */
  readonly filters: readonly DescribedFilter[];
  /** How far groups of these filters may go; absent where there are none. */
  readonly groups?: GroupsRule;
  /** Relations of the children with `$some`, `$every` or `$none`; absent where there are none. */
  readonly quantifiers?: readonly DescribedQuantifier[];
  /** Paths that may be sorted by. */
  readonly sorts: readonly DescribedSort[];
  /** Largest `perPage`. */
  readonly maxPerPage: number;
}

/** Pages of the endpoint. */
export interface DescribedPagination {
  /** Whether pages are chosen by number, by cursor, or by either. */
  readonly mode: 'offset' | 'keyset' | 'both';
  /** Whether answers have an exact total, one up to a cap, or none. */
  readonly count: 'exact' | 'capped' | 'none';
  /** Rows of a page where the request names no size. */
  readonly defaultPerPage: number;
  /** Largest size of a page, in rows. */
  readonly maxPerPage: number;
  /** Whether `paginate=false` is accepted, and for how many rows. */
  readonly allowUnpaginated: boolean;
  /** Largest number of rows of an answer to `paginate=false`. */
  readonly maxUnpaginatedRows: number;
}

/** Arity and English meaning of an operator; the meaning completes "Keeps rows where <path> ...". */
export interface DescribedOperator {
  /** Name of the operator, as requests write it. */
  readonly name: OperatorName;
  /** How many values the operator takes. */
  readonly arity: OperatorArity;
  /** English text that completes "Keeps rows where <path> ...". */
  readonly meaning: string;
}

/** Everything that a client may ask of an endpoint, as JSON. */
export interface RulesDescription {
  /** Paths that may be filtered. */
  readonly filters: readonly DescribedFilter[];
  /** How far `$or`, `$and` and `$not` may go; absent where the endpoint has no groups. */
  readonly groups?: GroupsRule;
  /** Relations with `$some`, `$every` or `$none`; absent where there are none. */
  readonly quantifiers?: readonly DescribedQuantifier[];
  /** Present where filters may also come as one text, `where`. */
  readonly where?: true;
  /** The operators that at least one filter has. */
  readonly operators: readonly DescribedOperator[];
  /** Paths that may be sorted by. */
  readonly sorts: readonly DescribedSort[];
  /** Position of nulls in ascending orders without a fixed one; descending orders have them at their other end. */
  readonly ascendingNulls: 'first' | 'last';
  /** Fields of the rows themselves. */
  readonly fields: DescribedFields;
  /** Relations that may be included. */
  readonly includes: readonly DescribedInclude[];
  /** Paths that `search` compares; empty where the endpoint has no search. */
  readonly search: readonly string[];
  /** Pages of the endpoint. */
  readonly pagination: DescribedPagination;
  /** Limits of a request. */
  readonly limits: QueryLimits;
}

/**
 * Describes rules as JSON, for a user interface to read: `response.json(describeRules(rules))`. It names what a client
 * may ask for and nothing else: no internal fields, companions or models.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when `rules` is not the result of `defineQueryRules`.
 */
export function describeRules(rules: CompiledQueryRules): RulesDescription {
  assertCompiled(rules);
  const { mode, count, defaultPerPage, maxPerPage, allowUnpaginated, maxUnpaginatedRows } =
    rules.pagination;
  const filters = askedRowsOf(rules).flatMap((rows) => [...rows.filters.values()]);
  const { sorts, ...own } = askedOf(rules);
  return {
    ...own,
    ...(rules.where && { where: true }),
    operators: operatorRows
      .filter(({ name }) => filters.some(({ operators }) => operators.has(name)))
      .map(({ name, arity, meaning }) => ({ name, arity, meaning })),
    sorts,
    ascendingNulls: nullsOf(rules.families),
    fields: { allowed: [...rules.root.allowed], default: [...rules.root.default] },
    includes: [...rules.includes.values()].map((include) =>
      includeOf(include, rules.children.get(include.path)),
    ),
    search: rules.search.map(({ path }) => path),
    pagination: {
      mode,
      count: count.type,
      defaultPerPage,
      maxPerPage,
      allowUnpaginated,
      maxUnpaginatedRows,
    },
    limits: { ...rules.limits },
  };
}

/** The filters and sorts of the rows of the endpoint, or of the children of an include. */
const askedOf = (rows: AskedRows): Omit<DescribedChildren, 'maxPerPage'> => ({
  filters: [...rows.filters.values()].map(filterOf),
  ...(rows.groups && { groups: { ...rows.groups } }),
  ...(rows.quantifiers.size > 0 && { quantifiers: quantifiersOf(rows) }),
  sorts: [...rows.sorts].map(([path, { nulls }]) => ({ path, nulls })),
});

/** The relations with quantifiers, each before those behind it. */
export function quantifiersOf({ quantifiers }: FilterLevel): DescribedQuantifier[] {
  return [...quantifiers.values()].flatMap((found) => [
    { path: found.path, quantifiers: [...found.allowed] },
    ...quantifiersOf(found),
  ]);
}

function filterOf({ target, operators, wholeDays }: CompiledFilter): DescribedFilter {
  const { path, field, hops, relation } = target;
  return {
    path,
    kind: field?.kind ?? null,
    ...(field?.unsigned && { unsigned: true }),
    operators: operatorRows.map(({ name }) => name).filter((name) => operators.has(name)),
    ...(field?.enumValues && { members: [...field.enumValues] }),
    nullable:
      (field?.nullable ?? relation?.nullable ?? false) || hops.some(({ nullable }) => nullable),
    many: target.crossesMany,
    ...(wholeDays && { wholeDays }),
  };
}

function includeOf(
  { path, parent, relation, projection, maxChildren }: CompiledInclude,
  children: CompiledChildren | undefined,
): DescribedInclude {
  return {
    path,
    parent,
    many: relation.cardinality === 'many',
    maxChildren,
    allowed: [...projection.allowed],
    default: [...projection.default],
    ...(children && { children: { ...askedOf(children), maxPerPage: children.maxPerPage } }),
  };
}
