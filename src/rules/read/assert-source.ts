/** Checks declared schemas against the description of the ORM, on demand at boot and on first use. */

import * as option from '../../lib/option-rows.ts';
import { configurationError } from '../../schema/index.ts';
import { assertCompiled } from '../declare/assert-compiled.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { PairedRules } from '../typed/pairing.ts';
import { checkSource } from './check-source.ts';
import type { QuerySource } from './source.ts';

/** A source of any row type. */
type AnySource = Pick<QuerySource, 'model' | 'family' | 'registry' | 'origin' | 'assertRules'>;

/** A source of any row type whose model the compiler may know. */
type ListingSource<Listed> = AnySource & Pick<QuerySource<unknown, unknown, Listed>, '~listed'>;

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
  source.assertRules?.(rules);
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
