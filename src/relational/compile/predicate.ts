/** Compiles a predicate tree to SQL: `one` relations become joins, conditions through a `many` relation subqueries. */

import type { ResolvedCondition, ResolvedPredicate, ResolvedRelated } from '../../rules/index.ts';
import type { RelationDescriptor } from '../../schema/index.ts';
import { acceptsAbsence, isMany, isMetByMost } from './asked-conditions.ts';
import { fieldCondition } from './condition.ts';
import type { ExistentialForm } from './dialect.ts';
import { keyNames, modelOf, relationOf } from './model-context.ts';
import type { PhysicalHop } from './physical.ts';
import { type JoinedModel, Scope, isIndexed, joinsSql } from './scope.ts';
import { columnSql, pairs, tableSql } from './sql-names.ts';
import { type Sql, type StatementInputs, join } from './sql-text.ts';

/** Reads the value of the condition of an index from the inputs of a statement. */
type ValueOf = (index: number) => (inputs: StatementInputs) => PredicateValue;

const valueOfRoot: ValueOf =
  (index) =>
  ({ conditions }) =>
    conditions[index] as PredicateValue;

/**
 * SQL of the predicate, with the given form for conditions through `many` relations. A statement whose order is not that of
 * its root may start anywhere.
 */
export function lowerPredicate(
  scope: Scope,
  predicate: ResolvedPredicate,
  usualForm: ExistentialForm,
  { range, ...start }: Start = { startsAnywhere: usualForm === 'in' },
  valueOf = valueOfRoot,
): Sql {
  const { keepsApart, apartForm } = scope.context;
  const form = keepsApart ? apartForm : usualForm;
  const forms = { form, emptiness: apartForm, ...start };
  return lowerTree(scope, { ...scope.root, range }, predicate, forms, (place, condition, index) => {
    const value = valueOf(index);
    const isWithin = place.at !== scope;
    const { isOptional } = place;
    const lowered = { condition, value, ...place.forms, isWithin, isOptional };
    return lowerCondition(place.at, place.from, lowered, 0);
  });
}

/** The statement or subquery in which a predicate is, and the model that its paths begin at. */
interface Place {
  readonly at: Scope;
  readonly from: JoinedModel;
  readonly forms: Forms;
  /** Whether rows that do not meet it may be found: then no planner makes joins of its subqueries. */
  readonly isOptional: boolean;
}

/** SQL of a predicate tree; conditions are numbered in the order of the tree. */
export function lowerTree(
  scope: Scope,
  root: JoinedModel,
  predicate: ResolvedPredicate,
  forms: Forms,
  lower: (place: Place, condition: ResolvedCondition, index: number) => Sql,
): Sql {
  let index = -1;
  const all = (nodes: readonly ResolvedPredicate[], place: Place, word: string): Sql => {
    const groups = word === ' and ' ? testedTogether(nodes) : nodes.map((node) => [node]);
    const lowered = groups.map((group) =>
      group.every(isRelated) ? related(group, place) : group.map((node) => walk(node, place)),
    );
    return join(lowered, word);
  };
  const related = (nodes: readonly ResolvedRelated[], place: Place): Sql =>
    lowerRelated(place, nodes, ({ predicates }, inner) =>
      predicates.length === 0 ? '1 = 1' : all(predicates, inner, ' and '),
    );
  const walk = (node: ResolvedPredicate, place: Place): Sql => {
    if (node.type === 'condition') {
      index += 1;
      return lower(place, node, index);
    }
    if (isRelated(node)) return related([node], place);
    const { predicates } = node;
    if (predicates.length === 0) return node.type === 'and' ? '1 = 1' : '1 = 0';
    if (node.type === 'and') return ['(', all(predicates, place, ' and '), ')'];
    return ['(', all(predicates, { ...place, isOptional: true }, ' or '), ')'];
  };
  return walk(predicate, { at: scope, from: root, forms, isOptional: false });
}

/** The subquery of each quantifier: whether it has a row, for which the members are true or are not. */
const quantifierForms = {
  some: { hasRow: true, isMet: true },
  none: { hasRow: false, isMet: true },
  every: { hasRow: false, isMet: false },
  someNot: { hasRow: true, isMet: false },
} as const;

const isRelated = (node: ResolvedPredicate): node is ResolvedRelated =>
  node.type !== 'condition' && 'target' in node;

