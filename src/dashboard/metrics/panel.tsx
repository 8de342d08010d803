/** A chart with its figures above and its table below, in each of its states. */

import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';

import { failureOf } from '../api/errors.ts';
import { percent } from '../format/number.ts';
import { dayAndTime } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Empty, Failed, Note } from '../kit/panel.tsx';
import type { Line, Scale } from './chart.tsx';
import { Table } from '../kit/table.tsx';
import { withBefore } from './data.ts';
import type { Points, PointsQuery } from './data.ts';
import { before, unitMs } from './ranges.ts';
import type { Span } from './ranges.ts';
import { part } from '../kit/patient.ts';
import style from './metrics.module.css';

const Chart = part(() => import('./chart.tsx'), 'Chart');

type Value = number | null;

/** Dashes of lines of the period before: each has the colour of its line, and is told apart from it and from the others. */
const earlierDashes = [
  [2, 4],
  [1, 3, 5, 3],
];

export function Panel({
  title,
  note,
  read,
  span,
  compares,
  lines,
  scale,
  print,
  printTick = print,
  summary,
  empty,
  compared = [],
  stacked = false,
  onSpan,
  onMoment,
}: {
  readonly title: (points: Points | undefined) => string;
  readonly note?: string;
  /** The points of a span. */
  readonly read: (span: Span) => PointsQuery;
  readonly span: Span;
  /** Whether the period before is compared. */
  readonly compares: boolean;
  readonly lines: readonly Line[];
  readonly scale: Scale;
  readonly print: (value: number) => string;
  readonly printTick?: (value: number) => string;
  /** The figure of a line while the cursor is elsewhere. */
  readonly summary: (values: readonly Value[]) => Value;
  readonly empty: string;
  /** Indexes of the lines that are compared. */
  readonly compared?: readonly number[];
  readonly stacked?: boolean;
  readonly onSpan: (span: Span) => void;
  /** Told the moment of a point that was chosen. */
  readonly onMoment: (moment: Span) => void;
}) {
  const [cursor, setCursor] = useState<number>();
  const { data: now, error, isPending, refetch } = useQuery(read(span));
  const enabled = compares && compared.length > 0;
  const past = useQuery({ ...read(before(span)), enabled }).data;
  const earlier = enabled ? past : undefined;
  const data = useMemo(
    () => now && withBefore(now, earlier, compared),
    [now, earlier, compared.join()],
  );
  // A board that does not record this has no panel for it.
  if (error && failureOf(error).status === 404) return null;
  const none = data?.values.every((values) => values.every((value) => !value));
  const own = lines.length;
  const isCompared = data !== undefined && data.values.length > own;
  const all: readonly Line[] = [
    ...lines,
    ...(isCompared ? compared : []).map((index) => ({
      label: t('metrics.earlierOf', { line: lines[index]?.label ?? '' }),
      colour: lines[index]?.colour ?? 'dim',
      dash: earlierDashes[index] ?? [2, 4],
      isOver: true,
    })),
  ];
  const pick = (index: number) => {
    const from = data?.times[index];
    if (from === undefined || !data) return;
    const next = data.times[index + 1] ?? from + unitMs[data.unit];
    onMoment({ from, to: next - 1 });
  };
  const at = cursor === undefined ? undefined : data?.times[cursor];
  const isUnfinished = at !== undefined && cursor === data?.unfinished;
  return (
    <section className={style['panel']} aria-label={title(data)}>
      <header className={style['head']}>
        <h2>{title(data)}</h2>
        {note && <span className={style['note']}>{note}</span>}
        <span className={style['at']}>{at === undefined ? '' : momentText(at, isUnfinished)}</span>
      </header>
      {error && !data && <Failed error={error} retry={() => void refetch()} />}
      {error && data && <Note tone="warn">{t('metrics.stale')}</Note>}
      {isPending && <div className={style['space']} role="status" aria-label={t('loading')} />}
      {data && none && (
        <div className={style['space']}>
          <Empty title={empty} />
        </div>
      )}
      {data && !none && (
        <>
          <ul className={style['legend']}>
            {all.map(({ label, colour, dash }, index) => {
              const values = data.values[index] ?? [];
              const value =
                at === undefined || cursor === undefined
                  ? summary(values)
                  : (values[cursor] ?? null);
              return (
                <li key={label}>
                  <svg width="20" height="8" aria-hidden="true">
                    <line
                      x1="0"
                      y1="4"
                      x2="20"
                      y2="4"
                      stroke={`var(--${colour})`}
                      strokeWidth="2.5"
                      strokeDasharray={dash?.join(' ')}
                    />
                  </svg>
                  {label} <strong>{value === null ? '–' : print(value)}</strong>
                  {index >= own && at === undefined && (
                    <Change
                      now={summary(data.values[compared[index - own] ?? 0] ?? [])}
                      earlier={value}
                    />
                  )}
                </li>
              );
            })}
          </ul>
          <Suspense fallback={<div className={style['chart']} />}>
            <Chart
              points={data}
              lines={all}
              scale={scale}
              stacked={stacked}
              print={printTick}
              onCursor={setCursor}
              onSpan={onSpan}
              onPick={pick}
            />
          </Suspense>
          <Figures title={title(data)} points={data} lines={all} print={print} onPick={pick} />
        </>
      )}
    </section>
  );
}

/** A time, and whether it is not over. */
function momentText(at: number, isUnfinished: boolean): string {
  const text = dayAndTime(at);
  return isUnfinished ? t('metrics.soFar', { time: text }) : text;
}

/** How much a figure has changed since the period before. */
function Change({ now, earlier }: { readonly now: Value; readonly earlier: Value }) {
  if (now === null || earlier === null || earlier === 0) return null;
  const share = (now - earlier) / earlier;
  return (
    <span>
      ({share > 0 ? '+' : ''}
      {percent(share)})
    </span>
  );
}

/** The same figures as a table, for those who do not see the chart. */
function Figures({
  title,
  points,
  lines,
  print,
  onPick,
}: {
  readonly title: string;
  readonly points: Points;
  readonly lines: readonly Line[];
  readonly print: (value: number) => string;
  readonly onPick: (index: number) => void;
}) {
  const [open, setOpen] = useState(false);
  const rows = points.times
    .map((time, index) => ({
      time,
      index,
      values: points.values.map((values) => values[index] ?? null),
    }))
    .filter(({ values }) => values.some((value) => value !== null))
    .toReversed();
  return (
    <details
      className={style['figures']}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{t('metrics.table')}</summary>
      {open && (
        <div
          className={style['scroll']}
          role="region"
          aria-label={t('metrics.tableOf', { title })}
          tabIndex={0}
        >
          <Table
            caption={title}
            rows={rows}
            keyOf={({ time }) => String(time)}
            columns={[
              {
                title: 'metrics.time',
                names: true,
                cell: ({ time, index }) => (
                  <button type="button" title={t('metrics.showJobs')} onClick={() => onPick(index)}>
                    {momentText(time, index === points.unfinished)}
                  </button>
                ),
              },
              ...lines.map(({ label }, line) => ({
                head: label,
                cell: ({ values }: (typeof rows)[number]) => {
                  const value = values[line] ?? null;
                  return value === null ? '–' : print(value);
                },
              })),
            ]}
          />
        </div>
      )}
    </details>
  );
}
