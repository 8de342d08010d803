/** The jobs of a page as a table; columns depend on the state that is shown. */

import { Link } from '@tanstack/react-router';
import { Suspense, lazy, memo, useCallback, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';

import type { QueuePlace } from '../api/boards.ts';
import { t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';
import { copyText } from '../kit/copy.ts';
import { Icon } from '../kit/icon.tsx';
import { useRowHeight } from '../kit/row-height.ts';
import { useRowKeys } from '../kit/row-keys.ts';
import { StateIcon, StateMark, stateName } from '../kit/states.tsx';
import { Took, Unknown, When } from '../kit/text.tsx';
import { useSlidingRows } from '../live/sliding-rows.ts';
import type { QueueRights } from '../job/verbs.ts';
import { useView } from '../view.ts';
import type { JobRow } from './jobs.ts';
import { patient } from '../kit/patient.ts';
import style from './queue.module.css';

const VirtualLines = lazy(
  patient(() =>
    import('../kit/virtual-lines.tsx').then(({ VirtualLines }) => ({ default: VirtualLines })),
  ),
);

/** Rows that a table shows without leaving out those out of sight. */
const plainLimit = 100;

const short = (id: string): string => (id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);

interface Column {
  readonly name: string;
  readonly end?: boolean;
  readonly cell: (job: JobRow) => ReactNode;
}

function columnsFor(engine: 'kvq' | 'pgq', state: string): readonly Column[] {
  const mixed = state === 'latest';
  const attempts: Column = {
    name: 'attempts',
    end: true,
    cell: ({ attempts, attemptsLimit }) =>
      attempts === undefined ? (
        <Unknown />
      ) : attemptsLimit === undefined ? (
        attempts
      ) : (
        `${attempts}/${attemptsLimit}`
      ),
  };
  const added: Column = { name: 'added', end: true, cell: ({ added }) => <When time={added} /> };
  const took: Column = {
    name: 'took',
    end: true,
    cell: ({ started, finished }) => <Took from={started} to={finished} />,
  };
  const why: Column = {
    name: state === 'active' ? 'progress' : 'why',
    cell: ({ why, progress, state, runsAt }) =>
      why ? (
        <span className={style['why']}>{why.split('\n')[0]}</span>
      ) : state === 'active' && progress !== undefined ? (
        <Progress value={progress} />
      ) : runsAt === undefined ? null : (
        <span className={style['dim']}>
          {t('job.runs')} <When time={runsAt} />
        </span>
      ),
  };
  const status: Column = { name: 'state', cell: ({ state }) => <StateMark state={state} /> };
  if (engine === 'pgq') {
    return [
      ...(mixed || state === 'created' ? [status] : []),
      {
        name: 'key',
        cell: ({ key }) => (key === undefined ? null : <span className="mono">{key}</span>),
      },
      { name: 'priority', end: true, cell: ({ priority }) => priority },
      attempts,
      ...(['latest', 'created', 'retry'].includes(state) ? [{ ...why, name: 'when' }] : []),
      added,
      ...(state === 'created' ? [] : [took]),
    ];
  }
  return [
    { name: 'name', cell: ({ name }) => <span className={style['job-name']}>{name}</span> },
    ...(mixed ? [status] : []),
    {
      name: 'data',
      cell: ({ data }) =>
        data === undefined ? null : <span className={style['data']}>{data}</span>,
    },
    attempts,
    ...(['waiting', 'prioritized', 'paused'].includes(state) ? [] : [why]),
    added,
    ...(['latest', 'completed', 'failed'].includes(state) ? [took] : []),
  ];
}

function Progress({ value }: { readonly value: number }) {
  const share = Math.max(0, Math.min(100, value));
  return (
    <span className={style['progress']}>
      <progress max={100} value={share} aria-label={t('col.progress')} />
      {Math.round(share)} %
    </span>
  );
}

export function JobTable({
  board,
  queueName,
  rows,
  state,
  gone,
  selected,
  onSelect,
  onBusy,
  stale,
  rights,
}: QueuePlace & {
  readonly rows: readonly JobRow[];
  readonly state: string;
  readonly rights: QueueRights;
  readonly gone: (id: string) => boolean;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly onBusy: (busy: boolean) => void;
  readonly stale: boolean;
}) {
  const at = useRef<HTMLTableElement>(null);
  const last = useRef<string | undefined>(undefined);
  const view = useView();
  const height = useRowHeight('job');
  useRowKeys(at);
  const keys = useMemo(() => rows.map(({ id }) => id), [rows]);
  const { state: shownState, q, cursor, size, order } = view;
  useSlidingRows(
    at,
    keys,
    height,
    [stale, queueName, shownState, q, cursor, size, order].join(' '),
  );
  const focused = (): string | undefined =>
    document.activeElement?.closest('tr')?.dataset['id'] ??
    at.current?.querySelector<HTMLElement>('tr:hover')?.dataset['id'];
  // Rows keep the first function that they were given; it always does what the latest one would.
  const latest = useRef<(id: string, range: boolean) => void>(() => undefined);
  const onToggle = useCallback((id: string, range: boolean) => latest.current(id, range), []);
  const toggle = (id: string, range: boolean) => {
    const next = new Set(selected);
    const from = rows.findIndex((row) => row.id === last.current);
    const to = rows.findIndex((row) => row.id === id);
    if (range && from >= 0) {
      for (const row of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(row.id);
    } else if (!next.delete(id)) next.add(id);
    last.current = id;
    onSelect(next);
  };
  latest.current = toggle;
  const withFocused = (run: (id: string) => void) => () => {
    const id = focused();
    if (id !== undefined) run(id);
  };
  useActions([
    {
      id: 'select',
      title: t('keys.select'),
      keys: 'x',
      group: 'list',
      quiet: true,
      run: withFocused((id) => toggle(id, false)),
    },
    {
      id: 'select-range',
      title: t('keys.range'),
      keys: 'shift+x',
      group: 'list',
      quiet: true,
      run: withFocused((id) => toggle(id, true)),
    },
    {
      id: 'select-all',
      title: t('list.selectPage'),
      keys: 'shift+a',
      group: 'list',
      run: () => onSelect(new Set(rows.map(({ id }) => id))),
    },
    {
      id: 'select-none',
      title: t('list.selectNone'),
      keys: 'Escape',
      group: 'list',
      run: selected.size > 0 ? () => onSelect(new Set()) : undefined,
    },
    {
      id: 'copy-id',
      title: t('keys.copyId'),
      keys: 'y',
      group: 'list',
      quiet: true,
      run: withFocused((id) => void copyText(id, id)),
    },
  ]);
  const columns = useMemo(() => columnsFor(board.engine, state), [board.engine, state]);
  const all = rows.length > 0 && rows.every(({ id }) => selected.has(id));
  const selectable = rights.writable;
  const isLong = rows.length > plainLimit;
  const line = (index: number) => {
    const job = rows[index];
    if (!job) return null;
    const isSelected = selected.has(job.id);
    // A job that only moves to another place keeps its cells as they are.
    return (
      <tr
        key={job.id}
        data-id={job.id}
        data-gone={gone(job.id) || undefined}
        aria-rowindex={isLong ? index + 2 : undefined}
        aria-selected={selectable ? isSelected : undefined}
      >
        <Cells
          board={board}
          queueName={queueName}
          job={job}
          columns={columns}
          from={view.state}
          q={view.q}
          cursor={view.cursor}
          size={view.size}
          selectable={selectable}
          selected={isSelected}
          onToggle={onToggle}
        />
      </tr>
    );
  };
  return (
    <div className={style['table-box']} data-stale={stale || undefined}>
      <table
        ref={at}
        className={`rows stacked ${style['table']}`}
        aria-rowcount={isLong ? rows.length + 1 : undefined}
        onFocus={() => onBusy(true)}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) onBusy(false);
        }}
        onPointerEnter={() => onBusy(true)}
        onPointerLeave={({ currentTarget }) =>
          onBusy(currentTarget.contains(document.activeElement))
        }
      >
        <caption className="visually-hidden">
          {t('queue.jobsOf', { queue: queueName, state: stateName(state) })}
        </caption>
        <thead>
          <tr>
            {selectable && (
              <th scope="col" className={style['check']}>
                <input
                  type="checkbox"
                  checked={all}
                  aria-label={t('list.selectPage')}
                  onChange={() => onSelect(all ? new Set() : new Set(rows.map(({ id }) => id)))}
                />
              </th>
            )}
            <th scope="col">{t('col.id')}</th>
            {columns.map(({ name, end }) => (
              <th key={name} scope="col" className={style[`c-${name}`]} data-end={end || undefined}>
                {t(`col.${name}` as 'col.name')}
              </th>
            ))}
          </tr>
        </thead>
        {isLong ? (
          <Suspense
            // As high as its rows, so that nothing below moves when they are there.
            fallback={
              <tbody>
                <tr aria-hidden="true" style={{ height: rows.length * height }} />
              </tbody>
            }
          >
            <VirtualLines count={rows.length} height={height} line={line} />
          </Suspense>
        ) : (
          <tbody>{rows.map((_, index) => line(index))}</tbody>
        )}
      </table>
    </div>
  );
}

