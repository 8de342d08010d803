/**
 * Stands for the tables of options in the builds for browsers, where size counts: names of options are checked there, and
 * their values by the compiler. `tools/package/browser.ts` names the modules.
 */

import type { OptionRow, OptionTable } from './check-options.ts';

const row: OptionRow = { expected: '', fits: () => true };
const made = (): OptionRow => row;

export {
  row as abortSignal,
  row as boolean,
  row as func,
  row as plainObject,
  row as string,
  made as either,
  made as nonEmptyListOf,
  made as objectOf,
  made as oneOf,
  made as recordOf,
  made as required,
  made as wholeNumber,
  made as withMethods,
};

/** @throws {TypeError} when an option has a name that the table has not */
export function checkOptions(owner: string, options: object | undefined, table: OptionTable): void {
  for (const name in options) {
    if (!Object.hasOwn(table, name)) {
      throw new TypeError(
        `"${name}" is not an option of ${owner}; it has ${Object.keys(table).join(', ')}`,
      );
    }
  }
}
