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

/** Both types begin on 24 November of 4714 BC, the year -4713; the last days of `date` and of `timestamptz`. */
const [firstDay, lastDay, lastOfInstants] = [-47_128_876, 58_748_971_231, 2_942_761_231];

/**
 * The day that the server reads from a text, as a number that orders days: 20240229 for 29 February of 2024; `NaN` for
 * text that is none. In its calendar, 1 BC is the year 0.
 */
function dayOf(text: string): number {
  const [, digitsOfYear = '', month = '', dayOfMonth = '', bc] = day.exec(text) ?? [];
  const named = Number(digitsOfYear);
  const year = bc ? 1 - named : named;
  // Calendars repeat after 400 years, and dates of JavaScript end before those of the server.
  const alike = new Date(Date.UTC(2400 + (year % 400), Number(month) - 1, Number(dayOfMonth)));
  const isReal = named > 0 && alike.toISOString().slice(5, 10) === `${month}-${dayOfMonth}`;
  return isReal ? year * 10_000 + Number(month + dayOfMonth) : NaN;
}

/** At both ends, a zone may put an instant out of the range. */
function isInstant(text: string): boolean {
  const [, date = '', , zone = '', bc = ''] = instant.exec(text) ?? [];
  const found = dayOf(date + bc);
  const ahead = /[1-9]/.test(zone) ? Number(`${zone[0]}1`) : 0;
  return found >= firstDay + Math.max(0, ahead) && found <= lastOfInstants + Math.min(0, ahead);
}

/** Whether the server keeps all digits of a number. */
function isNumeric(text: string): boolean {
  if (!digits.test(text)) return false;
  const [before = '', after = ''] = text.split('.');
  return before.length <= mostWhole && after.length <= mostFraction;
}

const tests: Readonly<Partial<Record<FieldKind, (text: string) => boolean>>> = {
  date: (text) => infinite.test(text) || (dayOf(text) >= firstDay && dayOf(text) <= lastDay),
  datetime: (text) => infinite.test(text) || isInstant(text),
  float: (text) => notANumber.test(text),
  decimal: (text) => notANumber.test(text) || isNumeric(text),
};

/** Whether the text is one of the server for a value of the kind's column, beyond those of requests. */
export const isBeyondRequests = (kind: FieldKind, text: string): boolean =>
  tests[kind]?.(text) ?? false;
