/** Checks options of list queries and reports errors as `QueryError`. */

import { checkOptions, type OptionTable } from '../lib/index.ts';
import { configurationError } from './query-error.ts';

/**
 * Checks options against their table; `details.option` of an error names the option.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has the wrong type.
 */
export function checkConfiguration(owner: string, options: unknown, table: OptionTable): void {
  checkOptions(owner, options, table, refuse);
}

function refuse(message: string, name: string): Error {
  return configurationError(message, name === '' ? {} : { option: name });
}
