/** The jobs of a page as a table; columns depend on the state that is shown. */

import { Link } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import type { RefObject } from 'react';

import { toJob } from '../api/boards.ts';
import { t } from '../i18n/index.ts';
import type { MessageKey } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';
import { copyText } from '../kit/copy.ts';
import { Icon } from '../kit/icon.tsx';
import { useRowHeight } from '../kit/row-height.ts';
import { StateIcon, StateMark, stateName } from '../kit/states.tsx';
import { Table, columnsOf } from '../kit/table.tsx';
import type { Column } from '../kit/table.tsx';
import { Since, Took, Unknown, When } from '../kit/text.tsx';
import { useSlidingRows } from '../live/sliding-rows.ts';
import { useChangeView, useView } from '../view.ts';
import type { ShownQueue } from './info.ts';
import { fieldText, fieldsOf, isJobColumn, jobColumns, readColumns } from './columns.ts';
import type { ChosenColumn, JobColumn } from './columns.ts';
import { attemptOf } from './jobs.ts';
import type { JobRow } from './jobs.ts';
import chooser from './columns.module.css';
import style from './queue.module.css';

const short = (id: string): string => (id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);

/** Characters of a chosen column without a width of its own. */
const usualWidth = 20;

/** Characters of the columns that are always there. */
const fixedWidth = 26;

/** States of jobs of which there is nothing to tell: they wait, or have done their work. */
const plain: ReadonlySet<string> = new Set(['waiting', 'prioritized', 'paused', 'completed']);

/** The usual columns of the jobs in a state, in their order. */
function usualColumns(engine: 'kvq' | 'pgq', state: string): readonly JobColumn[] {
  const isPgq = engine === 'pgq';
  const isActive = state === 'active';
  const took = isPgq
    ? state !== 'created' && !isActive
    : ['latest', 'completed', 'failed'].includes(state);
  const shown: Readonly<Record<JobColumn, boolean>> = {
    name: !isPgq,
    state: state === 'latest' || (isPgq && state === 'created'),
    data: true,
    key: isPgq,
    priority: isPgq,
    attempts: true,
    why: !plain.has(state) && !(isPgq && isActive),
    worker: isActive && !isPgq,
    running: isActive,
    added: true,
    took,
  };
  return jobColumns.filter((column) => shown[column]);
}

const titleOf = (state: string): Readonly<Record<JobColumn, MessageKey>> => ({
  name: 'col.name',
  state: 'col.state',
  data: 'col.data',
  key: 'col.key',
  priority: 'col.priority',
  attempts: 'col.attempts',
  why: state === 'active' ? 'col.progress' : state === 'created' ? 'col.when' : 'col.why',
  worker: 'col.worker',
  running: 'col.running',
  added: 'col.added',
  took: 'col.took',
});

/** The columns of jobs. Where a window is narrow, what a job took and its data leave first. */
function columnsFor(state: string, countsEnded: boolean): Record<JobColumn, Column<JobRow>> {
  const isActive = state === 'active';
  return {
    name: {
      className: style['c-name'],
      cell: ({ name }) => <span className={style['job-name']}>{name}</span>,
    },
    state: {
      className: style['c-state'],
      cell: (job) => <StateMark state={job.state} />,
    },
    data: {
      leaves: 2,
      cell: ({ data }) => data !== undefined && <span className={style['data']}>{data}</span>,
    },
    key: {
      className: style['c-key'],
      cell: ({ key }) => key !== undefined && <span className="mono">{key}</span>,
    },
    priority: {
      className: style['c-priority'],
      leaves: 4,
      end: true,
      cell: ({ priority }) => priority,
    },
    attempts: {
      className: style['c-attempts'],
      leaves: 4,
      end: true,
      cell: (job) => {
        const attempt = attemptOf(job, countsEnded);
        if (attempt === undefined) return <Unknown />;
        return job.attemptsLimit === undefined ? attempt : `${attempt}/${job.attemptsLimit}`;
      },
    },
    why: {
      className: style[isActive ? 'c-progress' : 'c-why'],
      cell: (job) => <Why job={job} />,
    },
    worker: {
      className: style['c-worker'],
      leaves: 3,
      cell: ({ worker }) => (worker ? <span title={worker}>{worker}</span> : <Unknown />),
    },
    running: {
      className: style['c-running'],
      end: true,
      cell: ({ started }) => <Since time={started} />,
    },
    added: {
      className: style['c-added'],
      ...(isActive && { leaves: 3 }),
      end: true,
      sort: 'added',
      cell: ({ added }) => <When time={added} />,
    },
    took: {
      className: style['c-took'],
      leaves: 3,
      end: true,
      cell: ({ started, finished }) => <Took from={started} to={finished} />,
    },
  };
}