/**
 * The members of a conjunction. `$every` reads all rows of a relation, so that one subquery tests with it what `$none` and
 * another `$every` beside it say of them.
 */
function testedTogether(nodes: readonly ResolvedPredicate[]): readonly ResolvedPredicate[][] {
  const groups: ResolvedPredicate[][] = [];
  for (const node of nodes) {
    const last = groups.at(-1);
    const both = [...(last ?? []), node];
    const isOne =
      isRelated(node) &&
      both.every(
        (one) => /^(?:none|every)$/.test(one.type) && 'path' in one && one.path === node.path,
      ) &&
      both.some(({ type }) => type === 'every');
    if (last && isOne) last.push(node);
    else groups.push([node]);
  }
  return groups;
}

/**
 * Tests the rows of a relation in one subquery. Whether it has a row is never unknown, unless `in` meets null. PostgreSQL
 * plans each `exists` that it does not join twice, with all within it, so that a few within each other would take seconds:
 * those within such a one are in the form that is never joined.
 */
function lowerRelated(
  { at, from, forms, isOptional }: Place,
  nodes: readonly ResolvedRelated[],
  members: (node: ResolvedRelated, inner: Place) => Sql,
): Sql {
  const [first] = nodes;
  const relation = first?.target.relation;
  if (!relation) throw new TypeError(`"${first?.path}" is not a relation.`);
  const { hasRow } = quantifierForms[first.type];
  let joined = from;
  for (const hop of first.target.hops) joined = at.follow(joined, hop);
  const isApart = isOptional || !nodes.every(({ type }) => quantifierForms[type].isMet);
  const apartForm = 'scalar';
  const context = isApart ? ({ ...at.context, apartForm, keepsApart: true } as const) : at.context;
  const outer = { context, aliases: at.aliases };
  const form = hasRow ? forms.form : forms.emptiness;
  const found = through(outer, joined, relation.path, form, (inner, target) => {
    const place: Place = {
      at: inner,
      from: target,
      forms: isApart ? { form: apartForm, emptiness: apartForm } : forms,
      isOptional: isApart,
    };
    const tests = nodes.map((node): Sql => {
      const all = members(node, place);
      return quantifierForms[node.type].isMet ? all : ['(', all, ') is not true'];
    });
    return nodes.length > 1 ? ['(', join(tests, ' or '), ')'] : tests;
  });
  return hasRow ? found : ['not (', found, ')'];
}

type PredicateValue = ResolvedCondition['value'];

/** The forms of subqueries. */
interface Forms {
  readonly form: ExistentialForm;
  /** The form of a test that a relation is empty or not. */
  readonly emptiness: ExistentialForm;
  /**
   * Whether the planner may begin in the table of a `one` relation, which SQLite does behind inner joins alone. Default
   * `false`.
   */
  readonly startsAnywhere?: boolean;
  /** Whether all rows that meet the conditions are read. Default `false`. */
  readonly readsAll?: boolean;
}

/** How the statement of a predicate reads its rows, and the range of their keys. */
type Start = Pick<Forms, 'startsAnywhere' | 'readsAll'> & Pick<JoinedModel, 'range'>;

/** A condition that is being compiled. */
export interface Lowered extends Forms {
  readonly condition: ResolvedCondition;
  /** Reads its value from the inputs of a statement. */
  readonly value: (inputs: StatementInputs) => PredicateValue;
  /** Whether the condition is on related rows, in a subquery. Default `false`. */
  readonly isWithin?: boolean;
  /** Whether rows that do not meet the condition may be found. Default `true`. */
  readonly isOptional?: boolean;
  /** Whether the value is that of a part of a merged page. Default `false`. */
  readonly isPart?: true;
}

