/** Compiles the `filters` of a declaration and refuses those that cannot work. */

import {
  type FieldDescriptor,
  type Refusals,
  comparedKind,
  configurationError,
  fieldKindRow,
} from '../../schema/index.ts';
import type { RulesBase } from '../aggregates/compile-aggregates.ts';
import type { CompiledFilter } from './compiled.ts';
import type { FilterRule, QueryLimits } from './declaration.ts';
import { operatorObstacle } from './field-capability.ts';
import { operators } from './operators.ts';
import type { PlanValue } from '../plan/plan.ts';
import { kindOverride, operatorsOf, unresolved } from './known-paths.ts';
import { resolvePath } from './resolve-path.ts';

/** The compiled filters by path. */
export function compileFilters(
  { registry, model, families, limits, aggregates }: RulesBase,
  rules: readonly FilterRule[],
  refusals: Pick<Refusals, 'attempt'>,
): ReadonlyMap<string, CompiledFilter> {
  const compiled = new Map<string, CompiledFilter>();
  const add = (rule: FilterRule) => {
    const { path } = rule;
    const target = aggregates.get(path) ?? resolvePath(registry, model, path);
    if (!target) {
      throw refusal(path, unresolved(registry, model, path, 'field or relation'));
    }
    if (compiled.has(path)) throw refusal(path, 'the path has two filter rules; merge them.');
    if (rule.operators.length === 0) {
      throw refusal(path, 'it names no operators; list them or drop the rule.');
    }
    for (const name of rule.operators) {
      const row = operators.get(name);
      if (!row) {
        throw refusal(path, `"${name}" is not an operator.${operatorsOf(target, families, name)}`);
      }
      if (!target.field && row.comparison !== 'null') {
        throw refusal(path, `${name} on a relation; a relation takes only isNull.`);
      }
      const obstacle = target.field && operatorObstacle(row, target.field, families);
      if (obstacle)
        throw refusal(
          path,
          `${obstacle}${kindOverride(target)}${operatorsOf(target, families, name)}`,
        );
    }
    if (rule.wholeDays && target.field?.kind !== 'datetime') {
      throw refusal(path, 'wholeDays applies to datetime fields; drop it.');
    }
    compiled.set(
      path,
      Object.freeze({
        target,
        operators: new Set(rule.operators),
        wholeDays: rule.wholeDays ?? false,
        coerce: target.field ? coercion(target.field, limits) : () => undefined,
      }),
    );
  };
  for (const rule of rules) refusals.attempt(() => add(rule));
  return compiled;
}

/** The conversion of text to a canonical value of one field, with the checks of enum members and text length. */
export function coercion(
  field: FieldDescriptor,
  limits: QueryLimits,
): (text: string) => PlanValue | undefined {
  const { coerce } = fieldKindRow(field);
  const kind = comparedKind(field.kind);
  if (kind === 'enum') {
    const members = new Set(field.enumValues);
    return (text) => (members.has(text) ? text : undefined);
  }
  if (kind !== 'string') return coerce;
  return (text) => (text.length > limits.maxTextLength ? undefined : coerce(text));
}

function refusal(path: string, message: string) {
  return configurationError(`rules.filters "${path}": ${message}`, { rule: 'filters', path });
}
