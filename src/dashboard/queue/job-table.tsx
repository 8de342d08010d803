/** The jobs of a page as a table. */

import { Link } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import type { RefObject } from 'react';

import { toJob } from '../api/boards.ts';
import { readColumns } from '../columns/columns.ts';
import { fixedWidth, shownColumns, usualWidth } from '../columns/job-columns.tsx';
import { t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';
import { copyText } from '../kit/copy.ts';
import { Icon } from '../kit/icon.tsx';
import { useRowHeight } from '../kit/row-height.ts';
import { StateIcon, stateName } from '../kit/states.tsx';
import { Table, columnsOf } from '../kit/table.tsx';
import { useSlidingRows } from '../live/sliding-rows.ts';
import { useChangeView, useView } from '../view.ts';
import { useHeld } from '../course/held-by.ts';
import type { ShownQueue } from './info.ts';
import type { JobRow } from './jobs.ts';
import chooser from '../columns/columns.module.css';
import style from './queue.module.css';

const short = (id: string): string => (id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);

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
  info,
}: ShownQueue & {
  readonly rows: readonly JobRow[];
  readonly state: string;
  readonly gone: (id: string) => boolean;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly onBusy: (busy: boolean) => void;
  readonly stale: boolean;
}) {
  const { rights, countsEnded } = info;
  const held = useHeld({ board, queueName, info }, rows);
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
        ...shownColumns(board.engine, state, countsEnded, chosen, held),
      ]),
    // Of what holds jobs back, the texts count.
    [
      chosen,
      countsEnded,
      held.basis,
      selectable,
      all,
      queueName,
      board,
      state,
      shownState,
      q,
      cursor,
      size,
    ],
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
