/** The jobs of a queue: filtered, listed page by page, selected, and worked on. */

import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';

import { repeatReads } from '../api/queries.ts';
import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { runAction, useActions } from '../keys/keys.ts';
import { Button, IconButton } from '../kit/button.tsx';
import { Pick } from '../kit/filter.tsx';
import { Empty, Failed, Note, Skeleton } from '../kit/panel.tsx';
import { rangeText, spanOf } from '../timeline/span.ts';
import { useSteadyRows } from '../live/steady-rows.ts';
import { useChangeView, useView } from '../view.ts';
import { BulkBar } from './bulk-bar.tsx';
import { appliedFilter, pathsIn, readFilter } from './filter-language.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { FilterChips } from '../filters/filter-chips.tsx';
import type { QueueInfo, ShownQueue } from './info.ts';
import {
  errorName,
  jobPage,
  longSearch,
  longestPart,
  pageSizeOf,
  pageSizes,
  within,
} from './jobs.ts';
import type { JobRow } from './jobs.ts';
import { fieldsOf, readColumns, writeColumns } from '../columns/columns.ts';
import { columnChoice } from '../columns/job-columns.tsx';
import { JobTable } from './job-table.tsx';
import { NoJobs } from './no-jobs.tsx';
import { SearchProgress } from '../filters/search-progress.tsx';
import { part } from '../kit/patient.ts';
import style from './queue.module.css';

/** On a phone the list comes first. */
const isWide = matchMedia('(min-width: 900px)');

const Timeline = part(() => import('../timeline/timeline.tsx'), 'Timeline');
const RunPanel = part(() => import('./run-panel.tsx'), 'RunPanel');

const ColumnsDialog = part(() => import('../columns/columns-dialog.tsx'), 'ColumnsDialog');

const noRows: readonly JobRow[] = [];

const idOf = ({ id }: JobRow): string => id;

/** Jobs whose data tell the paths that a filter may name. */
const samples = 100;

/** The jobs of a state, or of all states; undefined where their number is not known. */
function jobsIn({ tabs }: QueueInfo, state: string): number | undefined {
  const counts = tabs
    .filter((tab) => (state === 'latest' ? tab.state !== state : tab.state === state))
    .map(({ count, capped }) => (capped ? undefined : count));
  return counts.reduce<number | undefined>(
    (sum, count) => (sum === undefined || typeof count !== 'number' ? undefined : sum + count),
    0,
  );
}

/** A selection belongs to the rows it was made on: another view has none. */
function useSelected(viewName: string) {
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  const [selectedIn, setSelectedIn] = useState(viewName);
  if (selectedIn !== viewName) {
    setSelectedIn(viewName);
    select(new Set());
  }
  return [selected, select] as const;
}

