/** Converts a predicate to the `where` of Prisma's own queries, where that is exact. */

import { isJsonMember, portableOrderKey } from '../../schema/index.ts';
import type {
  DatabaseFamily,
  OperatorRow,
  PlanValue,
  ResolvedCondition,
  ResolvedPlan,
  ResolvedPredicate,
} from '../../rules/index.ts';
import { families } from '../../relational/index.ts';
import {
  type ClientField,
  type ClientModel,
  type ClientModels,
  type ClientRelation,
  fieldAt,
  modelNamed,
} from './client-model.ts';
import { allOf } from './conjunction.ts';
import {
  clientValue,
  fitsParameters,
  foldedContains,
  hasMicroseconds,
  hasOrder,
  plainContains,
} from './exactness.ts';
import { shownWhere } from './shown-instants.ts';

/** A `where` of any model. */
export interface Where {
  readonly [name: string]: unknown;
}

const everything: Where = {};

/** Matches no row of the model. Prisma ignores an empty `OR` under an `AND`. */
function nothing({ primaryKey, fields }: ClientModel): Where {
  // Prisma does not support lists of booleans.
  const path = primaryKey.find((part) => fields.get(part)?.type !== 'Boolean');
  return { [path ?? '']: { in: [] } };
}

/** The part of a plan that decides which rows match. */
type Matching = Pick<ResolvedPlan, 'model' | 'where' | 'scopes'>;

/** The `where` of a plan; `undefined` if Prisma cannot express its predicate and its scopes exactly. */
export function prismaWhere(
  models: ClientModels,
  { model, where, scopes }: Matching,
  family: DatabaseFamily,
): Where | undefined {
  const writer = new WhereWriter(models, scopes);
  const root = modelNamed(models, model);
  const scope = writer.scope(model);
  const own = where ? writer.write(root, where) : everything;
  if (!scope || !own || !fitsParameters(family, writer.parameters)) return undefined;
  return isEverything(scope) ? own : allOf([scope, own]);
}

/** The scopes of a plan as conditions on each model, written on first use. */
export function scopeWheres(
  models: ClientModels,
  scopes: ResolvedPlan['scopes'],
): (model: string) => Where | undefined {
  const known = new Map<string, Where | undefined>();
  return (model) => {
    if (!known.has(model)) known.set(model, new WhereWriter(models, scopes).scope(model));
    return known.get(model);
  };
}

class WhereWriter {
  /** Number of values bound so far. */
  parameters = 0;
  readonly #models: ClientModels;
  readonly #scopes: ResolvedPlan['scopes'];

  constructor(models: ClientModels, scopes: ResolvedPlan['scopes']) {
    this.#models = models;
    this.#scopes = scopes;
  }

