/** Changes of the clocks in a time zone, and what they do to runs at a fixed time of day. */

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Days in which changes are looked for: each zone that has any changes its clocks within a year. */
const horizonDays = 370;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Minutes that the zone is ahead of UTC at a time. */
export function offsetAt(time: number, zone: string): number {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
    formatters.set(zone, formatter);
  }
  const text = formatter.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(text ?? '') ?? [];
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -size : size;
}

/** A moment at which the clocks of a zone are changed. */
export interface ClockChange {
  readonly at: number;
  /** Minutes ahead of UTC before and after it. */
  readonly before: number;
  readonly after: number;
}

function changeBetween(from: number, to: number, zone: string): ClockChange {
  const [before, after] = [offsetAt(from, zone), offsetAt(to, zone)];
  let [low, high] = [from, to];
  while (high - low > minuteMs) {
    const middle = Math.floor((low + high) / 2 / minuteMs) * minuteMs;
    if (offsetAt(middle, zone) === before) low = middle;
    else high = middle;
  }
  return { at: high, before, after };
}

/** The changes in the year after a time. */
export function clockChanges(zone: string, now: number): ClockChange[] {
  const start = Math.floor(now / minuteMs) * minuteMs;
  const days = Array.from({ length: horizonDays }, (_, day) => start + day * dayMs);
  return days.flatMap((from) =>
    offsetAt(from, zone) === offsetAt(from + dayMs, zone)
      ? []
      : [changeBetween(from, from + dayMs, zone)],
  );
}

/** Numbers of a field of a cron expression; undefined for one that is not made of numbers. */
function numbersOf(field: string, least: number, most: number): number[] | undefined {
  const numbers: number[] = [];
  for (const part of field.split(',')) {
    const [, range = '', step = '1'] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? [];
    const [, low, high] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    if (range !== '*' && low === undefined) return undefined;
    const from = low === undefined ? least : Number(low);
    const to =
      high === undefined ? (range === '*' || part.includes('/') ? most : from) : Number(high);
    for (let number = from; number <= to; number += Math.max(1, Number(step))) numbers.push(number);
  }
  return numbers;
}

/** A time of day of an expression that a change skips or repeats. */
export interface AffectedTime {
  readonly change: ClockChange;
  readonly kind: 'skipped' | 'repeated';
  /** Minutes since midnight. */
  readonly minute: number;
}

const minutesOfDay = 1_440;

/** The times of a cron expression that do not exist, or come twice, on a day in the next year. */
export function affectedTimes(expression: string, zone: string, now: number): AffectedTime[] {
  const fields = expression.trim().split(/\s+/);
  // The first of six fields has seconds.
  const [minuteField = '', hourField = ''] = fields.length === 6 ? fields.slice(1) : fields;
  // A schedule of every hour loses or gains one run, as anybody expects.
  if (fields.length < 5 || hourField.startsWith('*')) return [];
  const hours = numbersOf(hourField, 0, 23);
  const minutes = numbersOf(minuteField, 0, 59);
  if (!hours || !minutes) return [];
  const times = hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute));
  return clockChanges(zone, now).flatMap((change): AffectedTime[] => {
    const { at, before, after } = change;
    const jump = after - before;
    const wall = at / minuteMs + (jump > 0 ? before : after);
    const first = ((wall % minutesOfDay) + minutesOfDay) % minutesOfDay;
    const minute = times.find((time) => time >= first && time < first + Math.abs(jump));
    return minute === undefined
      ? []
      : [{ change, kind: jump > 0 ? 'skipped' : 'repeated', minute }];
  });
}
