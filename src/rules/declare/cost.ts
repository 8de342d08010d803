/**
 * The budget of a request: what each term costs, which is known from the rules, and the check of all terms of a request. A
 * number is a rough measure of the rows that a database may read for the term.
 */

import { QueryError, type RelationDescriptor } from '../../schema/index.ts';
import type { AuthorisedChildren } from '../children/resolve-children.ts';
import { isNumbered, quantifierOf } from '../request/group-key.ts';
import { aggregateOf } from '../aggregates/aggregate.ts';
import type { OrderTerm, ProjectionNode } from '../plan/plan.ts';
import type { ListRequest, RequestFilter } from '../request/list-request.ts';
import { assertCompiled } from './assert-compiled.ts';
import type { CompiledFilter, CompiledQueryRules, FilterLevel, ResolvedPath } from './compiled.ts';
import { type OperatorRow, operatorRow } from './operators.ts';
import { crossedRelations } from './resolve-path.ts';

/** The cost that each part of a term adds. */
const weights = {
  /** A filter, a path of `search` or a term of the order. */
  term: 1,
  /** An operator that no index serves. */
  unserved: 4,
  /** A relation to one row. */
  one: 1,
  /** A relation with many rows. */
  many: 10,
  /** An included relation with many rows, or a value over it for each row that is shown. */
  children: 5,
} as const;

/** The budget of endpoints with groups, quantifiers or aggregates, unless their settings name another one. */
export const usualBudget = 100;

/** The cost of one term of a request. */
export interface TermCost {
  /** The term, as a request writes it. */
  readonly term: string;
  /** The cost that it adds to the request; twice as much within `$or` and `$not`. */
  readonly cost: number;
}

const relationsCost = (crossed: readonly RelationDescriptor[]): number =>
  crossed.reduce((sum, { cardinality }) => sum + weights[cardinality], 0);

const isUnserved = (row: OperatorRow): boolean =>
  row.comparison === 'pattern'
    ? row.negated || row.place !== 'start'
    : row.comparison === 'empty' || ('negated' in row && row.negated);

/** The cost of a filter by one of its operators. */
export const filterCost = ({ target }: Pick<CompiledFilter, 'target'>, row: OperatorRow): number =>
  weights.term + relationsCost(crossedRelations(target)) + (isUnserved(row) ? weights.unserved : 0);

const searchCost = ({ search }: CompiledQueryRules): number =>
  search.reduce((sum, target) => sum + filterCost({ target }, operatorRow('ilike')), 0);

/** The cost of sorting the children of each parent by a path. */
const childSortCost = (crossed: readonly RelationDescriptor[]): number =>
  weights.term + relationsCost(crossed);

const includeCost = (rules: CompiledQueryRules, path: string): number =>
  rules.includes.get(path)?.relation.cardinality === 'many' ? weights.children : weights.one;

/**
 * The costs of the terms of a request to the endpoint, as rows for `console.table`: its filters, quantifiers, included relations,
 * values over relations and search. A request whose terms cost more than `limits.cost` is refused with QUERY_TOO_EXPENSIVE.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when `rules` is not the result of `defineQueryRules`
 */
export function explainCost(rules: CompiledQueryRules): TermCost[] {
  assertCompiled(rules);
  const rows: TermCost[] = [];
  const addLevel = (level: FilterLevel, prefix: string, depth: number) => {
    for (const [path, filter] of level.filters) {
      for (const operator of filter.operators) {
        const cost = filterCost(filter, operatorRow(operator));
        rows.push({ term: `${prefix}[${path}][${operator}]`, cost });
      }
    }
    for (const [path, found] of level.quantifiers) {
      const term = `${prefix}[${path}][$${[...found.allowed].join('|$')}]`;
      rows.push({ term, cost: quantifierCost(found, depth) });
      addLevel(found, term, depth + 1);
    }
  };
  addLevel(rules, 'filter', 1);
  for (const children of rules.children.values()) {
    const prefix = `include[${children.path}]`;
    addLevel(children, `${prefix}[filter]`, 2);
    for (const [path, { target }] of children.sorts) {
      rows.push({ term: `${prefix}[sort]=${path}`, cost: childSortCost(target.hops) });
    }
  }
  for (const [path, { target }] of rules.sorts) {
    if (aggregateOf(target.field)) rows.push({ term: `sort=${path}`, cost: sortCost(target) });
  }
  for (const term of shownAggregates(rules)) rows.push({ term, cost: weights.children });
  for (const path of rules.includes.keys()) {
    rows.push({ term: `includes=${path}`, cost: includeCost(rules, path) });
  }
  if (rules.search.length > 0) rows.push({ term: 'search', cost: searchCost(rules) });
  return rows;
}

