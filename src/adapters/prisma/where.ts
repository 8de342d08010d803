/** A predicate as the `where` of Prisma's own queries, where that says exactly the same. */

import { portableOrderKey } from '../../schema/index.ts';
import type {
  ConditionPredicate,
  DatabaseFamily,
  OperatorName,
  PlanValue,
  Predicate,
} from '../../rules/index.ts';
import {
  type ClientField,
  type ClientModel,
  type ClientModels,
  type ClientRelation,
  fieldAt,
  modelNamed,
} from './client-model.ts';
import { allOf } from './conjunction.ts';
import { clientValue, containsTerm, filterNames, fitsParameters, hasOrder } from './exactness.ts';

/** A `where` of any model. */
export interface Where {
  readonly [name: string]: unknown;
}

const everything: Where = {};

/** No row of the model. Under an `AND` Prisma takes an `OR` of nothing for no condition at all. */
function nothing({ primaryKey, fields }: ClientModel): Where {
  // Prisma has no lists of booleans.
  const path = primaryKey.find((part) => fields.get(part)?.type !== 'Boolean');
  return { [path ?? '']: { in: [] } };
}

/** A predicate said by Prisma; `undefined` where it cannot say it exactly. */
export function prismaWhere(
  models: ClientModels,
  model: string,
  predicate: Predicate,
  family: DatabaseFamily,
): Where | undefined {
  const writer = new WhereWriter(models);
  const where = writer.write(modelNamed(models, model), predicate);
  return fitsParameters(family, writer.parameters) ? where : undefined;
}

class WhereWriter {
  /** Values bound so far. */
  parameters = 0;
  readonly #models: ClientModels;

  constructor(models: ClientModels) {
    this.#models = models;
  }

  write(model: ClientModel, predicate: Predicate): Where | undefined {
    if (predicate.type === 'condition') {
      return this.#condition(model, predicate, predicate.path.split('.'), false);
    }
    const members: Where[] = [];
    for (const member of predicate.predicates) {
      const where = this.write(model, member);
      if (!where) return undefined;
      members.push(where);
    }
    if (predicate.type === 'and') return allOf(members);
    if (members.length === 0) return nothing(model);
    // Prisma passes over a member without conditions, which would be true of every row.
    return members.some(isEverything) ? everything : { OR: members };
  }

