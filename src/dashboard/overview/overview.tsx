/** Every queue of every board: which is in trouble, since when, and whether anybody works on it. */

import { Suspense, useCallback, useEffect, useMemo, useState } from 'react';

import { allBoards } from '../api/boards.ts';
import { uiConfig } from '../config.ts';
import { t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';
import { Button } from '../kit/button.tsx';
import { BoardFailures, Empty, Skeleton } from '../kit/panel.tsx';
import { Filter, Pick, useWanted } from '../kit/filter.tsx';
import { strip } from '../live/strip.ts';
import { prepareLongTable } from '../kit/table.tsx';
import { useTitle } from '../kit/title.ts';
import { useSteadyRows } from '../live/steady-rows.ts';
import { useSharedRows } from '../live/shared-rows.ts';
import { useChangeView, useView } from '../view.ts';
import { Attention } from './attention.tsx';
import { useOverview } from './data.ts';
import { PauseMany } from './pause-many.tsx';
import { QueueTable } from './queue-table.tsx';
import {
  groupRows,
  hasBacklog,
  isFailing,
  isSortKey,
  lacksWorker,
  lineOf,
  shareLine,
  sortRows,
} from './rows.ts';
import type { Line, QueueRow } from './rows.ts';
import { part } from '../kit/patient.ts';
import style from './overview.module.css';

const Stores = part(() => import('./stores.tsx'), 'Stores');
const Failures = part(() => import('../failures/failures.tsx'), 'Failures');

/** Boards that keep failures by their error. */
const keepingErrors = allBoards.filter(({ hasErrorGroups }) => hasErrorGroups);

const sections = {
  all: () => true,
  failing: isFailing,
  backlog: hasBacklog,
  paused: ({ paused }) => paused,
  'no-worker': lacksWorker,
  unread: ({ problem }) => problem !== undefined,
} as const satisfies Readonly<Record<string, (row: QueueRow) => boolean>>;

type Section = keyof typeof sections;

const isSection = (text: string | undefined): text is Section =>
  text !== undefined && Object.hasOwn(sections, text);

const names: readonly Section[] = ['all', 'failing', 'backlog', 'paused', 'no-worker', 'unread'];

const sortNames = () => ({
  trouble: t('overview.sort.trouble'),
  name: t('overview.sort.name'),
  waiting: t('overview.sort.waiting'),
  active: t('overview.sort.active'),
  failed: t('overview.sort.failed'),
  share: t('overview.sort.share'),
});

const rowKey = ({ key }: QueueRow): string => key;
const keyOf = ({ key }: Line): string => key;

export function Overview() {
  const view = useView();
  const changeView = useChangeView();
  const { rows, loading, failures } = useOverview();
  const [busy, setBusy] = useState(false);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  useTitle(t('nav.overview'));
  useEffect(prepareLongTable, []);

  const section = isSection(view.show) ? view.show : 'all';
  const showsErrors = view.show === 'errors' && keepingErrors.length > 0;
  const text = useWanted();
  const [sortName = 'trouble', direction] = (view.sort ?? 'trouble').split('.');
  const sort = isSortKey(sortName) ? sortName : 'trouble';
  const down = direction !== 'up';
  const canGroup = rows.some(
    ({ title, delimiter }) => delimiter !== '' && title.includes(delimiter),
  );
  const standard = uiConfig.overview?.groupByDelimiter ?? true;
  const grouped = canGroup && (view.group === undefined ? standard : view.group === 'yes');

  const matching = useMemo(
    () =>
      rows.filter(
        (row) =>
          sections[section](row) &&
          (view.engine === undefined || row.board.engine === view.engine) &&
          (text === '' ||
            row.title.toLowerCase().includes(text) ||
            row.name.toLowerCase().includes(text) ||
            (row.description?.toLowerCase().includes(text) ?? false)),
      ),
    [rows, section, view.engine, text],
  );
  const sorted = useMemo(() => sortRows(matching, sort, down), [matching, sort, down]);
  const steady = useSteadyRows(
    sorted,
    rowKey,
    busy,
    [section, text, sort, down, view.engine].join(' '),
  );
  const lines = useSharedRows(
    useMemo(
      () => (grouped ? groupRows(steady.rows, closed) : steady.rows.map((row) => lineOf(row))),
      [grouped, steady.rows, closed],
    ),
    keyOf,
    shareLine,
  );
  const onToggle = useCallback(
    (key: string) =>
      setClosed(
        (before) =>
          new Set(before.has(key) ? [...before].filter((each) => each !== key) : [...before, key]),
      ),
    [],
  );
  const filtered = section !== 'all' || text !== '' || view.engine !== undefined;
  const clear = () => changeView({ show: undefined, q: undefined, engine: undefined });

  const isRead = failures.every(({ stale }) => stale);
  return (
    <main className={`screen ${style['screen']}`}>
      <h1 className="visually-hidden">{t('overview.title')}</h1>
      <Attention rows={rows} />
      <div className={`bar ${style['bar']}`}>
        <Sections rows={rows} section={section} showsErrors={showsErrors} />
        <Filter label={t(showsErrors ? 'overview.filterErrors' : 'overview.filter')} />
        {canGroup && !showsErrors && (
          <Button
            look="quiet"
            aria-pressed={grouped}
            onClick={() => changeView({ group: grouped ? 'no' : 'yes' })}
          >
            {t('overview.group')}
          </Button>
        )}
        {!showsErrors && (
          <Pick
            label={t('overview.sort')}
            value={sort}
            options={sortNames()}
            onChange={(key) => changeView({ sort: key })}
          />
        )}
        {!showsErrors && <PauseMany label={t('overview.menu')} rows={matching} />}
        {new Set(allBoards.map(({ engine }) => engine)).size > 1 && (
          <Pick
            label={t('overview.engine')}
            value={view.engine ?? ''}
            options={{ '': t('overview.engine.all'), kvq: 'BullMQ', pgq: 'pg-boss' }}
            onChange={(engine) => changeView({ engine: engine || undefined })}
          />
        )}
      </div>
      {steady.waiting > 0 && !showsErrors && (
        <button type="button" className={`pill ${style['more']}`} onClick={steady.release}>
          {t('list.new', { count: steady.waiting })}
        </button>
      )}
      <BoardFailures failures={failures} stale="overview.staleBoard" />
      {showsErrors ? (
        <Suspense fallback={<Skeleton rows={4} />}>
          <Failures
            boards={keepingErrors.filter(
              ({ engine }) => view.engine === undefined || engine === view.engine,
            )}
            filter={text}
          />
        </Suspense>
      ) : loading ? (
        <Skeleton />
      ) : lines.length > 0 ? (
        <QueueTable
          lines={lines}
          sort={sort}
          down={down}
          closed={closed}
          onSort={(key) =>
            changeView({
              sort: key === sort && down ? `${key}.up` : key === 'trouble' ? undefined : key,
            })
          }
          onToggle={onToggle}
          onBusy={setBusy}
        />
      ) : filtered ? (
        <Empty icon="search" title={t('overview.noMatch')}>
          <Button onClick={clear}>{t('clearFilters')}</Button>
        </Empty>
      ) : isRead ? (
        <Empty title={t('overview.none')}>{t('overview.noneNext')}</Empty>
      ) : null}
      <Suspense>
        <Stores />
      </Suspense>
    </main>
  );
}

/** Which queues are shown: all, or those of one kind; or the errors of all. */
function Sections({
  rows,
  section,
  showsErrors,
}: {
  readonly rows: readonly QueueRow[];
  readonly section: Section;
  readonly showsErrors: boolean;
}) {
  const changeView = useChangeView();
  const count = (name: Section): number => rows.filter(sections[name]).length;
  useActions(
    [...names, ...(keepingErrors.length > 0 ? (['errors'] as const) : [])].map((name, at) => ({
      id: `overview-${name}`,
      title: t('overview.showOnly', { what: t(`overview.show.${name}`) }),
      keys: String(at + 1),
      group: 'list' as const,
      run: () => changeView({ show: name === 'all' ? undefined : name }),
    })),
  );
  return (
    <div
      ref={strip}
      className={`segments ${style['sections']}`}
      role="group"
      aria-label={t('overview.sections')}
    >
      {names.map((name) => {
        const total = count(name);
        if (total === 0 && name !== 'all' && name !== section) return null;
        return (
          <button
            key={name}
            type="button"
            aria-pressed={section === name && !showsErrors}
            onClick={() => changeView({ show: name === 'all' ? undefined : name })}
          >
            {t(`overview.show.${name}`)} <span>{total}</span>
          </button>
        );
      })}
      {keepingErrors.length > 0 && (
        <button
          type="button"
          aria-pressed={showsErrors}
          onClick={() => changeView({ show: showsErrors ? undefined : 'errors' })}
        >
          {t('overview.show.errors')}
        </button>
      )}
    </div>
  );
}
