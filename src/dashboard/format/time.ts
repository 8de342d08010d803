/** Times and durations as people read them, by `Intl` alone. */

import { locale, t } from '../i18n/index.ts';
import { settings } from '../settings.ts';
import { exact, narrow } from './number.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const cache = new Map<string, Intl.DateTimeFormat>();

/** A formatter of the person's language and zone, or of another zone. */
function formatter(options: Intl.DateTimeFormatOptions, zone?: string): Intl.DateTimeFormat {
  const timeZone = zone ?? (settings().zone === 'utc' ? 'UTC' : undefined);
  const key = `${locale()} ${timeZone} ${JSON.stringify(options)}`;
  let made = cache.get(key);
  if (!made) {
    made = new Intl.DateTimeFormat(locale(), { ...options, ...(timeZone && { timeZone }) });
    cache.set(key, made);
  }
  return made;
}

/** Milliseconds of a time given as such, as ISO text, or not at all. */
export function instant(value: number | string | null | undefined): number | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const time = typeof value === 'number' ? value : Date.parse(value);
  return Number.isFinite(time) ? time : undefined;
}

/** `2026-11-22 10:02:11.204 UTC+01:00`: exact, for a hover or a copy. */
export function exactTime(time: number): string {
  const iso = new Date(time).toISOString();
  if (settings().zone === 'utc') return iso;
  return `${formatter({
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    timeZoneName: 'longOffset',
  }).format(time)} · ${iso}`;
}

/** The time of day with seconds and milliseconds. */
export function timeOfDay(time: number): string {
  return formatter({
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  }).format(time);
}

export function dayAndTime(time: number, zone?: string): string {
  return formatter(
    { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    zone,
  ).format(time);
}

/** Weekday and time of day. */
export function weekdayAndTime(time: number, zone?: string): string {
  return formatter(
    {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    },
    zone,
  ).format(time);
}

/** "3 min ago", "in 4 min"; a date beyond a day. */
export function relative(time: number, now: number): string {
  const distance = time - now;
  const size = Math.abs(distance);
  if (size >= day) return dayAndTime(time);
  if (size < second) return t('time.now');
  const units: readonly [number, Intl.RelativeTimeFormatUnit][] = [
    [hour, 'hour'],
    [minute, 'minute'],
    [second, 'second'],
  ];
  const [length, unit] = units.find(([length]) => size >= length) ?? [second, 'second'];
  return relativeFormatter().format(Math.trunc(distance / length), unit);
}

let relativeIn: readonly [language: string, formatter: Intl.RelativeTimeFormat] | undefined;

function relativeFormatter(): Intl.RelativeTimeFormat {
  const language = locale();
  if (relativeIn?.[0] !== language) {
    const options = { style: 'short', numeric: 'always' } as const;
    relativeIn = [language, new Intl.RelativeTimeFormat(language, options)];
  }
  return relativeIn[1];
}

/** "1.24 s", "3m 12s", "2h 5m", "4d 3h". */
export function duration(ms: number): string {
  if (ms < 0) return `−${duration(-ms)}`;
  if (ms < second) return `${Math.round(ms)} ms`;
  if (ms < minute) {
    const digits = ms < 10 * second ? 2 : 1;
    return `${exact(ms / second, digits)} s`;
  }
  const [large, small, big, little] =
    ms < hour
      ? (['minute', 'second', minute, second] as const)
      : ms < day
        ? (['hour', 'minute', hour, minute] as const)
        : (['day', 'hour', day, hour] as const);
  const count = Math.floor(ms / big);
  const rest = Math.floor((ms % big) / little);
  return rest === 0 ? narrow(count, large) : `${narrow(count, large)} ${narrow(rest, small)}`;
}

/** One unit: "41 m", "12 s", "2 h". */
export function age(ms: number): string {
  const size = Math.max(0, ms);
  const [unit, length] =
    size < minute
      ? (['second', second] as const)
      : size < hour
        ? (['minute', minute] as const)
        : size < 2 * day
          ? (['hour', hour] as const)
          : (['day', day] as const);
  return narrow(Math.floor(size / length), unit);
}
