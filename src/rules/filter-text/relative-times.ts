/** Times that a filter text tells from now: `now - 1h`, `today`, `10:15`, and ages such as `< 1h`. */

import type { DescribedFilter } from '../client/describe-rules.ts';

/** The clock that relative times of a text are read by. */
export interface Clock {
  /** The instant that `now` means. */
  readonly now: Date;
  /** Minutes to the east of UTC, in which `today` and times of a day are told. */
  readonly utcOffset: number;
}

const units = { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5, w: 6048e5 };

const duration = '(?:\\d{1,9}(?:ms|[smhdw]))+';
const relative = new RegExp(`^(now|today|\\d\\d?:\\d\\d)(?:([+-])(${duration}))?$`);
const age = new RegExp(`^${duration}$`);

/** Whether a relative time goes on with the next word: `now - 1h` may be one word or several. */
export const goesOn = (text: string, next: string): boolean =>
  /^(?:now|today|\d\d?:\d\d)(?: [+-]|[+-] \d)/i.test(`${text} ${next}`);

/** Whether the word is a duration. */
export const isDuration = (word: string): boolean => age.test(word);

/** The milliseconds of a duration. */
export const lengthOf = (text: string): number => {
  let sum = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|[smhdw])/g)) {
    sum += Number(count) * units[unit as keyof typeof units];
  }
  return sum;
};

/** Whether a path holds times, and may be compared with one that is told from now. */
export const hasTimes = ({ kind }: DescribedFilter): boolean =>
  kind === 'datetime' || kind === 'date';

/** The value that a relative time means for a path; `undefined` for other texts, and for times that no calendar has. */
export function relativeTime(
  { kind, wholeDays }: DescribedFilter,
  text: string,
  { now, utcOffset }: Clock,
): string | undefined {
  const found = relative.exec(age.test(text) ? `now-${text}` : text.toLowerCase());
  if (!found) return undefined;
  const [, base = '', sign, length = ''] = found;
  const shift = utcOffset * units.m;
  const local = now.getTime() + shift;
  const [hour, minute] = base.split(':').map(Number);
  const isOfDay = base !== 'now';
  const begin = isOfDay ? Math.floor(local / units.d) * units.d : local;
  const ofDay = minute === undefined ? 0 : Number(hour) * units.h + minute * units.m;
  if (ofDay >= units.d || Number(minute) > 59) return undefined;
  const told = new Date(begin + ofDay + (sign === '-' ? -1 : 1) * lengthOf(length));
  if (!(Math.abs(told.getTime()) < 1e15)) return undefined;
  const isDay = kind === 'date' || (wholeDays && base === 'today' && !/[hms]/.test(length));
  return isDay ? told.toISOString().slice(0, 10) : new Date(told.getTime() - shift).toISOString();
}