export function Jobs({ board, queueName, info }: ShownQueue) {
  const view = useView();
  const changeView = useChangeView();
  const [busy, setBusy] = useState(false);
  const state = view.state ?? 'latest';
  const text = view.q ?? '';
  const read = useMemo(() => readFilter(board.engine, view), [board.engine, view]);
  const span = useMemo(() => spanOf(view), [view]);
  const search = span
    ? { query: { ...read.search?.query, ...within(board.engine, state, span) } }
    : read.search;
  const [isTimed, time] = useState(() => span !== undefined || isWide.matches);
  const size = pageSizeOf(view);
  const listing = {
    state,
    cursor: view.cursor,
    size,
    order: view.order === 'asc' ? ('asc' as const) : ('desc' as const),
    search,
    columns: fieldsOf(readColumns(view.columns)).join() || undefined,
  };
  const {
    data: answer,
    error,
    isPending,
    isFetching,
    isPlaceholderData,
    refetch,
  } = useQuery({
    ...jobPage(board, queueName, listing),
    enabled: read.error === undefined,
  });
  // Under a filter that is refused, jobs that it does not choose are neither shown nor offered to commands.
  const isRefused = read.error !== undefined;
  const data = isRefused ? undefined : answer;
  const [isDraft, setDraft] = useState(false);
  const [choosesColumns, chooseColumns] = useState(false);
  const viewName = [
    queueName,
    state,
    text,
    view.asOf,
    view.cursor,
    view.order,
    view.from,
    view.to,
  ].join(' ');
  const [selected, select] = useSelected(viewName);
  const steady = useSteadyRows(
    data?.jobs ?? noRows,
    idOf,
    (busy || selected.size > 0) && !isPlaceholderData,
    viewName,
  );
  const known = useMemo(
    () => pathsIn((data?.jobs ?? noRows).slice(0, samples).map((job) => job.data)),
    [data?.jobs],
  );
  const setFilter = (q: string) => {
    changeView(appliedFilter(q));
    // Enter once more reads a long search again.
    if (q === text) void repeatReads(board);
  };
  const next = data?.nextCursor ?? null;
  const isSearching = data?.goesOn === true && isFetching;
  const isQuick =
    data !== undefined && !isPlaceholderData && !data.goesOn && (data.took ?? 0) <= longSearch;
  const count = info.tabs.find((tab) => tab.state === state);
  const total = search ? undefined : (data?.total ?? count?.count ?? undefined);

  useActions([
    {
      id: 'page-next',
      title: t('list.nextPage'),
      keys: 'n',
      group: 'list',
      run: next === null ? undefined : () => changeView({ cursor: next }),
    },
  ]);

  return (
    <div className={style['jobs']}>
      <div className={style['filter-row']}>
        <FilterBar
          engine={board.engine}
          value={text}
          read={read}
          known={known}
          onDraft={setDraft}
          onChange={setFilter}
        />
        <IconButton
          icon="clock"
          label={t('queue.timeline')}
          aria-pressed={isTimed}
          onClick={() => time(!isTimed)}
        />
        <IconButton icon="columns" label={t('columns.title')} onClick={() => chooseColumns(true)} />
        <Button look="quiet" hint="v" onClick={() => runAction('views')}>
          {t('views.title')}
        </Button>
        {steady.waiting > 0 && (
          <button type="button" className="pill" onClick={steady.release}>
            {t('list.new', { count: steady.waiting })}
          </button>
        )}
      </div>
      {text !== '' && !isRefused && (
        <FilterChips
          board={board}
          queueName={queueName}
          ready={isQuick}
          text={text}
          isPlain={read.search?.query['where'] === undefined}
          onChange={setFilter}
        />
      )}
      <Suspense>
        {choosesColumns && (
          <ColumnsDialog
            {...columnChoice(board.engine, state, view.columns, known)}
            change={(columns) =>
              changeView({ columns: columns && writeColumns(columns) }, { replace: true })
            }
            close={() => chooseColumns(false)}
          />
        )}
      </Suspense>
      {isTimed && (
        <Suspense fallback={<div className={style['timeline-box']} />}>
          <Timeline board={board} queueName={queueName} />
        </Suspense>
      )}
      <SameErrors jobs={steady.rows} state={state} onFilter={setFilter} filtered={text !== ''} />
      {info.rights.writable && (
        <Suspense>
          <RunPanel board={board} queueName={queueName} may={info.allowed} />
        </Suspense>
      )}
      {isDraft && !isRefused && info.rights.writable && <Note>{t('queue.filterUnfinished')}</Note>}
      {!isRefused && !isDraft && (
        <BulkBar
          board={board}
          queueName={queueName}
          info={info}
          state={state}
          filter={
            // A run takes jobs of one state.
            state === 'latest'
              ? undefined
              : { ...search?.query, [board.engine === 'kvq' ? 'status' : 'state']: state }
          }
          text={span ? [text, rangeText(span)].filter(Boolean).join(' · ') : text}
          total={total}
          rows={steady.rows}
          hasOthers={next !== null || view.cursor !== undefined}
          selected={selected}
          select={select}
          onDone={() => {
            select(new Set());
            steady.release();
          }}
        />
      )}
      {error && data && <Note tone="warn">{t('stale.note')}</Note>}
      {isSearching && <SearchProgress examined={data?.examined} of={jobsIn(info, state)} />}
      {isRefused ? (
        <Empty icon="warn" title={t('queue.filterRefused')}>
          <Button onClick={() => setFilter('')}>{t('clearFilters')}</Button>
        </Empty>
      ) : isPending ? (
        <Skeleton rows={10} />
      ) : error && !data ? (
        <Failed
          error={error}
          retry={() => {
            // A cursor of another time leads nowhere: begin again.
            if (view.cursor !== undefined) changeView({ cursor: undefined });
            else void refetch();
          }}
        />
      ) : steady.rows.length > 0 ? (
        <JobTable
          board={board}
          queueName={queueName}
          rows={steady.rows}
          state={state}
          info={info}
          gone={steady.gone}
          selected={selected}
          // Rows that are about to be replaced are not selected: the next ones would wait for them, unseen.
          onSelect={isPlaceholderData ? () => undefined : select}
          onBusy={setBusy}
          stale={error !== null || isPlaceholderData}
        />
      ) : isSearching ? null : (
        <NoJobs
          state={state}
          isLimited={search !== undefined}
          next={next}
          examined={data?.examined}
        />
      )}
      <Pages
        shown={steady.rows.length}
        total={total}
        capped={count?.capped ?? false}
        next={next}
        previous={data?.prevCursor ?? null}
      />
    </div>
  );
}

