/** Resolves paths that need no rule: key parts, and paths that a host's hook adds. */

import { BoundedCache } from '../../lib/index.ts';
import type { SchemaRegistry } from '../../schema/index.ts';
import { coercion } from './compile-filters.ts';
import type { CompiledFilter, CompiledQueryRules, ResolvedPath } from './compiled.ts';
import { pathFrom, resolvePath } from './resolve-path.ts';

/** A resolved path and the conversion of its values. */
type PathTarget = Pick<CompiledFilter, 'target' | 'coerce'>;

/** The parts of rules that paths are resolved against. */
export type PathRules = Pick<CompiledQueryRules, 'registry' | 'model' | 'limits' | 'aggregates'>;

const capacity = 200;
const targets = new WeakMap<PathRules, BoundedCache<string, PathTarget>>();
const paths = new WeakMap<SchemaRegistry, BoundedCache<string, ResolvedPath>>();

/** The resolved path from a model, internal fields included, resolved once; `null` when it does not exist. */
export function resolvedTarget(
  registry: SchemaRegistry,
  model: string,
  path: string,
): ResolvedPath | null {
  const known = cacheOf(paths, registry);
  const key = `${model}.${path}`;
  const found = known.get(key) ?? resolvePath(registry, model, path, 'all');
  if (found) known.set(key, found);
  return found;
}

/**
 * The resolved path from a model, by default from the root of an endpoint, with the limits of the endpoint; `null` when
 * it does not exist.
 */
export function pathTarget(rules: PathRules, path: string, model = rules.model): PathTarget | null {
  const known = cacheOf(targets, rules);
  const key = model === rules.model ? path : `${model}:${path}`;
  const found = known.get(key);
  if (found) return found;
  const target =
    aggregateTarget(rules, path, model) ?? resolvePath(rules.registry, model, path, 'all');
  if (!target) return null;
  const coerce = target.field ? coercion(target.field, rules.limits) : () => undefined;
  const resolved: PathTarget = Object.freeze({ target, coerce });
  known.set(key, resolved);
  return resolved;
}

/** A declared value over a relation, from the root or from a model on the way to it. */
function aggregateTarget({ aggregates, model: root }: PathRules, path: string, model: string) {
  if (!path.includes('$')) return undefined;
  for (const target of aggregates.values()) {
    const models = [root, ...target.hops.map((hop) => hop.target)];
    for (const [crossed, from] of models.entries()) {
      const found = from === model ? pathFrom(target, crossed) : null;
      if (found?.path === path) return found;
    }
  }
  return undefined;
}

function cacheOf<Owner extends object, Value>(
  caches: WeakMap<Owner, BoundedCache<string, Value>>,
  owner: Owner,
): BoundedCache<string, Value> {
  let cache = caches.get(owner);
  if (!cache) {
    cache = new BoundedCache(capacity);
    caches.set(owner, cache);
  }
  return cache;
}
