/** A chart of uPlot. All charts share one cursor; dragging chooses a span. */

import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import { settings, useSettings } from '../settings.ts';
import type { Points } from './data.ts';
import { axisOf, shortestMs } from './ranges.ts';
import type { Span } from './ranges.ts';
import { locale } from '../i18n/index.ts';
import style from './metrics.module.css';

const dayMs = 86_400_000;

/** Texts of the ticks of an axis: days, or times of day with the date at midnight. */
function tickTexts(times: readonly number[], step: number): string[] {
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

export interface Line {
  readonly label: string;
  /** Name of a token. */
  readonly colour: string;
  /** Lengths of dashes: lines are never told apart by colour alone. */
  readonly dash?: readonly number[];
  readonly filled?: boolean;
  /** Whether its points are of times that are over, while those of the other lines may not be. */
  readonly isOver?: boolean;
}

/** Counts or durations in milliseconds, from zero; or durations on a logarithmic scale. */
export type Scale = 'count' | 'time' | 'logarithmic';

const height = 200;
/** Charts with this key share a cursor. */
const together = uPlot.sync('metrics');

/** The colour that a token has on the page now, or so much of it. */
function colourOf(at: HTMLElement, token: string, percent = 100): string {
  at.style.setProperty('color', `color-mix(in srgb, var(--${token}) ${percent}%, transparent)`);
  const { color } = getComputedStyle(at);
  at.style.removeProperty('color');
  return color;
}

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/** Marks of a logarithmic scale: about ten times apart, and round as durations. */
const marks = [1, 10, 100, second, 10 * second]
  .concat([minute, 10 * minute, hour, 10 * hour])
  .concat([1, 10, 100, 1_000, 10_000].map((days) => days * day));

/** The marks around the values. */
function marksAround(_plot: uPlot, least: number | null, most: number | null): [number, number] {
  const low = marks.findLastIndex((mark) => mark <= Math.max(1, least ?? 1));
  const high = marks.findIndex((mark) => mark >= (most ?? second));
  const top = high === -1 ? marks.length - 1 : Math.max(high, low + 1);
  return [marks[Math.min(low, top - 1)] ?? 1, marks[top] ?? day];
}

/** Steps of a linear scale: whole jobs, or round durations. */
const steps = {
  count: Array.from({ length: 12 }, (_, power) =>
    [1, 2, 5].map((each) => each * 10 ** power),
  ).flat(),
  time: [1, 2, 5, 10, 20, 50, 100, 200, 500]
    .concat([1, 2, 5, 10, 15, 30].map((each) => each * second))
    .concat([1, 2, 5, 10, 15, 30].map((each) => each * minute))
    .concat([1, 2, 3, 6, 12].map((each) => each * hour))
    .concat([1, 2, 5, 10, 20, 50, 100, 1_000].map((each) => each * day)),
};

/** Points without a neighbour, which no line would show. */
function lonely(plot: uPlot, line: number): number[] {
  const values = plot.data[line] ?? [];
  const known = (at: number): boolean => values[at] !== null && values[at] !== undefined;
  return [...values.keys()].filter((at) => known(at) && !known(at - 1) && !known(at + 1));
}

const fromZero = (_plot: uPlot, _least: number | null, most: number | null): [number, number] => [
  0,
  Math.max(1, (most ?? 0) * 1.1),
];

export function Chart({
  points,
  lines,
  scale,
  print,
  stacked = false,
  onCursor,
  onSpan,
  onPick,
}: {
  readonly points: Points;
  readonly lines: readonly Line[];
  readonly scale: Scale;
  readonly print: (value: number) => string;
  /** Tells the index of the point under the cursor. */
  readonly onCursor: (index: number | undefined) => void;
  readonly onSpan: (span: Span) => void;
  /** Whether the lines are shares of a whole, the first at the bottom. */
  readonly stacked?: boolean;
  /** Told the index of a point that was clicked. */
  readonly onPick: (index: number) => void;
}) {
  const at = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const shown = useRef({ points, print, onCursor, onSpan, onPick });
  shown.current = { points, print, onCursor, onSpan, onPick };
  const { theme, zone } = useSettings();

  useEffect(() => {
    const place = at.current;
    if (!place) return;
    const logarithmic = scale === 'logarithmic';
    const colour = (token: string) => () => colourOf(place, token);
    const axis: uPlot.Axis = {
      stroke: colour('dim'),
      font: '12px "Inter Variable", system-ui, sans-serif',
      grid: { stroke: colour('line'), width: 1 },
      ticks: { show: false },
    };
    const seriesOf = ({ label, colour: token }: Line): uPlot.Series => ({
      label,
      stroke: colour(token),
      width: 2,
      points: { show: true, size: 5, fill: colour(token), filter: lonely },
      spanGaps: false,
    });
    const made = new uPlot(
      {
        width: Math.max(120, place.clientWidth),
        height,
        ms: 1,
        legend: { show: false },
        // The last time of day stands half beyond the plot.
        padding: [8, 24, 0, 0],
        tzDate: (time) =>
          settings().zone === 'utc' ? uPlot.tzDate(new Date(time), 'Etc/UTC') : new Date(time),
        scales: {
          x: {
            time: true,
            range: () => {
              const { from, to } = axisOf(shown.current.points.span);
              return [from, to];
            },
          },
          y: logarithmic ? { distr: 3, range: marksAround } : { range: fromZero },
        },
        axes: [
          {
            ...axis,
            size: 28,
            values: (_plot, times, _axis, _space, step) => tickTexts(times, step),
          },
          {
            ...axis,
            size: 64,
            ...(scale === 'logarithmic'
              ? {
                  splits: (_plot, _axis, low, high) =>
                    marks.filter((mark) => mark >= low && mark <= high),
                  filter: (_plot, splits) => splits,
                }
              : { incrs: steps[scale] }),
            values: (_plot, values) =>
              values.map((value) => (value === null ? '' : shown.current.print(value))),
          },
        ],
        series: [
          {},
          ...lines.map((line) => ({
            ...seriesOf(line),
            ...(line.dash && { dash: [...line.dash] }),
            ...(line.filled && { fill: () => colourOf(place, line.colour, stacked ? 40 : 14) }),
          })),
          // The way to a point whose time is not over, which would look like a fall.
          ...lines.filter(mayBegin).map((line) => ({ ...seriesOf(line), dash: [2, 4] })),
        ],
        cursor: {
          y: false,
          sync: { key: together.key, scales: ['x', null] },
          drag: { x: true, y: false, setScale: false },
          points: { size: 7 },
        },
        hooks: {
          setCursor: [({ cursor }) => shown.current.onCursor(cursor.idx ?? undefined)],
          setSelect: [
            (self) => {
              const { left, width } = self.select;
              if (width < 4) return;
              const [from, to] = [left, left + width].map((x) => Math.round(self.posToVal(x, 'x')));
              self.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
              if (from === undefined || to === undefined) return;
              shown.current.onSpan({ from, to: Math.max(to, from + shortestMs) });
            },
          ],
        },
      },
      dataOf(shown.current.points, scale, stacked, lines),
      place,
    );
    plot.current = made;
    // The end of a drag is not a click.
    made.over.addEventListener('click', () => {
      const { idx } = made.cursor;
      if (typeof idx === 'number') shown.current.onPick(idx);
    });
    const sizes = new ResizeObserver(() => {
      if (place.clientWidth > 0 && place.clientWidth !== made.width) {
        made.setSize({ width: place.clientWidth, height });
      }
    });
    sizes.observe(place);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => made.redraw(false);
    dark.addEventListener('change', redraw);
    return () => {
      dark.removeEventListener('change', redraw);
      sizes.disconnect();
      made.destroy();
      plot.current = undefined;
    };
    // Lines of a chart never change but with the language, which renders everything again.
  }, [scale, zone, lines.length]);

  useEffect(
    () => plot.current?.setData(dataOf(points, scale, stacked, lines)),
    [points, scale, stacked],
  );
  useEffect(() => plot.current?.redraw(false), [theme]);
  return <div ref={at} className={style['chart']} dir="ltr" aria-hidden="true" />;
}

const mayBegin = ({ isOver = false }: Line): boolean => !isOver;

/**
 * A logarithmic scale has no zero: what took less than a millisecond is at one. Of a stack, each line is a sum. Lines
 * that end in a point whose time is not over have a second series from the point before it.
 */
function dataOf(
  { times, values, unfinished }: Points,
  scale: Scale,
  stacked: boolean,
  lines: readonly Line[],
): uPlot.AlignedData {
  const sumTo = (line: number, at: number): number =>
    values.slice(0, line + 1).reduce((sum, each) => sum + (each[at] ?? 0), 0);
  const each = values.map((line, index) =>
    line.map((value, at) => {
      if (value === null) return null;
      if (stacked) return sumTo(index, at);
      return scale === 'logarithmic' ? Math.max(1, value) : value;
    }),
  );
  const begun = each.filter((_, index) => lines[index] && mayBegin(lines[index]));
  const present = begun.map((line) =>
    line.map((value, at) => (at === unfinished || at + 1 === unfinished ? value : null)),
  );
  const past = each.map((line) =>
    unfinished === undefined || !begun.includes(line) ? line : line.with(unfinished, null),
  );
  return [[...times], ...past, ...present] as uPlot.AlignedData;
}
