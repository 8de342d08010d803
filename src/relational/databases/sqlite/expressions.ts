/** Expressions of computed fields as values of their kinds. */

import type { Dialect } from '../../compile/dialect.ts';
import type { PhysicalColumn } from '../../compile/physical.ts';

export const expressionTypes: Dialect['expressionTypes'] = {
  string: 'text',
  integer: 'integer',
  bigint: 'integer',
  decimal: 'numeric',
  float: 'real',
  boolean: 'boolean',
  date: 'text',
  datetime: 'text',
};

/** Decimals have the 15 digits that doubles keep of them, so that 0.1 and 0.2 are 0.3. */
export function expression(sql: string, { kind, sqlType }: PhysicalColumn): string {
  if (kind === 'boolean' || kind === 'date' || kind === 'datetime') return `(${sql})`;
  if (kind !== 'decimal') return `cast(${sql} as ${sqlType})`;
  return `(case when (${sql}) is not null then cast(printf('%.15g', ${sql}) as real) end)`;
}