/** Compiles the rest of a condition from a joined model; the relations before index `at` are already crossed. */
export function lowerCondition(scope: Scope, from: JoinedModel, lowered: Lowered, at: number): Sql {
  const { condition, value, form } = lowered;
  const { hops, field, relation: end } = condition.target;
  const { startsAnywhere, readsAll, isOptional = true } = lowered;
  const isRequired = startsAnywhere === true && !isOptional && !acceptsAbsence(condition, at);
  let joined = from;
  for (const [step, hop] of hops.entries()) {
    if (step < at) continue;
    const relation = relationOf(joined.model, hop.path);
    // The subquery with `in` starts at the root, so that the root's index serves the count.
    const asSet =
      form === 'in' &&
      hops.slice(step + 1).some(isMany) &&
      relation.hops.length > 0 &&
      scope.context.joinsOneRow(relation);
    // A planner would begin in the other table, and sort most rows.
    const isWalked =
      form === 'scalar' &&
      scope.context.dialect.probes?.walked === form &&
      step === 0 &&
      !lowered.isWithin &&
      isMetByMost(condition) &&
      relation.hops.length > 0 &&
      scope.context.joinsOneRow(relation);
    if (isMany(hop) || asSet || isWalked) {
      return through(scope, joined, hop.path, form, (inner, target) =>
        lowerCondition(inner, target, lowered, step + 1),
      );
    }
    const byKey = lowered.isOptional ? ofKey(scope, joined, lowered, step) : undefined;
    if (byKey) return byKey;
    joined = scope.follow(joined, hop, isRequired ? 'required' : 'left');
  }
  if (end) {
    const isEmpty = condition.value === true;
    return (
      absence(scope, joined, end, isEmpty) ??
      (readsAll && isEmpty ? orphans(scope, joined, end.path) : undefined) ??
      emptiness(scope, joined, end.path, isEmpty, lowered.emptiness)
    );
  }
  if (!field) throw new TypeError(`"${condition.path}" is neither a field nor a relation.`);
  const isWithin = lowered.isWithin || hops.some(isMany);
  return fieldCondition(scope, joined, condition, field, value, lowered.isPart, isWithin);
}

/**
 * The condition that the key of a related row equals a value, tested on the column that refers to it: a planner that may
 * find rows that do not meet it would look up the related row of each. `undefined` for other conditions.
 */
function ofKey(scope: Scope, joined: JoinedModel, lowered: Lowered, at: number): Sql | undefined {
  const { context } = scope;
  const { hops, field } = lowered.condition.target;
  const { row } = lowered.condition;
  const relation = relationOf(joined.model, hops[at]?.path ?? '');
  const [hop] = relation.hops;
  const model = modelOf(context, relation.target);
  const keys = keyNames(model);
  const isKey = hops.length === at + 1 && field?.path === model.schema.primaryKey.join();
  const isEqual = row.comparison === 'equality' && !row.negated;
  if (!hop || relation.hops.length > 1 || !isKey || !isEqual || hop.to.join() !== keys.join()) {
    return undefined;
  }
  const found = relatedRows(scope, joined, relation.path, (inner, target) =>
    lowerCondition(inner, target, lowered, at + 1),
  );
  const own = hop.from.map((name) => columnSql(context, joined.alias, name));
  return [
    `${own.join()} = (select ${columnSql(context, found.alias, keys.join())}`,
    [found.from, ' where ', found.condition ?? '1 = 1', ' limit 1)'],
  ];
}

/**
 * Tests for null the columns that refer to a row, where an enforced foreign key makes that the same as its absence and the
 * statement reads all rows of its model: an index on the columns serves it. `undefined` for other relations.
 */
export function absence(
  { context }: Scope,
  { model, alias, unscoped }: JoinedModel,
  { path, nullable, cardinality }: RelationDescriptor,
  isEmpty: boolean,
): Sql | undefined {
  const relation = relationOf(model, path);
  const [hop] = relation.hops;
  const target = { model: modelOf(context, relation.target), optional: false, unscoped };
  if (!hop || !nullable || cardinality === 'many' || !context.isSure(relation, target)) {
    return undefined;
  }
  const columns = hop.from.map((name) => columnSql(context, alias, name));
  const tests = columns.map((column) => `${column} is ${isEmpty ? '' : 'not '}null`);
  return ['(', join(tests, isEmpty ? ' or ' : ' and '), ')'];
}

/**
 * Tests that a relation to one row has none: its column is null, or is among those values that no row has. All rows are told
 * by the values of the column, of which an index gives each once. `undefined` for other relations.
 */
