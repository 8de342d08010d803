/** Minutes, hours and days since 1970, in UTC. */

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;
export const minutesPerDay = 1_440;
export const hoursPerDay = 24;

export const minuteOf = (ms: number): number => Math.floor(ms / minuteMs);
export const hourOf = (ms: number): number => Math.floor(ms / hourMs);
export const dayOf = (ms: number): number => Math.floor(ms / dayMs);

/** `YYYY-MM-DD` of a day. */
export const isoDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** The last day before a text of the form `YYYY-MM-DD`, which need not be a date of the calendar; at most `latest`. */
export function lastDayBefore(before: string, latest: number): number {
  const [year = 0, month = 0, day = 0] = before.split('-').map(Number);
  if (year < 1970) return -1;
  if (month < 1 || month > 12) {
    return Math.min(latest, dayOf(Date.UTC(month < 1 ? year : year + 1, 0, 1)) - 1);
  }
  const start = dayOf(Date.UTC(year, month - 1, 1));
  const length = dayOf(Date.UTC(year, month, 1)) - start;
  return Math.min(latest, start + Math.min(Math.max(1, day) - 1, length) - 1);
}
