/** Compiles the `sorts` of a declaration and refuses paths without a total order. */

import { type Refusals, configurationError, kindRow } from '../../schema/index.ts';
import type { RulesBase } from '../aggregates/compile-aggregates.ts';
import type { CompiledSort } from './compiled.ts';
import type { SortRule } from './declaration.ts';
import { hasOrder } from './field-capability.ts';
import { kindOverride, unresolved } from './known-paths.ts';
import { resolvePath } from './resolve-path.ts';
import { waysOut } from './ways-out.ts';

/** The compiled sorts by path. */
export function compileSorts(
  { registry, model, families, aggregates }: RulesBase,
  rules: readonly SortRule[],
  refusals: Pick<Refusals, 'attempt'>,
): ReadonlyMap<string, CompiledSort> {
  const compiled = new Map<string, CompiledSort>();
  const add = (rule: SortRule) => {
    const { path, nulls = null } = typeof rule === 'string' ? { path: rule } : rule;
    const target = aggregates.get(path) ?? resolvePath(registry, model, path);
    if (!target?.field) {
      throw refusal(
        path,
        target
          ? 'a relation has no order; name one of its fields.'
          : path.startsWith('-')
            ? 'a sort is declared without direction, which requests state; drop the "-".'
            : unresolved(registry, model, path, 'field'),
      );
    }
    if (compiled.has(path)) throw refusal(path, 'the path is listed twice; keep one.');
    if (target.crossesMany) {
      throw refusal(path, 'it crosses a many relation, which has no single value to order by.');
    }
    if (kindRow(target.field.kind).order === 'none') {
      throw refusal(
        path,
        `${target.field.kind} fields have no portable total order, nor any other; drop the sort.${kindOverride(target)}`,
      );
    }
    if (!hasOrder(target.field, families)) {
      throw refusal(
        path,
        `${target.field.kind} has no portable total order; ${waysOut('portableOrderField')}, or drop the sort.`,
      );
    }
    compiled.set(path, Object.freeze({ target, nulls }));
  };
  for (const rule of rules) refusals.attempt(() => add(rule));
  return compiled;
}

function refusal(path: string, message: string) {
  return configurationError(`rules.sorts "${path}": ${message}`, { rule: 'sorts', path });
}
