/** Refuses values that are not compiled rules, such as the declaration that they are compiled from. */

import { isRecord } from '../../lib/index.ts';
import type { OptionRow } from '../../lib/index.ts';
import { configurationError } from '../../schema/index.ts';

/** Rules as an option. */
export const compiledRules: OptionRow = {
  expected: 'the result of defineQueryRules',
  fits: (value) => isRecord(value) && value['filters'] instanceof Map,
};

/**
 * Checks the `rules` of a function.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when they are not compiled
 */
export function assertCompiled(rules: unknown): void {
  if (compiledRules.fits(rules)) return;
  throw configurationError(`"rules" must be ${compiledRules.expected}`, { option: 'rules' });
}