/** How many jobs are shown, and the ways to the other pages. */
function Pages({
  shown,
  total,
  capped,
  next,
  previous,
}: {
  readonly shown: number;
  readonly total: number | undefined;
  readonly capped: boolean;
  /** Cursors of the neighbours. */
  readonly next: string | null;
  readonly previous: string | null;
}) {
  const view = useView();
  const changeView = useChangeView();
  const size = pageSizeOf(view);
  return (
    <footer className={`bar ${style['pages']}`}>
      <span>
        {shown > 0 &&
          (total === undefined
            ? t('list.shown', { count: exact(shown) })
            : t('list.shownOf', {
                count: exact(shown),
                total: `${exact(total)}${capped ? '+' : ''}`,
              }))}
      </span>
      {(next !== null || view.size !== undefined) && (
        <Pick
          label={t('list.size')}
          value={String(size)}
          options={Object.fromEntries([...pageSizes, size].map((each) => [each, exact(each)]))}
          onChange={(wanted) =>
            changeView({
              size: Number(wanted) === pageSizes[0] ? undefined : wanted,
              cursor: undefined,
            })
          }
        />
      )}
      {view.cursor !== undefined && (
        <Button look="quiet" icon="up" onClick={() => changeView({ cursor: undefined })}>
          {t('list.firstPage')}
        </Button>
      )}
      {(previous !== null || view.cursor !== undefined) && (
        <Button
          icon="left"
          onClick={() => (previous === null ? history.back() : changeView({ cursor: previous }))}
        >
          {t('list.previousPage')}
        </Button>
      )}
      {next !== null && shown > 0 && (
        <Button icon="right" onClick={() => changeView({ cursor: next })}>
          {t('list.nextPage')}
        </Button>
      )}
    </footer>
  );
}

/** Groups of the same error among the jobs in sight, each a filter. */
function SameErrors({
  jobs,
  state,
  filtered,
  onFilter,
}: {
  readonly jobs: readonly JobRow[];
  readonly state: string;
  readonly filtered: boolean;
  readonly onFilter: (text: string) => void;
}) {
  const groups = useMemo(() => {
    const found = new Map<string, { count: number; sample: string }>();
    if (state !== 'failed') return [];
    for (const job of jobs) {
      const { why } = job;
      if (!why) continue;
      const name = errorName(job);
      const before = found.get(name);
      found.set(name, { count: (before?.count ?? 0) + 1, sample: before?.sample ?? why });
    }
    return [...found].toSorted(([, left], [, right]) => right.count - left.count).slice(0, 4);
  }, [jobs, state]);
  const failures = jobs.filter(({ why }) => why).length;
  if (filtered || groups.length === 0) return null;
  return (
    <div className={`bar ${style['errors']}`}>
      <span>{t('queue.sameError')}</span>
      {groups.map(([name, { count, sample }]) => (
        <button
          key={name}
          type="button"
          title={name}
          onClick={() => onFilter(`error ~ ${JSON.stringify(longestPart(sample, name))}`)}
        >
          <strong>{t('queue.ofErrors', { count, total: failures })}</strong> <bdi>{name}</bdi>
        </button>
      ))}
    </div>
  );
}
