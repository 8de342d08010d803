/**
 * Finds which included rows are within the scope of their model, for relations on which the client accepts no condition:
 * `one` relations, and scopes that the client does not express exactly. SQL answers it by their keys.
 */

import {
  type PlanValue,
  type ResolvedPlan,
  type ResolvedPredicate,
  type Row,
  operatorRow,
  orderTerm,
  resolvedCondition,
  resolvedTarget,
} from '../../rules/index.ts';
import { QueryError } from '../../schema/index.ts';
import type { ClientRow } from './client.ts';
import type { PrismaContext } from './context.ts';
import { keysPerQuery } from './exactness.ts';
import type { KeyLookup } from './keys.ts';
import type { ClientProjection, IsVisible } from './projection.ts';

/** Reads the keys that a plan selects. */
type ReadKeys = (plan: ResolvedPlan) => Promise<readonly Row[]>;

/**
 * The rows of included relations that the request may see.
 *
 * @throws {QueryError} CAPABILITY_UNAVAILABLE when a result extension computes the key of such a row
 */
export async function visibleRows(
  context: PrismaContext,
  plan: ResolvedPlan,
  { unchecked }: ClientProjection,
  rows: readonly ClientRow[],
  computed: (model: string) => ReadonlySet<string>,
  readKeys: ReadKeys,
): Promise<IsVisible> {
  const keys = new Map<string, Map<string, readonly PlanValue[]>>();
  for (const row of rows) {
    unchecked(row, (model, each) => {
      const lookup = context.lookup(model);
      let known = keys.get(model);
      if (!known) {
        assertStored(lookup, model, computed(model));
        keys.set(model, (known = new Map()));
      }
      const values = lookup.valuesOf(each);
      known.set(lookup.text(each, true), values);
    });
  }
  const visible = new Map<string, Set<string>>();
  for (const [model, byText] of keys) {
    const lookup = context.lookup(model);
    const found = new Set<string>();
    visible.set(model, found);
    const all = [...byText.values()];
    const size = keysPerQuery(context.family, lookup.projection.fields.length);
    for (let at = 0; at < all.length; at += size) {
      const part = all.slice(at, at + size);
      for (const key of await readKeys(keysPlan(context, plan, lookup, part))) {
        found.add(lookup.text(key, false));
      }
    }
  }
  return (model, row) => visible.get(model)?.has(context.lookup(model).text(row, true)) ?? false;
}

function assertStored({ projection }: KeyLookup, model: string, computed: ReadonlySet<string>) {
  const path = projection.fields.find((field) => computed.has(field));
  if (path === undefined) return;
  throw new QueryError(
    'CAPABILITY_UNAVAILABLE',
    `${model}.${path} is computed by a result extension, so that included rows cannot be held to the scope of ${model}; do not include ${model}.`,
    { model, path },
  );
}

/** The plan of the keys that are within the scope of their model. */
function keysPlan(
  { describe }: PrismaContext,
  { scopes }: ResolvedPlan,
  { projection }: KeyLookup,
  keys: readonly (readonly PlanValue[])[],
): ResolvedPlan {
  const { model, fields } = projection;
  const targets = fields.map((path) => {
    const target = resolvedTarget(describe.context.registry, model, path);
    if (!target) throw new TypeError(`${model} has no key ${path}.`);
    return target;
  });
  const [target] = targets;
  const where: ResolvedPredicate =
    targets.length === 1 && target
      ? resolvedCondition(
          target,
          operatorRow('in'),
          keys.map(([value]) => value as PlanValue),
        )
      : {
          type: 'or',
          predicates: padded(keys).map((key) => ({
            type: 'and',
            predicates: targets.map((each, part) =>
              resolvedCondition(each, operatorRow('eq'), key[part] as PlanValue),
            ),
          })),
        };
  return {
    model,
    projection,
    where,
    order: targets.map((each) => orderTerm(each, { direction: 'asc', nulls: 'first' })),
    page: { mode: 'all', maxRows: keys.length },
    count: { type: 'none' },
    ...(scopes && { scopes }),
  };
}

/** Keys in a number that is a power of two, so that few shapes of statements occur. */
function padded<T>(keys: readonly T[]): T[] {
  const [first] = keys;
  const missing = 2 ** Math.ceil(Math.log2(keys.length)) - keys.length;
  return [...keys, ...Array.from({ length: missing }, () => first as T)];
}
