/** The time that the charts show: a range that ends now, or one that was chosen by dragging. */

import type { View } from '../view.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Ranges that end now, in milliseconds. */
export const ranges = {
  '1h': hourMs,
  '6h': 6 * hourMs,
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
} as const;

export type RangeName = keyof typeof ranges;

export const standardRange: RangeName = '24h';

export interface Span {
  readonly from: number;
  readonly to: number;
}

const isRange = (text: string): text is RangeName => Object.hasOwn(ranges, text);

/** The chosen span of the URL; undefined where it names a range that ends now. */
export function chosenSpan({ from, to }: View): Span | undefined {
  const [start, end] = [Number(from), Number(to)];
  const valid = Boolean(from && to) && start >= 0 && end > start && end <= 8.64e15;
  return valid ? { from: start, to: end } : undefined;
}

export function rangeOf({ range = '' }: View): RangeName {
  return isRange(range) ? range : standardRange;
}

/** The shortest span that can be chosen. */
export const shortestMs = 5 * minuteMs;

/** A span moved or stretched about its middle; never into the future, never shorter than the shortest. */
export function reshape({ from, to }: Span, move: number, stretch: number, now: number): Span {
  const length = Math.max(shortestMs, (to - from) * stretch);
  const middle = (from + to) / 2 + (to - from) * move;
  const end = Math.min(Math.ceil(middle + length / 2), now);
  return { from: Math.max(0, Math.floor(end - length)), to: end };
}

export type Unit = 'minute' | 'hour' | 'day';

export const unitMs: Readonly<Record<Unit, number>> = {
  minute: minuteMs,
  hour: hourMs,
  day: dayMs,
};

/** The longest span of hours; longer ones are read by days. */
const mostHoursMs = 8 * dayMs;

/** The unit of the recorded history for a span. */
export function recordedUnit({ from, to }: Span): 'hour' | 'day' {
  return to - from <= mostHoursMs ? 'hour' : 'day';
}

/** The longest span that is shown by minutes, and how far back the board knows them. */
const mostMinutesMs = 6 * hourMs;
const knownMinutes = 1_440;

/** The times of an axis: all charts of a range have the same, from the beginning of its first hour or day. */
export function axisOf(span: Span): Span {
  const width = unitMs[recordedUnit(span)];
  // Of a short span, a whole hour more would be a part of its own.
  const from =
    span.to - span.from > mostMinutesMs ? Math.floor(span.from / width) * width : span.from;
  return { from, to: span.to };
}

/** Minutes of activity to ask for; undefined for a span that is too long or too long ago. */
export function minutesFor({ from, to }: Span, now: number): number | undefined {
  const minutes = Math.ceil((now - from) / minuteMs);
  return to - from <= mostMinutesMs && minutes <= knownMinutes ? minutes : undefined;
}

/** The period of the same length before a span. */
export const before = ({ from, to }: Span): Span => ({ from: from - (to - from), to: from });

/** The moment of the URL whose jobs are shown. */
export function momentOf({ at = '' }: View): Span | undefined {
  const [from = '', to = ''] = at.split('-');
  return chosenSpan({ from, to });
}
