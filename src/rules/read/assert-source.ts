/** The source check: declared schemas against what the ORM says, on demand at boot and on first use. */

import { type SourceDifference, configurationError } from '../../schema/index.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import { sourceDifferences } from './source-differences.ts';
import type { QuerySource, SourceOrigin } from './source.ts';

/** A source, whatever its rows. */
type AnySource = Pick<QuerySource, 'model' | 'family' | 'registry' | 'origin'>;

/** The origin that rules were last found to fit: nearly always the only one there is. */
const fitting = new WeakMap<CompiledQueryRules, SourceOrigin>();
/** All that they fit, for endpoints that several databases serve in turn. */
const checked = new WeakMap<SourceOrigin, WeakSet<CompiledQueryRules>>();

/**
 * Holds the declared schemas of the root and of every relation that the rules reach against the source:
 * fields and their kinds, enum members, nullability, primary keys, companions, relations with their targets
 * and cardinalities. `runQuery` does the same on first use; a host that calls this at boot learns of a
 * difference before its first request.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the source lists another model, its family is not among
 * `settings.families`, or schemas and source differ, with each difference in `details.differences` as
 * `{model, path, rule, declared, found}`
 */
export function assertSource(source: AnySource, rules: CompiledQueryRules): void {
  assertPair(source, rules);
  checkSource(source, rules);
}

/** Refuses a source of another model, or of a family that the rules do not serve. */
export function assertPair({ model, family }: AnySource, rules: CompiledQueryRules): void {
  if (model !== rules.model) {
    throw configurationError(
      `The source lists ${model}, the rules are for ${rules.model}; pair them.`,
    );
  }
  if (!rules.families.includes(family)) {
    throw configurationError(`The rules do not serve ${family}; name it in settings.families.`, {
      families: rules.families,
    });
  }
}

/** The comparison, once per origin and rules. An origin stands for a registry and an ORM's schema. */
export function checkSource({ registry, origin }: AnySource, rules: CompiledQueryRules): void {
  if (origin === undefined || fitting.get(rules) === origin) return;
  let fits = checked.get(origin);
  if (!fits) {
    fits = new WeakSet();
    checked.set(origin, fits);
  }
  if (!fits.has(rules)) {
    const differences = sourceDifferences(rules, registry, origin);
    if (differences.length > 0) throw refusal(differences);
    fits.add(rules);
  }
  fitting.set(rules, origin);
}

function refusal(differences: readonly SourceDifference[]) {
  const lines = differences.map(({ model, path, declared, found }) => {
    const place = path === null ? model : `${model}.${path}`;
    return `${place}: the schema declares ${declared}, the source says ${found}`;
  });
  return configurationError(
    `Schemas and source do not fit; correct whichever is wrong.\n${lines.join(';\n')}.`,
    { differences: Object.freeze(differences) },
  );
}
