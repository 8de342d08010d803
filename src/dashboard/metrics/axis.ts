/** Times on axes, in the person's zone and language. */

import { locale } from '../i18n/index.ts';
import { settings } from '../settings.ts';

const dayMs = 86_400_000;

/** Texts of the ticks of an axis: days, or times of day with the date at midnight. */
export function tickTexts(times: readonly number[], step: number): string[] {
  const zone = settings().zone === 'utc' ? { timeZone: 'UTC' } : {};
  const day = new Intl.DateTimeFormat(locale(), { month: 'short', day: 'numeric', ...zone });
  const clock = new Intl.DateTimeFormat(locale(), {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...zone,
  });
  return times.map((time) => {
    const text = clock.format(time);
    return step >= dayMs || text === '00:00' ? day.format(time) : text;
  });
}
