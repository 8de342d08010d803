/** Temporal kinds: `date` (a calendar date) and `datetime` (an instant; its canonical form is in UTC). */

import {
  extendedDate,
  extendedEpoch,
  extendedInstant,
  isRequestableEpoch,
} from './extended-time.ts';
import { isoFromEpoch } from './iso-text.ts';
import type { KindRow } from './kind.ts';

const dateText = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const datetimeText =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))$/;

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (leap ? 29 : (daysInMonth[month - 1] ?? 0));
}

function coerceDate(text: string): string | undefined {
  const match = dateText.exec(text);
  if (!match) return undefined;
  return isDay(Number(match[1]), Number(match[2]), Number(match[3])) ? text : undefined;
}

/** Canonical texts of the years 1000 to 2999, as in cursors; a leap day takes the longer way. */
const usualInstant =
  /^[12]\d{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/**
 * The canonical form `YYYY-MM-DDTHH:MM:SS.sssZ`, with three more digits if the microseconds are not zero.
 * An instant finer than microseconds is refused, because no family stores it: cut, it would be another instant.
 */
function coerceDatetime(text: string): string | undefined {
  if (usualInstant.test(text)) return text;
  const match = datetimeText.exec(text);
  if (!match) return undefined;
  const [, yearText, monthText, dayText, hourText, minuteText, secondText, fraction = ''] = match;
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  const [hour, minute, second] = [Number(hourText), Number(minuteText), Number(secondText)];
  if (!isDay(year, month, day) || hour > 23 || minute > 59 || second > 59) return undefined;
  const offsetHour = Number(match[9] ?? 0);
  const offsetMinute = Number(match[10] ?? 0);
  if (offsetHour > 23 || offsetMinute > 59) return undefined;
  const offset = (offsetHour * 60 + offsetMinute) * (match[8] === '-' ? -1 : 1);
  if (/[1-9]/.test(fraction.slice(6))) return undefined;
  const micros = fraction.padEnd(6, '0').slice(0, 6);
  const instant = new Date(0);
  instant.setUTCFullYear(year, month - 1, day);
  instant.setUTCHours(hour, minute - offset, second, Number(micros.slice(0, 3)));
  const shifted = instant.getUTCFullYear();
  if (shifted < 1 || shifted > 9999) return undefined;
  const iso = instant.toISOString();
  const rest = micros.slice(3);
  return rest === '000' ? iso : `${iso.slice(0, -1)}${rest}Z`;
}

/** Whether a text begins with a four-digit year and does not end with `BC`. */
const isFourDigitYear = (text: string): boolean =>
  text.charCodeAt(4) === 45 && !text.endsWith('BC');

function presentDate(value: unknown): string | null {
  if (value instanceof Date) return presentDatetime(value)?.split('T')[0] ?? null;
  const text = String(value);
  return isFourDigitYear(text) ? text.slice(0, 10) : extendedDate(text);
}

/** Accepts a `Date`, epoch milliseconds, or text separated by a space or `T`, with an offset or in UTC. */
function presentDatetime(value: unknown): string | null {
  if (typeof value === 'string') return datetimeFromText(value);
  const milliseconds = Number(value);
  return isRequestableEpoch(milliseconds)
    ? isoFromEpoch(milliseconds)
    : extendedEpoch(milliseconds);
}

function datetimeFromText(text: string): string {
  if (!isFourDigitYear(text)) return extendedInstant(text);
  // Fast path for PostgreSQL in UTC, with milliseconds or microseconds.
  if ((text.length === 26 || text.length === 29) && text.endsWith('+00')) {
    return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  }
  let end = 19;
  let fraction = '000';
  if (text.charCodeAt(19) === 46) {
    end = 20;
    while (text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end += 1;
    fraction = text.slice(20, Math.min(end, 23)).padEnd(3, '0');
  }
  const zone = text.slice(end);
  if (zone === '' || zone === 'Z' || zone === '+00' || zone === '+00:00') {
    // Text columns may hold a day without a time, or a time without seconds.
    const time = (text.slice(11, 19) || '00:00').padEnd(8, ':00');
    return `${text.slice(0, 10)}T${time}.${fraction}Z`;
  }
  return extendedInstant(text);
}

export const dateKind = {
  kind: 'date',
  order: 'total',
  textual: false,
  accepts: 'a calendar date as YYYY-MM-DD',
  coerce: coerceDate,
  present: presentDate,
} as const satisfies KindRow;

export const datetimeKind = {
  kind: 'datetime',
  order: 'total',
  textual: false,
  accepts:
    'an instant as YYYY-MM-DDTHH:MM:SS with an optional fraction down to microseconds, and Z or an offset',
  coerce: coerceDatetime,
  present: presentDatetime,
} as const satisfies KindRow;
