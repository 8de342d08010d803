/** Refuses values that are not compiled rules, such as the declaration that they are compiled from. */

import { isRecord, type OptionRow } from '../../lib/index.ts';
import { configurationError } from '../../schema/index.ts';

const complete = new WeakSet();

/** Parts that an endpoint need not have. */
const optional: ReadonlySet<string> = new Set(['scopes', 'groups']);

/** Whether all parts of rules are there: an object that has lost some would fail at a request. */
function isComplete(value: Readonly<Record<string, unknown>>): boolean {
  const isThere = ([name, part]: readonly [string, unknown]) => part !== null || optional.has(name);
  const is = value['filters'] instanceof Map && Object.entries(value).every(isThere);
  if (is) complete.add(value);
  return is;
}

/** Rules as an option. */
export const compiledRules: OptionRow = {
  expected: 'the result of defineQueryRules',
  fits: (value) => isRecord(value) && (complete.has(value) || isComplete(value)),
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
