/** Scopes of models: the condition of the rows that a request may see, per model, checked at boot. */

import { knownNames } from '../../lib/index.ts';
import { type SchemaRegistry, configurationError } from '../../schema/index.ts';
import type { Predicate } from '../plan/plan.ts';
import type { CompiledQueryRules, ResolvedPath } from './compiled.ts';
import type { DatabaseFamily } from './declaration.ts';
import { operatorObstacle } from './field-capability.ts';
import { type OperatorRow, operators } from './operators.ts';
import { reachedModels } from './reached-models.ts';
import { unresolved } from './known-paths.ts';
import { resolvePath } from './resolve-path.ts';

/**
 * The rows of one model that a request may see: a function that returns their condition, given the values of the
 * request's `scope`, or `'unscoped'` for a model all of whose rows every request may see.
 */
export type ModelScope<Values = never> = ((values: Values) => Predicate) | 'unscoped';

/** Scopes by model name. */
export interface ModelScopes<Values = never> {
  readonly [model: string]: ModelScope<Values>;
}

/** The values of `scope` that settings require: of all functions of `settings.scopes` together. */
export type ScopeOf<Settings> = Settings extends { readonly scopes: infer Scopes }
  ? { [Model in keyof Scopes]: (each: ValuesOf<Scopes[Model]>) => void }[keyof Scopes] extends (
      all: infer All,
    ) => void
    ? All
    : never
  : unknown;

type ValuesOf<Scope> =
  Extract<Scope, (values: never) => unknown> extends (values: infer Values) => unknown
    ? [Values] extends [never]
      ? unknown
      : Values
    : unknown;

/** A condition of a scope, as far as it is known at boot: without its value. */
export interface ScopeCondition {
  /** The model of the scope. */
  readonly from: string;
  readonly target: ResolvedPath;
  readonly row: OperatorRow;
}

/** The scopes of an endpoint. */
export interface CompiledScopes {
  /** Scope of each model, by name. */
  readonly byModel: ReadonlyMap<string, ModelScope>;
  /** The models that the rules reach, all of which have an entry. */
  readonly reached: readonly string[];
  /** The conditions that the scopes of the reached models have at boot. */
  readonly conditions: readonly ScopeCondition[];
}

/**
 * Stands for every value at boot: each property and each result of a call is the same object again, it is iterated as
 * an empty list and converted to an empty text. So the functions run before there is a request.
 */
const anyValue: unknown = new Proxy(() => anyValue, {
  get: (_, key) => {
    if (key === Symbol.iterator) return [][Symbol.iterator].bind([]);
    return key === Symbol.toPrimitive ? () => '' : anyValue;
  },
  apply: () => anyValue,
  construct: () => anyValue as object,
});

/**
 * Checks the scopes of the models that an endpoint reaches. Every function is called once with placeholders, so that a
 * wrong path or operator is found at boot; a function that cannot run with them is checked by the first request.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a reached model has no entry, an entry is not a model of the
 * registry, or a condition has a path or an operator that its model cannot take
 */
export function compileScopes(
  rules: CompiledQueryRules,
  scopes: ModelScopes | undefined,
): CompiledScopes | null {
  if (!scopes) return null;
  const { registry, families } = rules;
  const reached = [...reachedModels(rules).keys()];
  const byModel = new Map(Object.entries(scopes));
  for (const [model, scope] of byModel) {
    if (scope !== 'unscoped' && typeof scope !== 'function') {
      throw configurationError(`"settings.scopes.${model}" must be a function or 'unscoped'`, {
        setting: 'scopes',
        model,
      });
    }
    if (registry.has(model)) continue;
    throw configurationError(
      `settings.scopes: the registry has no model "${model}"; it has ${knownNames(model, registry.keys())}.`,
      { setting: 'scopes', model },
    );
  }
  const conditions = reached.flatMap((model): ScopeCondition[] => {
    const scope = byModel.get(model);
    if (scope === undefined) throw noScope(model);
    return scope === 'unscoped' ? [] : probed(registry, model, scope, families);
  });
  return Object.freeze({ byModel, reached: Object.freeze(reached), conditions });
}

/** The error of a model without a scope. */
export function noScope(model: string) {
  return configurationError(
    `settings.scopes: the rules reach ${model}, which has no scope; add one, or write 'unscoped' if every request may see all rows of ${model}.`,
    { setting: 'scopes', model },
  );
}

function probed(
  registry: SchemaRegistry,
  model: string,
  scope: Exclude<ModelScope, string>,
  families: readonly DatabaseFamily[],
): ScopeCondition[] {
  let predicate: unknown;
  try {
    predicate = scope(anyValue as never);
  } catch {
    // The function needs real values.
    return [];
  }
  const found: ScopeCondition[] = [];
  const walk = (node: unknown): void => {
    if (node === anyValue) return;
    const { type, predicates, path, operator } = Object(node) as {
      readonly [key: string]: unknown;
    };
    if (type === 'and' || type === 'or') {
      if (Array.isArray(predicates)) for (const member of predicates) walk(member);
      else if (predicates !== anyValue) throw notAPredicate(model);
      return;
    }
    if (type === anyValue) return;
    if (type !== 'condition') throw notAPredicate(model);
    if (typeof path !== 'string' || typeof operator !== 'string') return;
    found.push(scopeCondition(registry, model, path, operator, families));
  };
  walk(predicate);
  return found;
}

/** The error of a scope that does not return a predicate. */
export function notAPredicate(model: string) {
  return configurationError(
    `settings.scopes.${model} must return a predicate: and, or or condition`,
    { setting: 'scopes', model },
  );
}

/**
 * A condition of a scope, checked.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the model has no such path or the path takes no such operator
 */
function scopeCondition(
  registry: SchemaRegistry,
  model: string,
  path: string,
  operator: string,
  families: readonly DatabaseFamily[],
): ScopeCondition {
  const target = resolvePath(registry, model, path, 'all');
  const row = operators.get(operator);
  const refuse = (message: string) =>
    configurationError(`settings.scopes.${model} "${path}": ${message}`, {
      setting: 'scopes',
      model,
      path,
    });
  if (!target) throw refuse(unresolved(registry, model, path, 'field or relation'));
  if (!row) {
    throw refuse(
      `"${operator}" is not an operator; use ${knownNames(operator, operators.keys())}.`,
    );
  }
  if (!target.field && row.comparison !== 'null') {
    throw refuse(`${operator} on a relation; a relation takes only isNull.`);
  }
  const obstacle = target.field && operatorObstacle(row, target.field, families);
  if (obstacle) throw refuse(obstacle);
  return Object.freeze({ from: model, target, row });
}
