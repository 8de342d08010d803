/** Checks declared schemas against the description of the ORM, on demand at boot and on first use. */

import * as option from '../../lib/option-rows.ts';
import { type SourceDifference, configurationError } from '../../schema/index.ts';
import { assertCompiled } from '../declare/assert-compiled.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { PairedRules } from '../typed/pairing.ts';
import { sourceDifferences } from './source-differences.ts';
import type { QuerySource, SourceOrigin } from './source.ts';

/** A source of any row type. */
type AnySource = Pick<QuerySource, 'model' | 'family' | 'registry' | 'origin'>;

/** A source of any row type whose model the compiler may know. */
type ListingSource<Listed> = AnySource & Pick<QuerySource<unknown, unknown, Listed>, '~listed'>;

/** The origin that the rules were last found to fit; nearly always the only one. */
const fitting = new WeakMap<CompiledQueryRules, SourceOrigin>();
/** All origins that rules fit, for endpoints that read several databases in turn. */
const checked = new WeakMap<SourceOrigin, WeakSet<CompiledQueryRules>>();

/**
 * Checks the declared schemas of the root and of every relation that the rules reach against the source:
 * fields and their kinds, enum members, nullability, primary keys, companions, relations with their targets
 * and cardinalities. `runQuery` runs the same check on first use; call this at boot to learn of a difference before the
 * first request.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the source lists another model, its family is not among
 * `settings.families`, or schemas and source differ, with each difference in `details.differences` as
 * `{model, path, rule, declared, found}`
 */
export function assertSource<
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
>(source: ListingSource<Listed>, rules: PairedRules<Rules, Listed> & Rules): void;
export function assertSource(source: AnySource, rules: CompiledQueryRules): void {
  assertPair(source, rules);
  checkSource(source, rules);
}

/** A source as an option. */
export const querySource = option.withMethods('a source of an adapter', 'prepare');

/** Refuses a source of another model, or of a family that the rules do not serve, and values that are neither. */
export function assertPair(source: AnySource, rules: CompiledQueryRules): void {
  if (!querySource.fits(source)) {
    throw configurationError(`"source" must be ${querySource.expected}`, { option: 'source' });
  }
  assertCompiled(rules);
  const { model, family } = source;
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

/** Compares schemas and source, once per origin and rules. An origin represents a registry and an ORM's schema. */
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
