/** Values that columns of PostgreSQL hold and requests cannot contain, in the texts of the server. */

import type { FieldKind } from '../../../schema/index.ts';

const infinite = /^-?infinity$/;
const notANumber = /^(?:NaN|-?Infinity)$/;
/** The server keeps 131072 digits before the point and 16383 behind it. */
const digits = /^-?[0-9]+(?:\.[0-9]+)?$/;
const [mostWhole, mostFraction] = [131_072, 16_383];
const day = /^([0-9]{4,7})-([0-9]{2})-([0-9]{2})( BC)?$/;
const instant =
  /^([0-9]{4,6}-[0-9]{2}-[0-9]{2})[ T]([01][0-9]|2[0-3])(?::[0-5][0-9]){2}(?:\.[0-9]{1,6})?(Z|[+-](?:0[0-9]|1[0-5])(?::[0-5][0-9]){0,2})?( BC)?$/;

/** Both types begin on 24 November of 4714 BC, which is the year -4713. */
const firstYear = -4713;
const firstDay = 1124;
/** The last years of `timestamptz` and `date`. */
const [lastOfInstants, lastOfDays] = [294_276, 5_874_897];

interface Day {
  readonly year: number;
  /** Month and day as a number: 229 for 29 February. */
  readonly day: number;
}

/** The day that the server reads from a text; `undefined` for text that is none. In its calendar, 1 BC is year 0. */
function dayOf(text: string): Day | undefined {
  const [, digitsOfYear = '', month = '', dayOfMonth = '', bc] = day.exec(text) ?? [];
  const named = Number(digitsOfYear);
  if (named === 0) return undefined;
  const year = bc ? 1 - named : named;
  // Calendars repeat after 400 years, and dates of JavaScript end before those of the server.
  const alike = new Date(
    Date.UTC(2000 + (((year % 400) + 400) % 400), Number(month) - 1, Number(dayOfMonth)),
  );
  const isReal =
    alike.getUTCMonth() === Number(month) - 1 && alike.getUTCDate() === Number(dayOfMonth);
  return isReal ? { year, day: Number(month + dayOfMonth) } : undefined;
}

function isDay(text: string): boolean {
  const found = dayOf(text);
  if (!found || found.year > lastOfDays) return false;
  return found.year > firstYear || (found.year === firstYear && found.day >= firstDay);
}

/** At both ends, a zone may put an instant out of the range. */
function isInstant(text: string): boolean {
  const [, date = '', , zone = '', bc = ''] = instant.exec(text) ?? [];
  const found = dayOf(date + bc);
  if (!found) return false;
  const isUtc = !/[1-9]/.test(zone);
  if (found.year >= lastOfInstants) {
    return found.year === lastOfInstants && (found.day < 1231 || isUtc || zone.startsWith('+'));
  }
  if (found.year > firstYear) return true;
  const first = isUtc || zone.startsWith('-') ? firstDay : firstDay + 1;
  return found.year === firstYear && found.day >= first;
}

/** Whether the server keeps all digits of a number. */
function isNumeric(text: string): boolean {
  if (!digits.test(text)) return false;
  const [before = '', after = ''] = text.split('.');
  return before.length <= mostWhole && after.length <= mostFraction;
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
      return notANumber.test(text) || isNumeric(text);
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
