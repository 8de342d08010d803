/** The indexes that serve what the rules of an endpoint allow, and the statements that create those that it lacks. */

import {
  type CompiledQueryRules,
  type OperatorName,
  type ResolvedPath,
  aggregateOf,
  askedRowsOf,
  filterCost,
  operatorRow,
} from '../../rules/index.ts';
import { type FieldDescriptor, isJsonMember } from '../../schema/index.ts';
import { type CatalogueTable, tableNamed } from '../catalogue.ts';
import { orderField } from '../compile/condition.ts';
import {
  type LoweringContext,
  columnOf,
  isStored,
  keyNames,
  modelOf,
  relationOf,
} from '../compile/model-context.ts';
import type { TableRef } from '../compile/physical.ts';
import { tableSql } from '../compile/sql-names.ts';
import type { ProfileViolation } from './violation.ts';

/** An index that rules have a use for. */
export interface IndexUse {
  /** The parts of the rules: `sort createdAt`, `filter posts.title`, `include posts`. */
  readonly serves: readonly string[];
  /** The table and the columns with which the index begins, in order. */
  readonly on: string;
  /** Name of the index; `null` where the table has none. */
  readonly index: string | null;
  /** The statement that creates it. */
  readonly statement: string;
  /** The least cost of the filters among them, as the budget of a request counts it; `null` without a filter or a budget. */
  readonly cost: number | null;
  /** The number of rows that the planner expects; `null` where the database does not tell. */
  readonly rows: number | null;
}

/** Reads the tables of a schema. */
export type TablesOf = (schema: string | undefined) => Promise<readonly CatalogueTable[]>;

interface Need {
  readonly serves: Set<string>;
  readonly table: TableRef;
  readonly columns: readonly string[];
  /** Whether it finds texts that start with another. */
  readonly isPrefix: boolean;
  /** The column of an index on its members, with the operator class. */
  readonly inverted?: string | undefined;
  /** Columns that should follow, which bring rows of equal values into the order of a page. */
  readonly tail: readonly string[];
}

/** How a path is used: by value, order or members, or by the start of its text, as it is or in its folded companion. */
type Purpose = 'value' | 'order' | 'members' | 'prefix' | 'fold';

/** Largest number of characters of a name on PostgreSQL, which is the smallest of the families. */
const mostInName = 63;

/** Whether an index on members serves an operator: `has` and its like, and `eq` of a path within JSON but of instants. */
function ofMembers(field: FieldDescriptor, operator: OperatorName): boolean {
  const isPath = isJsonMember(field) && field.kind !== 'datetime';
  const row = operatorRow(operator);
  return row.comparison === 'members' ? !row.negated : isPath && operator === 'eq';
}

/** The comparisons that an ordinary index serves. */
const served: ReadonlySet<string> = new Set(['equality', 'membership', 'order', 'range']);

/** The uses of rules, in the order of the rules. Views, orders within json columns, and computed fields are left out. */
export async function indexUses(
  context: LoweringContext,
  tablesOf: TablesOf,
  rules: CompiledQueryRules,
): Promise<IndexUse[]> {
  const uses: IndexUse[] = [];
  const taken = new Set<string>();
  for (const { serves, table, columns, isPrefix, inverted, tail } of needsOf(context, rules)) {
    const found = tableNamed(await tablesOf(table.schema), table.name);
    if (!found || found.isView) continue;
    const among = inverted === undefined ? found.indexes : (found.inverted ?? []);
    const index = among.find(
      ({ columns: indexed, servesPrefix = true }) =>
        columns.every((column, at) => isNamed(indexed[at] ?? '', column)) &&
        (servesPrefix || !isPrefix),
    );
    const { quote } = context.dialect;
    const all = [...columns, ...tail.filter((column) => !columns.includes(column))];
    const on = (names: readonly string[]) =>
      `${tableSql(context, table)} (${names.map(quote).join(', ')})`;
    const plain = `${table.name}_${all.join('_')}`.slice(0, mostInName);
    // The same columns may have an index for whole values, and one for the starts of texts.
    const name = taken.has(plain) ? `${plain.slice(0, mostInName - 7)}_prefix` : plain;
    taken.add(name);
    const { prefixClass } = context.dialect;
    const ordered = isPrefix ? on(all).replace(/\)$/, `${prefixClass})`) : on(all);
    const target = inverted ? `${tableSql(context, table)} using gin (${inverted})` : ordered;
    const statement = `create index ${quote(name)} on ${target}`;
    uses.push({
      serves: [...serves],
      on: on(columns),
      index: index?.name ?? null,
      statement,
      cost: leastCost(rules, serves),
      rows: found.rows,
    });
  }
  return uses;
}

/** The least cost of the filters among some uses. */
function leastCost(rules: CompiledQueryRules, serves: ReadonlySet<string>): number | null {
  if (rules.limits.cost === undefined) return null;
  const costs = askedRowsOf(rules).flatMap(({ filters, path: of }) =>
    [...filters]
      .filter(([name]) => serves.has(filterUse(name, of)))
      .flatMap(([, { target, operators }]) =>
        [...operators].map((operator) => filterCost({ target }, operatorRow(operator))),
      ),
  );
  return costs.length > 0 ? Math.min(...costs) : null;
}