  /** The scope of a model, whose own relations are not scoped again. */
  scope(model: string): Where | undefined {
    const scope = this.#scopes?.[model];
    if (!scope) return everything;
    const writer = new WhereWriter(this.#models, undefined);
    const where = writer.write(modelNamed(this.#models, model), scope);
    this.parameters += writer.parameters;
    return where;
  }

  write(model: ClientModel, predicate: ResolvedPredicate): Where | undefined {
    if (predicate.type === 'condition') return this.#condition(model, predicate, 0);
    const members: Where[] = [];
    for (const member of predicate.predicates) {
      const where = this.write(model, member);
      if (!where) return undefined;
      members.push(where);
    }
    if (predicate.type === 'and') return allOf(members);
    if (members.length === 0) return nothing(model);
    // Prisma ignores a member without conditions, which matches every row.
    return members.some(isEverything) ? everything : { OR: members };
  }

  /** The condition on a model that is reached after `crossed` relations of the path. */
  #condition(model: ClientModel, condition: ResolvedCondition, crossed: number): Where | undefined {
    const { hops, field, relation: last } = condition.target;
    const hop = hops[crossed];
    if (!hop) {
      // Prisma's filters of JSON take a number for a text and a missing path for null.
      if (field && isJsonMember(field)) return undefined;
      if (field) return this.#field(model, fieldAt(model, field.path), condition, crossed > 0);
      const end = last && model.relations.get(last.path);
      const scope = end && this.scope(end.descriptor.target);
      if (!end || !scope) return undefined;
      return condition.value === true ? absent(end, scope) : present(end, scope);
    }
    const relation = model.relations.get(hop.path);
    if (!relation) return undefined;
    const target = modelNamed(this.#models, hop.target);
    const inner = this.#condition(target, condition, crossed + 1);
    const scope = this.scope(hop.target);
    if (!inner || !scope) return undefined;
    const found = present(relation, isEverything(scope) ? inner : allOf([scope, inner]));
    if (!acceptsAbsence(condition, crossed)) return found;
    const none = absent(relation, scope);
    return none && { OR: [none, found] };
  }

  #field(
    model: ClientModel,
    field: ClientField,
    { row, value }: ResolvedCondition,
    behindRelation: boolean,
  ): Where | undefined {
    const { path, foldedField } = field.descriptor;
    const single = value as PlanValue;
    const isEmptyList = Array.isArray(value) && value.length === 0;
    const isCompared = row.need === 'equality' || row.need === 'order';
    if (isCompared && !isEmptyList && hasMicroseconds(field)) {
      this.parameters += 2 * [value].flat().length;
      return shownWhere(field, row, value);
    }
    switch (row.comparison) {
      case 'null':
        return { [path]: value === true ? null : { not: null } };
      case 'pattern': {
        if (row.need === 'text') return this.#pattern(field, String(single), row.negated);
        const folded = foldedField === undefined ? field : fieldAt(model, foldedField);
        return this.#pattern(folded, String(single), row.negated, true);
      }
      case 'membership':
        return this.#list(model, field, row, value as readonly PlanValue[], behindRelation);
      case 'range': {
        const [low = '', high = ''] = value as readonly PlanValue[];
        const [compared, gte] = this.#operand(model, field, row, low);
        const [, lte] = this.#operand(model, field, row, high);
        this.parameters += 2;
        if (gte === undefined || lte === undefined) return undefined;
        return { [compared.descriptor.path]: { gte, lte } };
      }
      case 'equality':
      case 'order': {
        const [compared, operand] = this.#operand(model, field, row, single);
        this.parameters += 1;
        if (operand === undefined) return undefined;
        const plain = row.filterKey === 'equals';
        return { [compared.descriptor.path]: plain ? operand : { [row.filterKey]: operand } };
      }
    }
  }

  /** The field that an operator compares, and the value for it. */
  #operand(
    model: ClientModel,
    field: ClientField,
    { need }: OperatorRow,
    value: PlanValue,
  ): readonly [ClientField, unknown] {
    const { descriptor, family } = field;
    const byOrder = need === 'order';
    const inexact = descriptor.kind === 'decimal' && !families[family].dialect.exactDecimals;
    if (descriptor.portableOrderField && (byOrder || inexact)) {
      return [fieldAt(model, descriptor.portableOrderField), portableOrderKey(descriptor, value)];
    }
    return [field, byOrder && !hasOrder(field) ? undefined : clientValue(field, value)];
  }

  #list(
    model: ClientModel,
    field: ClientField,
    row: Extract<OperatorRow, { readonly comparison: 'membership' }>,
    list: readonly PlanValue[],
    behindRelation: boolean,
  ): Where | undefined {
    if (list.length === 0) {
      if (!row.negated) return nothing(model);
      // An empty `notIn` is true for an absent relation as well, which Prisma would exclude.
      return behindRelation ? undefined : everything;
    }
    const operands: unknown[] = [];
    let compared = field;
    for (const value of list) {
      const [of, operand] = this.#operand(model, field, row, value);
      if (operand === undefined) return undefined;
      compared = of;
      operands.push(operand);
    }
    this.parameters += operands.length;
    const { path } = compared.descriptor;
    if (compared.type !== 'Boolean') return { [path]: { [row.filterKey]: operands } };
    // Prisma does not support lists of booleans.
    return row.negated
      ? { AND: operands.map((not) => ({ [path]: { not } })) }
      : { OR: operands.map((equals) => ({ [path]: { equals } })) };
  }

  #pattern(field: ClientField, term: string, negated: boolean, folds = false): Where | undefined {
    const isNative = folds && !field.folded;
    const test = isNative ? foldedContains(field, term) : plainContains(field, term);
    this.parameters += 1;
    if (test === undefined) return undefined;
    const { contains, ...mode } = test;
    return { [field.descriptor.path]: { ...mode, ...(negated ? { not: { contains } } : test) } };
  }
}

/** Whether every row meets the condition. */
export const isEverything = (where: Where): boolean => Object.keys(where).length === 0;

/** Tests that a row at the end of the relation satisfies the condition. */
function present({ descriptor, through }: ClientRelation, inner: Where): Where {
  if (through) return { [through[0]]: { some: { [through[1]]: { is: inner } } } };
  return { [descriptor.path]: descriptor.cardinality === 'many' ? { some: inner } : { is: inner } };
}

/** Tests that the relation has no row within the scope of its target; `undefined` if Prisma cannot express it exactly. */
function absent(relation: ClientRelation, scope: Where): Where | undefined {
  const { descriptor, through } = relation;
  if (through) return { [through[0]]: { none: { [through[1]]: { is: scope } } } };
  if (descriptor.cardinality === 'many') return { [descriptor.path]: { none: scope } };
  // The negation of a condition on a row is unknown where the condition is unknown.
  return isEverything(scope) ? { NOT: present(relation, everything) } : undefined;
}

/**
 * Whether the condition is true for a row whose relation at `crossed` is absent: only where it tests for null. Every
 * relation may be absent, because those without a foreign key have orphans.
 */
function acceptsAbsence({ row, value, target }: ResolvedCondition, crossed: number): boolean {
  if (row.comparison !== 'null' || value !== true) return false;
  return target.hops.slice(crossed).every(({ cardinality }) => cardinality === 'one');
}
