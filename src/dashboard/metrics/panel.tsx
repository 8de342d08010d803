/** A chart with its figures above and its table below, in each of its states. */

import type { UseQueryResult } from '@tanstack/react-query';
import { Suspense, lazy, useState } from 'react';

import { failureOf } from '../api/errors.ts';
import { dayAndTime } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Empty, Failed, Note } from '../kit/panel.tsx';
import type { Line, Scale } from './chart.tsx';
import type { Points } from './data.ts';
import type { Span } from './ranges.ts';
import style from './metrics.module.css';

const Chart = lazy(() => import('./chart.tsx').then(({ Chart }) => ({ default: Chart })));

type Value = number | null;

export function Panel({
  title,
  note,
  result,
  lines,
  scale,
  print,
  printTick = print,
  summary,
  empty,
  onSpan,
}: {
  readonly title: (points: Points | undefined) => string;
  readonly note?: string;
  readonly result: UseQueryResult<Points>;
  readonly lines: readonly Line[];
  readonly scale: Scale;
  readonly print: (value: number) => string;
  readonly printTick?: (value: number) => string;
  /** The figure of a line while the cursor is elsewhere. */
  readonly summary: (values: readonly Value[]) => Value;
  readonly empty: string;
  readonly onSpan: (span: Span) => void;
}) {
  const [cursor, setCursor] = useState<number>();
  const { data, error, isPending, refetch } = result;
  // A board that does not record this has no panel for it.
  if (error && failureOf(error).status === 404) return null;
  const none = data?.values.every((values) => values.every((value) => !value));
  const at = cursor === undefined ? undefined : data?.times[cursor];
  return (
    <section className={style['panel']} aria-label={title(data)}>
      <header className={style['head']}>
        <h2>{title(data)}</h2>
        {note && <span className={style['note']}>{note}</span>}
        <span className={style['at']}>{at === undefined ? '' : dayAndTime(at)}</span>
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
            {lines.map(({ label, colour, dash }, index) => {
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
                </li>
              );
            })}
          </ul>
          <Suspense fallback={<div className={style['chart']} />}>
            <Chart
              points={data}
              lines={lines}
              scale={scale}
              print={printTick}
              onCursor={setCursor}
              onSpan={onSpan}
            />
          </Suspense>
          <Figures title={title(data)} points={data} lines={lines} print={print} />
        </>
      )}
    </section>
  );
}

/** The same figures as a table, for those who do not see the chart. */
function Figures({
  title,
  points,
  lines,
  print,
}: {
  readonly title: string;
  readonly points: Points;
  readonly lines: readonly Line[];
  readonly print: (value: number) => string;
}) {
  const [open, setOpen] = useState(false);
  const rows = points.times
    .map((time, index) => ({ time, values: points.values.map((values) => values[index] ?? null) }))
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
          <table>
            <caption className="visually-hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{t('metrics.time')}</th>
                {lines.map(({ label }) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ time, values }) => (
                <tr key={time}>
                  <th scope="row">{dayAndTime(time)}</th>
                  {values.map((value, index) => (
                    <td key={lines[index]?.label}>{value === null ? '–' : print(value)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
