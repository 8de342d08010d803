/** `customize` for Prisma: the host adds conditions in Prisma's terms, which are AND-ed. */

import { isRecord } from '../../lib/index.ts';
import {
  type Predicate,
  type ResolvedPlan,
  type ResolvedPredicate,
  operatorRow,
  resolvedCondition,
  resolvedTarget,
} from '../../rules/index.ts';
import { QueryError, type SchemaRegistry, configurationError } from '../../schema/index.ts';
import type { PrismaArgs } from './client.ts';
import { type ClientModels, modelNamed } from './client-model.ts';
import { lowerWhere } from './lower-where.ts';
import type { Where } from './where.ts';

/** The types that a delegate carries, generated or extended. */
interface TypedDelegate {
  readonly [types: symbol]: {
    readonly types: { readonly operations: { readonly findMany: { readonly args: unknown } } };
  };
}

/** Conditions on a model of a client. */
export type PrismaWhere<Client, Model> = Model extends keyof Client
  ? Client[Model] extends TypedDelegate
    ? Client[Model][symbol]['types']['operations']['findMany']['args'] extends infer Args
      ? Args extends { where?: infer Conditions }
        ? NonNullable<Conditions>
        : never
      : never
    : Where
  : never;

/** The argument of the hook, and its result. */
export interface CustomizedArgs<Conditions> {
  /** Conditions in the form of `findMany`, AND-ed with those of the request. */
  where?: Conditions;
}

/**
 * Adds conditions to a statement before it runs. `args.where` is initially empty; its final conditions are AND-ed to
 * the request's conditions and cannot widen them. Order, window and selection remain the request's.
 */
export type PrismaCustomize<Client, Model> = (
  args: { where: PrismaWhere<Client, Model> },
  statement: { readonly kind: 'data' | 'count' },
) => CustomizedArgs<PrismaWhere<Client, Model>> | undefined;

type AnyCustomize = (
  args: { where: Where },
  statement: { readonly kind: 'data' | 'count' },
) => PrismaArgs | undefined;

/**
 * The conditions that the hook adds; `undefined` if it adds none.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the hook returns anything other than conditions
 */
export function addedWhere(customize: unknown, kind: 'data' | 'count'): Where | undefined {
  const args = { where: {} };
  const returned: unknown = (customize as AnyCustomize)(args, { kind }) ?? args;
  if (!isRecord(returned) || 'then' in returned || !isRecord(returned['where'] ?? {})) {
    throw configurationError('"customize" must return the arguments that it receives');
  }
  for (const [argument, value] of Object.entries(returned)) {
    if (argument === 'where' || value === undefined) continue;
    throw configurationError(
      `customize may only set where; order, window and selection are the request's.`,
      { argument },
    );
  }
  const where = returned['where'] as Where | undefined;
  return where && Object.keys(where).length > 0 ? where : undefined;
}

/** Whether conditions name a relation of the model. */
export function crossesRelation(models: ClientModels, model: string, where: Where): boolean {
  const { fields } = modelNamed(models, model);
  const crosses = (conditions: unknown): boolean =>
    Object.entries(Object(conditions) as Where).some(([name, value]) => {
      if (name !== 'AND' && name !== 'OR' && name !== 'NOT') return !fields.has(name);
      return Array.isArray(value) ? value.some(crosses) : crosses(value);
    });
  return crosses(where);
}

/**
 * The plan with the additions of the hook, for a request that is answered in SQL.
 *
 * @throws {QueryError} CAPABILITY_UNAVAILABLE when a plan cannot express the conditions
 */
export function withAdded(
  models: ClientModels,
  registry: SchemaRegistry,
  plan: ResolvedPlan,
  added: Where,
): ResolvedPlan {
  const { model } = plan;
  const lowered = lowerWhere(models, model, added);
  const predicate = lowered && resolved(registry, model, lowered);
  if (!predicate) {
    throw new QueryError(
      'CAPABILITY_UNAVAILABLE',
      'This request is answered in SQL, which cannot express the conditions that customize adds; add them with transformPlan.',
    );
  }
  const where: ResolvedPredicate = plan.where
    ? { type: 'and', predicates: [plan.where, predicate] }
    : predicate;
  return { ...plan, where };
}

/** The predicate with resolved paths; `undefined` where the registry lacks one. */
function resolved(
  registry: SchemaRegistry,
  model: string,
  predicate: Predicate,
): ResolvedPredicate | undefined {
  if (predicate.type === 'condition') {
    const target = resolvedTarget(registry, model, predicate.path);
    const row = operatorRow(predicate.operator);
    return target ? resolvedCondition(target, row, predicate.value) : undefined;
  }
  const predicates = predicate.predicates.map((member) => resolved(registry, model, member));
  const found = predicates.filter((member) => member !== undefined);
  return found.length === predicates.length ? { ...predicate, predicates: found } : undefined;
}
