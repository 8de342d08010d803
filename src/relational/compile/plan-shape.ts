/** The shape of a plan is everything except its values; plans of one shape share their statements. */

import {
  type OrderTerm,
  type ProjectionNode,
  type ResolvedCondition,
  type ResolvedPlan,
  type ResolvedPredicate,
  aggregateOf,
} from '../../rules/index.ts';
import type { FieldDescriptor } from '../../schema/index.ts';
import type { Dialect } from './dialect.ts';
import { positionForm } from './order/other-class.ts';
import { rangeCount } from './values/shown-instants.ts';
import { isDeep } from './page/window.ts';
import { literalsOf } from './literals.ts';

/** Shapes of projections, whose conditions on children depend on the dialect. */
const projectionShapes = new WeakMap<
  ProjectionNode,
  { readonly of: Dialect; readonly shape: string }
>();
const orderShapes = new WeakMap<readonly OrderTerm[], string>();

/** A path, with the condition of a value over a relation: rules may give one name to several. */
const shapeOfPath = (path: string, field: FieldDescriptor | null): string =>
  path + (aggregateOf(field)?.shape ?? '');

function projectionShape(node: ProjectionNode, dialect: Dialect): string {
  const known = projectionShapes.get(node);
  if (known?.of === dialect) return known.shape;
  const relations = node.relations.map(({ path, maxChildren = '', where, order, node: inner }) => {
    const asked = where ? `[${predicateShape(where, dialect)}]` : '';
    const sorted = order ? `{${orderShape(order)}}` : '';
    return `${path}${maxChildren}${asked}${sorted}(${projectionShape(inner, dialect)})`;
  });
  const aggregates = (node.aggregates ?? []).map((field) => shapeOfPath(field.path, field));
  const shape = [...node.fields, ...aggregates, ...relations].join();
  projectionShapes.set(node, { of: dialect, shape });
  return shape;
}

function orderShape(order: readonly OrderTerm[]): string {
  let shape = orderShapes.get(order);
  if (shape === undefined) {
    shape = order
      .map(
        ({ direction, nulls, path, target }) =>
          `${direction}${nulls}:${shapeOfPath(path, target.field)}`,
      )
      .join();
    orderShapes.set(order, shape);
  }
  return shape;
}

function opening(predicate: Exclude<ResolvedPredicate, ResolvedCondition>): string {
  if (!('target' in predicate)) return predicate.type === 'and' ? '&(' : '|(';
  return `${predicate.type} ${predicate.path}(`;
}

function predicateShape(predicate: ResolvedPredicate, dialect: Dialect): string {
  if (predicate.type !== 'condition') {
    let shape = opening(predicate);
    for (const member of predicate.predicates) shape += `${predicateShape(member, dialect)},`;
    return `${shape})`;
  }
  const { operator, row, value, target } = predicate;
  const path = shapeOfPath(predicate.path, target.field);
  switch (row.comparison) {
    case 'null':
      return `${path}${value === true ? '!' : '?'}`;
    case 'empty':
      return `${path} ${operator}${value === true ? '!' : '?'}`;
    case 'members':
      return `${path} ${operator}${dialect.listShape(Array.isArray(value) ? value.length : 1)}`;
    case 'pattern':
      return `${path} ${operator}${dialect.patternForm(String(value))}`;
    case 'membership':
    case 'equality': {
      const literals = target.field && literalsOf(dialect, target.field, predicate);
      if (literals) return `${path} ${operator}${literals}`;
      if (row.comparison === 'equality') return `${path} ${operator}`;
      const { length } = value as readonly unknown[];
      const ranges = target.field?.kind === 'datetime' ? `r${rangeCount(length)}` : '';
      return `${path} ${operator}${dialect.listShape(length)}${ranges}`;
    }
    case 'order':
    case 'range':
      return `${path} ${operator}`;
  }
}

/** Shape of the predicate and the scopes alone, which a count depends on. */
export function whereShape({ where, scopes }: ResolvedPlan, dialect: Dialect): string {
  let shape = where === null ? '' : predicateShape(where, dialect);
  for (const model in scopes) {
    const scope = scopes[model];
    shape += `\n${model}${scope ? `:${predicateShape(scope, dialect)}` : ''}`;
  }
  return shape;
}

const formShapes = { kind: 'v', whole: 'i', number: 'r', own: 'o' } as const;

/**
 * Shape of the whole plan, given that of its predicate and the number of parts that it is merged from: 0 where it may be
 * read in parts all the same, and null where its statement is on the table itself.
 */
export function planShape(
  plan: ResolvedPlan,
  where: string,
  dialect: Dialect,
  parts: number | null = null,
): string {
  const { page, count } = plan;
  let shape = `${plan.model}\n${where}\n${projectionShape(plan.projection, dialect)}\n${orderShape(plan.order)}\n`;
  shape += page.mode === 'all' ? `all${page.maxRows}` : `${page.mode}${page.perPage}`;
  shape += parts === null ? 'w' : parts > 0 ? `m${parts}` : '';
  if (page.mode === 'offset') {
    shape += page.offset > 0 ? '+' : '';
    shape += isDeep(plan) ? '+' : '';
    return `${shape}${count.type}${count.type === 'capped' ? count.cap : ''}`;
  }
  if (page.mode !== 'keyset' || !page.position) return shape;
  const { direction, inclusive, values, begins, isForgeable } = page.position;
  shape += direction + (inclusive ? '=' : '');
  for (const value of values) shape += value === null ? 'n' : formShapes[positionForm(value)];
  return begins
    ? `${shape}${isForgeable ? 'f' : 'b'}${begins.map(({ index }) => index).join()}`
    : shape;
}