  #condition(
    model: ClientModel,
    condition: ConditionPredicate,
    [segment = '', ...rest]: readonly string[],
    behindRelation: boolean,
  ): Where | undefined {
    const relation = model.relations.get(segment);
    if (!relation) return this.#field(model, segment, condition, behindRelation);
    if (rest.length === 0) {
      return condition.value === true ? absent(relation) : present(relation, everything);
    }
    const target = modelNamed(this.#models, relation.descriptor.target);
    const inner = this.#condition(target, condition, rest, true);
    if (!inner) return undefined;
    const found = present(relation, inner);
    return acceptsAbsence(this.#models, relation, condition, target, rest)
      ? { OR: [absent(relation), found] }
      : found;
  }

  #field(
    model: ClientModel,
    path: string,
    { operator, value }: ConditionPredicate,
    behindRelation: boolean,
  ): Where | undefined {
    const field = fieldAt(model, path);
    const single = value as PlanValue;
    switch (operator) {
      case 'isNull':
        return { [path]: value === true ? null : { not: null } };
      case 'like':
      case 'notLike':
        return this.#pattern(path, field, String(single), operator === 'notLike');
      case 'ilike':
      case 'notIlike': {
        const folded = field.descriptor.foldedField ?? path;
        return this.#pattern(
          folded,
          fieldAt(model, folded),
          String(single),
          operator === 'notIlike',
        );
      }
      case 'in':
      case 'notIn':
        return this.#list(model, field, operator, value as readonly PlanValue[], behindRelation);
      case 'between': {
        const [low = '', high = ''] = value as readonly PlanValue[];
        const [compared, gte] = this.#operand(model, field, operator, low);
        const [, lte] = this.#operand(model, field, operator, high);
        this.parameters += 2;
        if (gte === undefined || lte === undefined) return undefined;
        return { [compared.descriptor.path]: { gte, lte } };
      }
      default:
        return this.#compared(model, field, operator, single);
    }
  }

  /** The field that an operator compares, and its value there. */
  #operand(
    model: ClientModel,
    field: ClientField,
    operator: OperatorName,
    value: PlanValue,
  ): readonly [ClientField, unknown] {
    const { descriptor, family } = field;
    const byOrder = operator in orderOperators;
    const inexact = descriptor.kind === 'decimal' && family === 'sqlite';
    if (descriptor.portableOrderField && (byOrder || inexact)) {
      return [
        fieldAt(model, descriptor.portableOrderField),
        portableOrderKey(descriptor, value as string),
      ];
    }
    return [field, byOrder && !hasOrder(field) ? undefined : clientValue(field, value)];
  }

  #compared(
    model: ClientModel,
    field: ClientField,
    operator: OperatorName,
    value: PlanValue,
  ): Where | undefined {
    const [compared, operand] = this.#operand(model, field, operator, value);
    this.parameters += 1;
    if (operand === undefined) return undefined;
    const { path } = compared.descriptor;
    return { [path]: operator === 'eq' ? operand : { [filterNames[operator] ?? '']: operand } };
  }

  #list(
    model: ClientModel,
    field: ClientField,
    operator: 'in' | 'notIn',
    list: readonly PlanValue[],
    behindRelation: boolean,
  ): Where | undefined {
    if (list.length === 0) {
      if (operator === 'in') return nothing(model);
      // Not in nothing is true of an absent relation as well, which Prisma would leave out.
      return behindRelation ? undefined : everything;
    }
    const operands: unknown[] = [];
    let compared = field;
    for (const value of list) {
      const [of, operand] = this.#operand(model, field, operator, value);
      if (operand === undefined) return undefined;
      compared = of;
      operands.push(operand);
    }
    this.parameters += operands.length;
    const { path } = compared.descriptor;
    if (compared.type !== 'Boolean') return { [path]: { [operator]: operands } };
    // Prisma has no lists of booleans.
    return operator === 'in'
      ? { OR: operands.map((equals) => ({ [path]: { equals } })) }
      : { AND: operands.map((not) => ({ [path]: { not } })) };
  }

  #pattern(path: string, field: ClientField, term: string, negated: boolean): Where | undefined {
    const contains = containsTerm(field, term);
    this.parameters += 1;
    if (contains === undefined) return undefined;
    return { [path]: negated ? { not: { contains } } : { contains } };
  }
}

const isEverything = (where: Where): boolean => Object.keys(where).length === 0;

const orderOperators: Readonly<Partial<Record<OperatorName, true>>> = {
  gt: true,
  gte: true,
  lt: true,
  lte: true,
  between: true,
};

/** Something is at the end of the relation that satisfies the condition. */
function present({ descriptor, through }: ClientRelation, inner: Where): Where {
  if (through) return { [through[0]]: { some: { [through[1]]: { is: inner } } } };
  return { [descriptor.path]: descriptor.cardinality === 'many' ? { some: inner } : { is: inner } };
}

/** Nothing is at the end of the relation. */
function absent(relation: ClientRelation): Where {
  const { descriptor, through } = relation;
  if (through) return { [through[0]]: { none: { [through[1]]: { is: everything } } } };
  if (descriptor.cardinality === 'many') return { [descriptor.path]: { none: everything } };
  return { NOT: present(relation, everything) };
}

/** Whether the condition is true of a root whose `one` relation is absent: only where null is asked for. */
function acceptsAbsence(
  models: ClientModels,
  { descriptor }: ClientRelation,
  { operator, value }: ConditionPredicate,
  target: ClientModel,
  rest: readonly string[],
): boolean {
  if (operator !== 'isNull' || value !== true) return false;
  if (descriptor.cardinality === 'many' || !descriptor.nullable) return false;
  let model = target;
  for (const segment of rest.slice(0, -1)) {
    const relation = model.relations.get(segment);
    if (relation?.descriptor.cardinality !== 'one') return false;
    model = modelNamed(models, relation.descriptor.target);
  }
  return true;
}