function orphans(scope: Scope, joined: JoinedModel, path: string): Sql | undefined {
  const { context, aliases } = scope;
  const { cardinality, hops } = relationOf(joined.model, path);
  const [hop, ...more] = hops;
  const [name, ...others] = hop?.from ?? [];
  if (cardinality === 'many' || name === undefined || more.length + others.length > 0)
    return undefined;
  const [all, values] = [aliases.next(), aliases.next()];
  const { quote } = context.dialect;
  const own = columnSql(context, joined.alias, name);
  const { table } = joined.model.physical;
  return [
    `(${own} is null or ${own} in (select ${columnSql(context, values, name)}`,
    ` from (select distinct ${columnSql(context, all, name)} from ${tableSql(context, table)} as ${quote(all)}) as ${quote(values)}`,
    ' where not ',
    through(scope, { ...joined, alias: values }, path, 'exists', () => null),
    '))',
  ];
}

/** Tests that a relation has no row, or has one. */
function emptiness(
  scope: Scope,
  joined: JoinedModel,
  path: string,
  empty: boolean,
  form: ExistentialForm,
): Sql {
  // An embedded target is stored in the same row, so it always exists.
  if (relationOf(joined.model, path).hops.length === 0) return empty ? '1 = 0' : '1 = 1';
  if (!empty) return through(scope, joined, path, form, () => null);
  // NOT EXISTS may read all related rows before the first row.
  const own = isIndexed(scope.context, joined, path) ? 'scalar' : form;
  const exists = through(scope, joined, path, own, () => null);
  // MySQL's mode HIGH_NOT_PRECEDENCE binds NOT before IS.
  return own === 'scalar' ? ['not (', exists, ')'] : ['not ', exists];
}

/** Tests that a row at the end of the relation satisfies the inner condition. */
export function through(
  scope: Pick<Scope, 'context' | 'aliases'>,
  joined: JoinedModel,
  path: string,
  form: ExistentialForm,
  inner: (scope: Scope, target: JoinedModel) => Sql | null,
): Sql {
  const { context } = scope;
  const { first, alias, from: fromSql, condition, where } = relatedRows(scope, joined, path, inner);
  if (form === 'in' && condition) {
    const outer = first.from.map((column) => columnSql(context, joined.alias, column));
    const keys = first.to.map((column) => columnSql(context, alias, column)).join(', ');
    const left = outer.length === 1 ? outer.join() : `(${outer.join(', ')})`;
    return [`${left} in (select ${keys}`, fromSql, ' where ', condition, ')'];
  }
  const [start, close] = apart(form);
  const range = form === 'exists' && joined.range?.(first, alias);
  return [start, fromSql, ' where ', where, range ? [' and ', range] : '', close];
}

/** The parts of a subquery over the rows of a relation. */
interface RelatedRows {
  /** The first join of the relation, and the alias of its table. */
  readonly first: PhysicalHop;
  readonly alias: string;
  readonly from: Sql;
  /** The condition of the rows without that of the join; `null` where there is none. */
  readonly condition: Sql | null;
  readonly where: Sql;
}

/** The rows at the end of a relation of one row that meet the inner condition. */
export function relatedRows(
  scope: Pick<Scope, 'context' | 'aliases'>,
  joined: JoinedModel,
  path: string,
  inner: (scope: Scope, target: JoinedModel) => Sql | null,
): RelatedRows {
  const { context, aliases } = scope;
  const { dialect } = context;
  const relation = relationOf(joined.model, path);
  const [first, ...rest] = relation.hops as readonly [PhysicalHop, ...PhysicalHop[]];
  const alias = aliases.next();
  const { unscoped } = joined;
  const model = modelOf(context, relation.target);
  const subScope = new Scope(context, { alias, model, optional: false, unscoped }, aliases);
  let end = alias;
  for (const hop of rest) end = subScope.attach(end, hop, 'inner');
  const target: JoinedModel = { alias: end, model, optional: false, unscoped };
  const conditions = [
    inner(subScope, target),
    context.rowCondition(subScope, target, 'where'),
  ].filter((part) => part !== null);
  const condition = conditions.length === 0 ? null : join(conditions, ' and ');
  const from: Sql = [
    ` from ${tableSql(context, first.table)} as ${dialect.quote(alias)}`,
    joinsSql(context, subScope.joins),
  ];
  const correlation = pairs(context, joined.alias, first.from, alias, first.to);
  const where: Sql = condition ? [correlation, ' and ', condition] : correlation;
  return { first, alias, from, condition, where };
}

/** The texts around a correlated subquery that tests whether it has a row. */
export const apart = (form: ExistentialForm): readonly [string, string] =>
  form === 'scalar' ? ['(select 1', ' limit 1) is not null'] : ['exists (select 1', ')'];
