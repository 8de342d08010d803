/** `customize` for Prisma: the host adds conditions in Prisma's terms, which are AND-ed. */

import { isRecord } from '../../lib/index.ts';
import {
  type ResolvedPath,
  type ResolvedPlan,
  type ResolvedPredicate,
  operatorRow,
  resolvedCondition,
  resolvedTarget,
} from '../../rules/index.ts';
import { QueryError, type SchemaRegistry, configurationError } from '../../schema/index.ts';
import type { PrismaArgs } from './client.ts';
import { type ClientModels, modelNamed } from './describe/client-model.ts';
import type { FindMany } from './client-rows.ts';
import type { PrismaContext } from './context.ts';
import { ModelKey, type Where } from './keys.ts';
import { type LoweredPredicate, lowerWhere } from './lower-where.ts';
import { assertQuoted } from './describe/quoted-names.ts';

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
function crossesRelation(models: ClientModels, model: string, where: Where): boolean {
  const { fields } = modelNamed(models, model);
  const crosses = (conditions: unknown): boolean =>
    Object.entries(Object(conditions) as Where).some(([name, value]) => {
      if (name !== 'AND' && name !== 'OR' && name !== 'NOT') return !fields.has(name);
      return Array.isArray(value) ? value.some(crosses) : crosses(value);
    });
  return crosses(where);
}

/**
 * The plan with the additions of the hook. Conditions that a plan cannot express are given to the client, which finds
 * the keys of the rows that meet them.
 *
 * @throws {QueryError} CAPABILITY_UNAVAILABLE when the keys would not hold the rows to their scopes, are not those that
 * are stored, or are too many
 */
export async function withAdded(
  context: PrismaContext,
  plan: ResolvedPlan,
  added: Where,
  computed: ReadonlySet<string>,
  find: FindMany,
): Promise<ResolvedPlan> {
  const { model, scopes } = plan;
  const { family, models, describe } = context;
  const { registry } = describe.context;
  const lowered = lowerWhere(models, model, added);
  let predicate = lowered && resolved(registry, model, lowered);
  if (!predicate) {
    if (scopes && crossesRelation(models, model, added)) throw inexpressible('that cross scopes');
    const key = new ModelKey(family, modelNamed(models, model));
    if (key.paths.some((path) => computed.has(path)))
      throw inexpressible('where an extension computes the key');
    assertQuoted(context, model, []);
    const select = Object.fromEntries(key.paths.map((path) => [path, true]));
    const found = await find(model, { where: added, select });
    // A list of single values is one value of the statement; keys of several fields are one condition each.
    if (key.paths.length > 1 && found.length > key.perQuery)
      throw inexpressible('that so many rows meet');
    predicate = key.predicate(
      registry,
      found.map((row) => key.read(row)),
    );
  }
  const where: ResolvedPredicate = plan.where
    ? { type: 'and', predicates: [plan.where, predicate] }
    : predicate;
  return { ...plan, where };
}

function inexpressible(what: string): QueryError {
  return new QueryError(
    'CAPABILITY_UNAVAILABLE',
    `SQL cannot express the conditions of customize, and the client does not find their rows ${what}; add them with transformPlan.`,
  );
}

/** The predicate with resolved paths, all of which the registry has. */
function resolved(
  registry: SchemaRegistry,
  model: string,
  predicate: LoweredPredicate,
): ResolvedPredicate {
  if (predicate.type === 'condition') {
    const target = resolvedTarget(registry, model, predicate.path) as ResolvedPath;
    return resolvedCondition(target, operatorRow(predicate.operator), predicate.value);
  }
  const predicates = predicate.predicates.map((member) => resolved(registry, model, member));
  return { ...predicate, predicates };
}