/** The part of the rules that a filter is, of the rows themselves or of the children of an include. */
const filterUse = (name: string, of: string | undefined): string =>
  of === undefined ? `filter ${name}` : `include ${of} filter ${name}`;

/** The uses without an index as advice. */
export const lackingIndexes = (uses: readonly IndexUse[]): ProfileViolation[] =>
  uses.flatMap(({ serves, index, statement, cost }) =>
    index === null
      ? [
          {
            rule: 'index' as const,
            where: serves.join(', '),
            detail: `no index serves it${cost === null ? '' : `, as its cost of ${cost} supposes`}: ${statement}`,
          },
        ]
      : [],
  );

const isNamed = (left: string, right: string): boolean =>
  left.toLowerCase() === right.toLowerCase();

function needsOf(context: LoweringContext, rules: CompiledQueryRules): Iterable<Need> {
  const needs = new Map<string, Need>();
  const add = (
    use: string,
    table: TableRef,
    columns: readonly string[],
    tail: readonly string[] = [],
    isPrefix = false,
    inverted?: string,
  ) => {
    const key = JSON.stringify([table.schema, table.name, columns, isPrefix, inverted]);
    const known = needs.get(key);
    if (known) known.serves.add(use);
    if (!known || (known.tail.length === 0 && tail.length > 0)) {
      const serves = new Set(known?.serves).add(use);
      needs.set(key, { serves, table, columns, isPrefix, inverted, tail });
    }
  };
  const keyOf = (model: string): string[] => keyNames(modelOf(context, model));
  /** Adds the joins of a path, from both ends, and the column at its end. */
  const path = (
    use: string,
    { hops, field }: ResolvedPath,
    purpose: Purpose,
    root = rules.model,
  ) => {
    const aggregate = aggregateOf(field);
    let model = root;
    for (const hop of aggregate ? [...hops, aggregate.relation] : hops) {
      const owner = modelOf(context, model);
      const relation = relationOf(owner, hop.path);
      let from = owner.physical.table;
      for (const { table, from: near, to } of relation.hops) {
        add(use, from, near);
        add(use, table, to);
        from = table;
      }
      model = relation.target;
    }
    // A value over a relation has no column of its own.
    if (!field || aggregate) return;
    const owner = modelOf(context, model);
    const isOrder = purpose === 'order';
    const name = purpose === 'fold' ? field.foldedField : isOrder && orderField(owner, field).path;
    const column = columnOf(owner, name || field.path);
    if (purpose === 'members') {
      const inverted = context.dialect.membersIndex?.(column);
      if (inverted) add(use, owner.physical.table, [column.name], [], false, inverted);
      return;
    }
    if (!isStored(column)) return;
    // Without operator classes, an ordinary index serves the starts of texts as well.
    const { prefixClass } = context.dialect;
    const isPrefix = prefixClass !== '' && (purpose === 'prefix' || purpose === 'fold');
    add(use, owner.physical.table, [column.name], isOrder ? keyOf(model) : [], isPrefix);
  };
  for (const [name, { target }] of rules.sorts) path(`sort ${name}`, target, 'order');
  for (const [name, target] of rules.aggregates) path(`value ${name}`, target, 'value');
  for (const { filters, model, path: of } of askedRowsOf(rules)) {
    for (const [name, { target, operators }] of filters) {
      const use = filterUse(name, of);
      const comparisons = [...operators].map((operator) => operatorRow(operator).comparison);
      // The children of a parent are found by its key.
      if (of !== undefined && target.hops.length === 0) continue;
      if (comparisons.some((each) => served.has(each))) path(use, target, 'value', model);
      const { field } = target;
      if (field && [...operators].some((name) => ofMembers(field, name))) {
        path(use, target, 'members', model);
      }
      if (target.field?.kind !== 'string') continue;
      if (operators.has('startsWith')) path(use, target, 'prefix', model);
      const isFolded = target.field.foldedField !== undefined;
      if (isFolded && operators.has('istartsWith')) path(use, target, 'fold', model);
    }
  }
  for (const [name, { target, relation }] of rules.includes) {
    let model = rules.model;
    for (const hop of target.hops) model = relationOf(modelOf(context, model), hop.path).target;
    const { hops, target: included } = relationOf(modelOf(context, model), relation.path);
    const [first] = hops;
    const isDirect = hops.length === 1 && relation.cardinality === 'many';
    if (!first) continue;
    add(`include ${name}`, first.table, first.to, isDirect ? keyOf(included) : []);
    for (const [sort, { target: sorted }] of rules.children.get(name)?.sorts ?? []) {
      const use = `include ${name} sort ${sort}`;
      if (sorted.hops.length > 0) path(use, { ...sorted, field: null }, 'order', included);
      else if (isDirect && sorted.field) {
        const owner = modelOf(context, included);
        const column = columnOf(owner, orderField(owner, sorted.field).path);
        if (isStored(column)) add(use, first.table, [...first.to, column.name], keyOf(included));
      }
    }
  }
  return needs.values();
}
