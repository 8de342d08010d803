/** Queues that need somebody now, since when, and the way to them: by the thresholds of the host, or the page's own. */

import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useState } from 'react';

import { allBoards, toQueue } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { keyText } from '../api/error-text.ts';
import { attention } from '../api/queries.ts';
import { exact, percent } from '../format/number.ts';
import { age } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../kit/icon.tsx';
import { Since } from '../kit/text.tsx';
import { useSharedRows } from '../live/shared-rows.ts';
import {
  compare,
  hasBacklog,
  isFailing,
  isInTrouble,
  lacksWorker,
  sortRows,
  trouble,
  weightOf,
} from './rows.ts';
import type { QueueRow } from './rows.ts';
import style from './overview.module.css';

/** More are shown when they are asked for. */
const most = 6;

interface Reason {
  readonly text: string;
  /** State of the jobs to look at. */
  readonly state?: string | undefined;
  readonly since?: number | undefined;
}

interface Found {
  readonly key: string;
  readonly board: Board;
  /** Absent for the whole board. */
  readonly queue: string | undefined;
  readonly title: string;
  readonly reasons: readonly Reason[];
  /** How much somebody is needed: by jobs and time. */
  readonly weight: number;
}

/** The first reason of the page's own, for boards whose host has set no thresholds. */
function reasonOf(row: QueueRow): Reason {
  const count = row.waiting ?? 0;
  if (row.problem !== undefined) return { text: keyText(row.problem) };
  if (lacksWorker(row)) return { text: t('attention.noWorker', { count }) };
  if (isFailing(row)) {
    return {
      text: t('attention.failing', {
        count: row.failed ?? 0,
        share: percent(row.failedShare ?? 0),
      }),
      state: 'failed',
    };
  }
  return {
    text: hasBacklog(row)
      ? t('attention.backlog', { count: exact(count), limit: exact(row.backlogLimit) })
      : t('attention.paused', { count }),
  };
}

type Item = Answer<'GET /api/attention'>['items'][number];

const texts: Readonly<Record<Item['kind'], (item: Item) => string>> = {
  failureShare: ({ value, threshold }) =>
    t('attention.share', { share: percent(value), limit: percent(threshold) }),
  oldestJob: ({ value, threshold }) =>
    t('attention.oldest', { age: age(value), limit: age(threshold) }),
  backlogWithoutWorkers: ({ value }) => t('attention.noWorker', { count: value }),
  recorderSilent: ({ value }) => t('attention.silent', { age: age(value) }),
};

/** How much somebody is needed for what is beyond a threshold. Of a board as a whole, every queue is concerned. */
const weightOfItem = ({ kind, since }: Item, row: QueueRow | undefined): number =>
  kind === 'recorderSilent'
    ? Number.POSITIVE_INFINITY
    : weightOf((kind === 'failureShare' ? row?.failed : row?.waiting) ?? 0, since);

/** The reasons of a board by queue; undefined for a board that does not tell. */
function useThresholds(rows: readonly QueueRow[]): (board: Board) => Found[] | undefined {
  const answers = useQueries({ queries: allBoards.map(attention) });
  return (board) => {
    const { items } = answers[allBoards.indexOf(board)]?.data ?? {};
    const byQueue = items && Map.groupBy(items, ({ queue }) => queue);
    return (
      byQueue &&
      Array.from(byQueue, ([queue, some]) => {
        const row = rows.find((each) => each.board === board && each.name === queue);
        return {
          key: `${board.basePath} threshold ${queue}`,
          board,
          queue,
          title: row?.title ?? queue ?? board.title,
          reasons: some.map((item) => ({
            text: texts[item.kind](item),
            state: item.kind === 'failureShare' ? 'failed' : undefined,
            since: item.since,
          })),
          weight: some.reduce((sum, item) => sum + weightOfItem(item, row), 0),
        };
      })
    );
  };
}

const keyOf = ({ key }: Found): string => key;

/** @param rows by name */
export const Attention = memo(function Attention({ rows }: { readonly rows: readonly QueueRow[] }) {
  const thresholdsOf = useThresholds(rows);
  const told = new Map(allBoards.map((board) => [board, thresholdsOf(board)]));
  const beyond = [...told.values()].flatMap((items) => items ?? []);
  const own = rows.filter(
    (row) =>
      // Thresholds say nothing of a queue that cannot be read.
      (row.problem !== undefined || !told.get(row.board)) && isInTrouble(row),
  );
  const count = beyond.length + own.length;
  const [showsAll, showAll] = useState(false);
  const shown = showsAll ? count : most;
  // Texts of hundreds of queues would take long.
  const ownShown = sortRows(own, 'trouble', true).slice(0, shown);
  const found = useSharedRows(
    [
      ...beyond,
      ...ownShown.map((row): Found => {
        const { key, board, name: queue, title } = row;
        return { key, board, queue, title, reasons: [reasonOf(row)], weight: trouble(row) };
      }),
    ]
      .toSorted((left, right) => compare(right.weight, left.weight))
      .slice(0, shown),
    keyOf,
  );
  if (count === 0) return null;
  const title = t('attention.title', { count });
  return (
    <section className={style['attention']} aria-label={title}>
      <h2>
        <Icon name="warn" size={14} />
        {title}
      </h2>
      <ul>
        {found.map((each) => (
          <li key={each.key}>
            <Line found={each} />
          </li>
        ))}
        {count > shown && (
          <li className={style['rest']}>
            <button type="button" onClick={() => showAll(true)}>
              {t('attention.more', { count: count - shown })}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
});

const Line = memo(function Line({ found }: { readonly found: Found }) {
  const { board, queue, title, reasons } = found;
  const parts = (
    <>
      <strong dir="auto">{title}</strong>
      {allBoards.length > 1 && <small>{board.title}</small>}
      {reasons.map(({ text, since }) => (
        <span key={text}>
          {text}
          {since !== undefined && (
            <small>
              {' '}
              ({t('attention.since')} <Since time={since} />)
            </small>
          )}
        </span>
      ))}
    </>
  );
  const state = reasons.find((each) => each.state !== undefined)?.state;
  return queue === undefined ? (
    <Link to="/metrics-history" search={{ board: board.param }}>
      {parts}
    </Link>
  ) : (
    <Link {...toQueue(board, queue, { state })}>{parts}</Link>
  );
});
