/** Refuses values that are not compiled rules, such as the declaration that they are compiled from. */

import { isRecord } from '../../lib/index.ts';
import type { OptionRow } from '../../lib/index.ts';
import { configurationError } from '../../schema/index.ts';

/** Whether all parts of rules are there: an object that has lost some fails at a request otherwise. */
function isComplete(value: Readonly<Record<string, unknown>>): boolean {
  const { filters, sorts, includes, passthroughParams, families, search } = value;
  const { schema, registry, root, pagination, limits, cursors } = value;
  return (
    [filters, sorts, includes].every((part) => part instanceof Map) &&
    [families, search].every(Array.isArray) &&
    [schema, registry, root, pagination, limits, cursors].every(isRecord) &&
    passthroughParams instanceof Set &&
    typeof value['fingerprint'] === 'string'
  );
}

const complete = new WeakSet();

/** Rules as an option. */
export const compiledRules: OptionRow = {
  expected: 'the result of defineQueryRules',
  fits: (value) => {
    if (!isRecord(value)) return false;
    if (complete.has(value)) return true;
    if (!isComplete(value)) return false;
    complete.add(value);
    return true;
  },
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
