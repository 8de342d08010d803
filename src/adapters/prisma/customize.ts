/** `customize` on Prisma: the host adds conditions in Prisma's own terms, and they are AND-ed. */

import type { QueryPlan } from '../../rules/index.ts';
import { QueryError, configurationError } from '../../schema/index.ts';
import type { PrismaArgs } from './client.ts';
import type { ClientModels } from './client-model.ts';
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

/** What the hook is given and returns. */
export interface CustomizedArgs<Conditions> {
  where?: Conditions;
}

/**
 * Adds conditions to a statement before it runs. `args.where` begins empty; what it holds in the end is AND-ed
 * with the request's conditions and cannot widen them. Order, window and selection stay the request's.
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
 * What the hook adds; `undefined` where that is nothing.
 *
 * @throws QueryError `SOURCE_CONFIGURATION_INVALID` where the hook returns more than conditions
 */
export function addedWhere(customize: unknown, kind: 'data' | 'count'): Where | undefined {
  const args = { where: {} };
  const returned = (customize as AnyCustomize)(args, { kind }) ?? args;
  for (const [argument, value] of Object.entries(returned)) {
    if (argument === 'where' || value === undefined) continue;
    throw configurationError(
      `customize may set where and nothing else; order, window and selection are the request's.`,
      { argument },
    );
  }
  const where = returned['where'] as Where | undefined;
  return where && Object.keys(where).length > 0 ? where : undefined;
}

/**
 * The plan with what the hook added, for a request that is answered in SQL.
 *
 * @throws QueryError `CAPABILITY_UNAVAILABLE` where a plan cannot say the conditions
 */
export function withAdded(models: ClientModels, plan: QueryPlan, added: Where): QueryPlan {
  const predicate = lowerWhere(models, plan.model, added);
  if (!predicate) {
    throw new QueryError(
      'CAPABILITY_UNAVAILABLE',
      'This request is answered in SQL, where the conditions that customize adds cannot be said; add them with transformPlan.',
    );
  }
  const said = plan.where
    ? ({ type: 'and', predicates: [plan.where, predicate] } as const)
    : predicate;
  return { ...plan, where: said };
}
