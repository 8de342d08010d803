/** Values that columns of PostgreSQL hold and requests cannot contain, in the texts of the server. */

import type { FieldKind } from '../../../schema/index.ts';

const infinite = /^-?infinity$/;
const notANumber = /^(?:NaN|-?Infinity)$/;
const digits = /^-?[0-9]{1,1000}(?:\.[0-9]{1,1000})?$/;
const day = /^([0-9]{4,6})-([0-9]{2})-([0-9]{2})( BC)?$/;
const instant =
  /^([0-9]{4,6}-[0-9]{2}-[0-9]{2})[ T]([01][0-9]|2[0-3])(?::[0-5][0-9]){2}(?:\.[0-9]{1,6})?(?:Z|[+-](?:0[0-9]|1[0-5])(?::[0-5][0-9]){0,2})?( BC)?$/;

/** The range of `timestamptz` in whole years, which that of `date` contains. */
const [firstYear, lastYear] = [-4711, 294_275];

/** Whether the server reads the text as a day. In its calendar, 1 BC is year 0. */
function isDay(text: string): boolean {
  const [, digitsOfYear = '', month = '', dayOfMonth = '', bc] = day.exec(text) ?? [];
  const named = Number(digitsOfYear);
  const year = bc ? 1 - named : named;
  if (named === 0 || year < firstYear || year > lastYear) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, Number(month) - 1, Number(dayOfMonth));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(dayOfMonth);
}

function isInstant(text: string): boolean {
  const [, date = '', , bc = ''] = instant.exec(text) ?? [];
  return isDay(date + bc);
}

/** Whether the text is one of the server for a value of the kind's column, beyond those of requests. */
export function isBeyondRequests(kind: FieldKind, text: string): boolean {
  switch (kind) {
    case 'date':
      return infinite.test(text) || isDay(text);
    case 'datetime':
      return infinite.test(text) || isInstant(text);
    case 'float':
      return notANumber.test(text);
    case 'decimal':
      return notANumber.test(text) || digits.test(text);
    case 'integer':
    case 'bigint':
    case 'boolean':
    case 'string':
    case 'uuid':
    case 'enum':
    case 'json':
    case 'binary':
    case 'opaque':
      return false;
  }
}
