/**
 * Presents stored dates and instants that no request can name: years outside 0001 to 9999, offsets with seconds,
 * `infinity`. A row that holds one must still be readable.
 */

const dayText = /^(\d{4,6})-(\d{2})-(\d{2})( BC)?$/;
const instantText =
  /^(\d{4,6})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2})(?::?(\d{2}))?(?::(\d{2}))?)?( BC)?$/;

const firstShown = Date.parse('0001-01-01T00:00:00Z');
const lastShown = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether the instant lies in the years 0001 to 9999. */
export function isRequestableEpoch(milliseconds: number): boolean {
  return milliseconds >= firstShown && milliseconds <= lastShown;
}

/** ISO 8601, with a sign and six digits for years beyond 0000 to 9999; `null` for an invalid date. */
export function extendedEpoch(milliseconds: number): string | null {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** In ISO 8601, 1 BC is year 0. */
const yearOf = (digits: string, bc: string | undefined): number =>
  bc ? 1 - Number(digits) : Number(digits);

function utc(year: number, month: string, day: string): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, Number(month) - 1, Number(day));
  return date;
}

/** A date in ISO 8601; text that is not a date is returned unchanged. */
export function extendedDate(text: string): string {
  const [, year = '', month = '', day = '', bc] = dayText.exec(text) ?? [];
  if (year === '') return text;
  return extendedEpoch(utc(yearOf(year, bc), month, day).getTime())?.split('T')[0] ?? text;
}

/** An instant in ISO 8601, in UTC with milliseconds; text that is not an instant is returned unchanged. */
export function extendedInstant(text: string): string {
  const match = instantText.exec(text);
  if (!match) return text;
  const [, year = '', month = '', day = '', hour, minute, second, fraction = ''] = match;
  const [sign, hours = 0, minutes = 0, seconds = 0, bc] = match.slice(8);
  const date = utc(yearOf(year, bc), month, day);
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const away = sign === '-' ? offset : -offset;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  date.setUTCHours(Number(hour), Number(minute), Number(second) + away, milliseconds);
  return extendedEpoch(date.getTime()) ?? text;
}