/** A value over a relation is worked out for every row that is sorted by it. */
const sortCost = (target: ResolvedPath): number =>
  weights.term + relationsCost(crossedRelations(target)) + weights.unserved;

const shownAggregates = ({ root, includes }: CompiledQueryRules): string[] => [
  ...[...(root.aggregates?.keys() ?? [])].map((name) => `fields=${name}`),
  ...[...includes].flatMap(([path, { projection }]) =>
    [...(projection.aggregates?.keys() ?? [])].map((name) => `fields=${path}.${name}`),
  ),
];

/** A subquery within others is run for the rows of these. */
const quantifierCost = ({ target }: Pick<CompiledFilter, 'target'>, depth: number): number =>
  depth * relationsCost(crossedRelations(target));

/**
 * Refuses a request that costs more than the budget of the endpoint. Its filters have been authorised.
 *
 * @throws {QueryError} QUERY_TOO_EXPENSIVE that names the term that costs most
 */
export function checkCost(
  rules: CompiledQueryRules,
  { filters, written = [], search }: Pick<ListRequest, 'filters' | 'written' | 'search'>,
  shown: ProjectionNode,
  order: readonly OrderTerm[],
  children: readonly AuthorisedChildren[] = [],
): void {
  const { cost: maxCost } = rules.limits;
  if (maxCost === undefined) return;
  let [cost, most, costliest] = [0, 0, ''];
  // Terms are named where one costs more than those before it: few do.
  const add = (each: number, term: () => string) => {
    cost += each;
    if (each > most) [most, costliest] = [each, term()];
  };
  for (const { path, target } of order) {
    if (aggregateOf(target.field)) add(sortCost(target), () => `sort=${path}`);
  }
  const addIncludes = ({ relations, aggregates = [] }: ProjectionNode, before: string) => {
    for (const { path } of aggregates) add(weights.children, () => `fields=${before}${path}`);
    for (const { path, node } of relations) {
      add(includeCost(rules, before + path), () => `includes=${before}${path}`);
      addIncludes(node, `${before}${path}.`);
    }
  };
  addIncludes(shown, '');
  if (search?.trim()) add(searchCost(rules), () => 'search');
  addFilters(add, rules, filters, 'filter', 1);
  addFilters(add, rules, written, 'where', 1);
  for (const { rules: own, request, sorts } of children) {
    const prefix = `include[${own.path}]`;
    addFilters(add, own, request.filters, `${prefix}[filter]`, 2);
    for (const { path } of sorts) {
      const target = own.sorts.get(path)?.target;
      if (target) add(childSortCost(target.hops), () => `${prefix}[sort]=${path}`);
    }
  }
  if (cost <= maxCost) return;
  throw new QueryError(
    'QUERY_TOO_EXPENSIVE',
    'The request asks for more than the endpoint allows; leave out the term, or others.',
    { term: costliest, cost, maxCost },
  );
}

/** Adds the costs of filters of one model; subqueries begin at a depth. */
function addFilters(
  add: (cost: number, term: () => string) => void,
  rules: FilterLevel,
  filters: readonly RequestFilter[],
  name: string,
  least: number,
): void {
  const asked = new Set<string>();
  for (const { path, operator, within = [] } of filters) {
    let level = rules;
    let [prefix, factor, depth] = [name, 1, least];
    for (const [at, part] of within.entries()) {
      prefix += `[${part}]`;
      if (part === '$or' || part === '$not') factor = 2;
      const before = within[at - 1] ?? '';
      const found = quantifierOf(part) && !isNumbered(before) && level.quantifiers.get(before);
      if (!found) continue;
      const term = prefix;
      if (!asked.has(term)) add(factor * quantifierCost(found, depth), () => term);
      asked.add(term);
      level = found;
      depth += 1;
    }
    const rule = level.filters.get(path);
    if (!rule || !operator) continue;
    add(factor * filterCost(rule, operator), () => `${prefix}[${path}][${operator.name}]`);
  }
}