const Cells = memo(function Cells({
  board,
  queueName,
  job,
  columns,
  from,
  q,
  cursor,
  size,
  selectable,
  selected,
  onToggle,
}: QueuePlace & {
  readonly job: JobRow;
  readonly columns: readonly Column[];
  readonly from: string | undefined;
  readonly q: string | undefined;
  readonly cursor: string | undefined;
  readonly size: string | undefined;
  readonly selectable: boolean;
  readonly selected: boolean;
  readonly onToggle: (id: string, range: boolean) => void;
}) {
  return (
    <>
      {selectable && (
        <td className={style['check']}>
          <input
            type="checkbox"
            checked={selected}
            aria-label={t('list.select', { id: job.id })}
            onClick={(event) => onToggle(job.id, event.shiftKey)}
            onChange={() => undefined}
          />
        </td>
      )}
      <th scope="row">
        <Link
          data-row-link
          className={`${style['id']} mono`}
          title={job.id}
          to="/queue/$queueName/$jobId"
          params={{ queueName, jobId: job.id }}
          search={{ board: board.param, state: from, q, cursor, size }}
        >
          <StateIcon state={job.state} size={12} />
          {short(job.id)}
        </Link>
        {job.orphaned && (
          <span className={style['orphan']} title={t('job.orphaned')}>
            <Icon name="warn" size={12} label={t('job.orphaned')} />
          </span>
        )}
      </th>
      {columns.map(({ name, end, cell }) => (
        <td
          key={name}
          className={style[`c-${name}`]}
          data-end={end || undefined}
          data-label={t(`col.${name}` as 'col.name')}
        >
          {cell(job)}
        </td>
      ))}
    </>
  );
});
