/** Paths that a plan may name without a rule of their own: key parts, and what a host's hook adds. */

import { BoundedCache } from '../../lib/index.ts';
import { coercion } from './compile-filters.ts';
import type { CompiledFilter, CompiledQueryRules } from './compiled.ts';
import { resolvePath } from './resolve-path.ts';

/** A resolved path and how its values are read. */
export type PathTarget = Pick<CompiledFilter, 'target' | 'coerce'>;

const targets = new WeakMap<CompiledQueryRules, BoundedCache<string, PathTarget>>();

/** The path from the root, internal fields included, resolved once per endpoint; `null` where there is none. */
export function pathTarget(rules: CompiledQueryRules, path: string): PathTarget | null {
  let known = targets.get(rules);
  if (!known) {
    known = new BoundedCache(200);
    targets.set(rules, known);
  }
  const found = known.get(path);
  if (found) return found;
  const target = resolvePath(rules.registry, rules.model, path, 'all');
  if (!target) return null;
  const coerce = target.field ? coercion(target.field, rules.limits) : () => undefined;
  const resolved: PathTarget = Object.freeze({ target, coerce });
  known.set(path, resolved);
  return resolved;
}
