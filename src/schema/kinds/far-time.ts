/**
 * Days and instants as databases may hold them beyond what a request can name: years outside 0001 to 9999, offsets with
 * seconds, `infinity`. A row that has one is shown with it, whatever it is.
 */

const dayText = /^(\d{4,6})-(\d{2})-(\d{2})( BC)?$/;
const instantText =
  /^(\d{4,6})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2})(?::?(\d{2}))?(?::(\d{2}))?)?( BC)?$/;

const firstShown = Date.parse('0001-01-01T00:00:00Z');
const lastShown = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether the instant is of the years 0001 to 9999. */
export function isUsualEpoch(milliseconds: number): boolean {
  return milliseconds >= firstShown && milliseconds <= lastShown;
}

/** ISO 8601, with a sign and six digits for other years; `null` for what is no instant. */
export function farEpoch(milliseconds: number): string | null {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** ISO 8601 counts from 1 BC, which is its year 0. */
const yearOf = (digits: string, bc: string | undefined): number =>
  bc ? 1 - Number(digits) : Number(digits);

function utc(year: number, month: string, day: string): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, Number(month) - 1, Number(day));
  return date;
}

/** A day in ISO 8601; the text itself where it is none. */
export function farDay(text: string): string {
  const [, year = '', month = '', day = '', bc] = dayText.exec(text) ?? [];
  if (year === '') return text;
  return farEpoch(utc(yearOf(year, bc), month, day).getTime())?.split('T')[0] ?? text;
}

/** An instant in ISO 8601, to the millisecond and in UTC; the text itself where it is none. */
export function farInstant(text: string): string {
  const match = instantText.exec(text);
  if (!match) return text;
  const [, year = '', month = '', day = '', hour, minute, second, fraction = ''] = match;
  const [sign, hours = 0, minutes = 0, seconds = 0, bc] = match.slice(8);
  const date = utc(yearOf(year, bc), month, day);
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const away = sign === '-' ? offset : -offset;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  date.setUTCHours(Number(hour), Number(minute), Number(second) + away, milliseconds);
  return farEpoch(date.getTime()) ?? text;
}
