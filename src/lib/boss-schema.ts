/**
 * The name of pg-boss's schema, as the library takes it: a plain name, which PostgreSQL folds to lower case, or a name in
 * double quotes, which is the schema's own. The library allows only characters that need no escape in SQL.
 */

import type { OptionRow } from './check-options.ts';

const plain = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
// oxlint-disable-next-line no-control-regex
const quoted = /^"[^"'%$.\\\u0000-\u001f\u007f]{1,63}"$/u;

/** The row of an option table. */
export const bossSchema: OptionRow = {
  expected:
    'a letter or underscore, then letters, digits and underscores, at most 63 characters in all, or another name in double quotes',
  fits: (value) => typeof value === 'string' && (plain.test(value) || quoted.test(value)),
};

/** The name in the catalogue of the database. */
export function catalogSchemaOf(schema: string): string {
  return schema.startsWith('"') ? schema.slice(1, -1) : schema.toLowerCase();
}