/** The columns to show: the usual ones, or those that the address names, which stay at every width. */
function shownColumns(
  engine: 'kvq' | 'pgq',
  state: string,
  countsEnded: boolean,
  chosen: readonly ChosenColumn[] | undefined,
): readonly Column<JobRow>[] {
  const known = columnsFor(state, countsEnded);
  const titles = titleOf(state);
  if (!chosen) {
    return usualColumns(engine, state).map((key) => ({ ...known[key], title: titles[key] }));
  }
  const fields = fieldsOf(chosen);
  return chosen.map(({ key, width = usualWidth }) => {
    if (isJobColumn(key)) {
      const { leaves: _leaves, className: _className, ...column } = known[key];
      return { ...column, title: titles[key], width };
    }
    const place = fields.indexOf(key);
    return {
      head: <span className="mono">{key}</span>,
      width,
      cell: ({ columns }) => {
        const value = columns?.[place];
        return value == null ? null : <span title={fieldText(value)}>{fieldText(value)}</span>;
      },
    };
  });
}

/** Why a job has failed, how far it is, or when it runs. The error of an earlier attempt is not that of the job. */
function Why({ job: { why, progress, progressText, state, runsAt } }: { readonly job: JobRow }) {
  if (state === 'active' && progress !== undefined) return <Progress value={progress} />;
  if (state === 'active' && progressText) return <code title={progressText}>{progressText}</code>;
  const [error] = why?.split('\n') ?? [];
  if (error && (state === 'completed' || state === 'active')) {
    return <span className={style['dim']}>{t('col.earlierError', { error })}</span>;
  }
  if (error) return <span className={style['why']}>{error}</span>;
  if (runsAt === undefined) return null;
  return (
    <span className={style['dim']}>
      {t('job.runs')} <When time={runsAt} />
    </span>
  );
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

/** The keys of the row that has the focus, or is under the pointer, and of all rows. */
function useRowActions(
  at: RefObject<HTMLTableElement | null>,
  toggle: (id: string, range: boolean) => void,
  selectPage: () => void,
  selectNone: (() => void) | undefined,
): void {
  const focused = (): string | undefined =>
    document.activeElement?.closest('tr')?.dataset['id'] ??
    at.current?.querySelector<HTMLElement>('tr:hover')?.dataset['id'];
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
      run: selectPage,
    },
    {
      id: 'select-none',
      title: t('list.selectNone'),
      keys: 'Escape',
      group: 'list',
      run: selectNone,
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
  info: { rights, countsEnded },
}: ShownQueue & {
  readonly rows: readonly JobRow[];
  readonly state: string;
  readonly gone: (id: string) => boolean;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly onBusy: (busy: boolean) => void;
  readonly stale: boolean;
}) {
  const at = useRef<HTMLTableElement>(null);
  const last = useRef<string | undefined>(undefined);
  const view = useView();
  const changeView = useChangeView();
  const chosen = useMemo(() => readColumns(view.columns), [view.columns]);
  const kind = chosen ? 'line' : 'job';
  const height = useRowHeight(kind);
  const keys = useMemo(() => rows.map(({ id }) => id), [rows]);
  const { state: shownState, q, cursor, size, order } = view;
  useSlidingRows(
    at,
    keys,
    height,
    [stale, queueName, shownState, q, cursor, size, order].join(' '),
  );
  // Rows keep the first function that they were given; it always does what the latest one would.
  const latest = useRef<(id: string, range: boolean) => void>(() => undefined);
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
  const selectPage = () => onSelect(new Set(rows.map(({ id }) => id)));
  useRowActions(at, toggle, selectPage, selected.size > 0 ? () => onSelect(new Set()) : undefined);
  const all = rows.length > 0 && rows.every(({ id }) => selected.has(id));
  const onAll = useRef(selectPage);
  onAll.current = all ? () => onSelect(new Set()) : selectPage;
  const selectable = rights.writable;
  const columns = useMemo(
    () =>
      columnsOf<JobRow>([
        selectable && {
          className: style['check'],
          head: (
            <input
              type="checkbox"
              checked={all}
              aria-label={t('list.selectPage')}
              onChange={() => onAll.current()}
            />
          ),
          cell: ({ id }, isSelected) => (
            <input
              type="checkbox"
              checked={isSelected}
              aria-label={t('list.select', { id })}
              onClick={({ shiftKey }) => latest.current(id, shiftKey)}
              onChange={() => undefined}
            />
          ),
        },
        {
          title: 'col.id',
          className: style['c-id'],
          names: true,
          cell: (job) => (
            <JobName
              job={job}
              link={toJob(board, queueName, job.id, { state: shownState, q, cursor, size })}
            />
          ),
        },
        ...shownColumns(board.engine, state, countsEnded, chosen),
      ]),
    [chosen, countsEnded, selectable, all, queueName, board, state, shownState, q, cursor, size],
  );
  return (
    <div
      className={`${style['table-box']} ${chosen ? chooser['box'] : ''}`}
      data-stale={stale || undefined}
    >
      <Table
        caption={t('queue.jobsOf', { queue: queueName, state: stateName(state) })}
        className={
          chosen ? `rows ${style['wide']} ${chooser['table']}` : `rows stacked ${style['table']}`
        }
        minWidth={chosen?.reduce((sum, { width = usualWidth }) => sum + width, fixedWidth)}
        sorting={
          board.engine === 'pgq'
            ? {
                by: 'added',
                ascending: order === 'asc',
                choose: () =>
                  changeView({ order: order === 'asc' ? undefined : 'asc', cursor: undefined }),
              }
            : undefined
        }
        kind={kind}
        table={at}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        marked={({ id }) => selected.has(id)}
        attributes={({ id }) => ({
          'data-id': id,
          'data-gone': gone(id) || undefined,
          'aria-selected': selectable ? selected.has(id) : undefined,
        })}
        onBusy={onBusy}
      />
    </div>
  );
}

function JobName({
  job: { id, state, orphaned },
  link,
}: {
  readonly job: JobRow;
  readonly link: ReturnType<typeof toJob>;
}) {
  return (
    <>
      <Link {...link} data-row-link className={`${style['id']} mono`} title={id}>
        <StateIcon state={state} size={12} />
        {short(id)}
      </Link>
      {orphaned && (
        <span className={style['orphan']} title={t('job.orphaned')}>
          <Icon name="warn" size={12} label={t('job.orphaned')} />
        </span>
      )}
    </>
  );
}

/** The columns that are shown, those to offer, and their titles, for the choice of columns. */
export const columnChoice = (
  engine: 'kvq' | 'pgq',
  state: string,
  text: string | undefined,
  fields: readonly string[],
) => {
  const chosen = readColumns(text);
  const titles = titleOf(state);
  return {
    columns: chosen ?? usualColumns(engine, state).map((key): ChosenColumn => ({ key })),
    isUsual: chosen === undefined,
    offers: [...jobColumns, ...fields],
    titleOf: (key: string): string => (isJobColumn(key) ? t(titles[key]) : key),
  };
};
