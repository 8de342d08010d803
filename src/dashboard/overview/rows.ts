/** Queues of either engine as one kind of row. */

import { replaceEqualDeep } from '@tanstack/react-query';

import type { Answer } from '../api/client.ts';
import type { Board } from '../api/boards.ts';
import { uiConfig } from '../config.ts';
import { instant } from '../format/time.ts';
import type { Share } from '../kit/states.tsx';
import { serverNow } from '../live/server-time.ts';

export type KvqQueue = Answer<'GET /api/queues'>['queues'][number];
export type PgqQueue = Answer<'GET /api/pgq/queues'>['queues'][number];

type Activity = Answer<'GET /api/activity'>['queues'][number];

export interface QueueRow {
  readonly key: string;
  readonly board: Board;
  readonly name: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly delimiter: string;
  /** Jobs by state, for the bar. */
  readonly shares: readonly Share[];
  /** Jobs that could run now. Null: not known. */
  readonly waiting: number | null;
  readonly active: number | null;
  readonly failed: number | null;
  /** Failed jobs among the finished ones that are kept. */
  readonly failedShare: number | null;
  /** When the oldest waiting job was added. */
  readonly oldest?: number | undefined;
  /** Recent course, oldest first, and its name. */
  readonly course?:
    | { readonly values: readonly number[]; readonly kind: 'backlog' | 'finished' }
    | undefined;
  /** Jobs finished in the last minute. */
  readonly perMinute?: number | undefined;
  readonly workers: number | boolean | null;
  /** Actions that this person may do; undefined for all. */
  readonly allowed?: readonly string[] | undefined;
  readonly paused: boolean;
  /** Who has paused it, and why. */
  readonly pausedBy?: string | undefined;
  /** Milliseconds for which the rate limit of the queue holds its jobs back; 0 for none. */
  readonly limitedFor: number;
  /** Jobs that may be active at a time, if as many are. */
  readonly fullAt?: number | undefined;
  /** Keys of which a job runs, and no other one does meanwhile. */
  readonly heldKeys?: number | undefined;
  /** Jobs that wait for others, where they are no part of the bar. */
  readonly blocked?: number | undefined;
  /** Whether it can be paused and resumed together with others of its board. */
  readonly pausesTogether: boolean;
  readonly readOnly: boolean;
  readonly backlogged: boolean;
  readonly backlogLimit: number;
  readonly schedules: number;
  /** Key of the error that kept the queue from being read. */
  readonly problem?: string | undefined;
  /** When the counts were taken, if they are not counted live; null if they never were. */
  readonly countedAt?: number | null | undefined;
}

/** States in the order of a bar: what runs, what waits, what has ended. */
const order = [
  'active',
  'prioritized',
  'waiting',
  'paused',
  'delayed',
  'waiting-children',
  'completed',
  'failed',
] as const;

/** @param allowed actions of this person on all queues; undefined for all */
export function kvqRow(board: Board, queue: KvqQueue, allowed?: readonly string[]): QueueRow {
  const { counts } = queue;
  const readOnly = queue.readOnlyMode || (board.param === undefined && uiConfig.readOnly === true);
  const mayPause = (own: readonly string[] | undefined) => own?.includes('queue.pause') ?? true;
  const of = (state: keyof typeof counts): number => counts[state] ?? 0;
  const finished = of('completed') + of('failed');
  const unread = queue.problem !== undefined;
  return {
    key: `${board.basePath} ${queue.name}`,
    board,
    name: queue.name,
    title: queue.displayName ?? queue.name,
    description: queue.description,
    delimiter: queue.delimiter,
    shares: order.map((state) => ({ state, count: of(state) })),
    waiting: unread ? null : of('waiting') + of('prioritized') + of('paused'),
    active: unread ? null : of('active'),
    failed: unread ? null : of('failed'),
    failedShare: unread || finished === 0 ? null : of('failed') / finished,
    workers: queue.hasWorkers,
    allowed: queue.allowed,
    paused: queue.isPaused,
    pausedBy: [queue.pause?.by, queue.pause?.reason].filter(Boolean).join(': ') || undefined,
    limitedFor: queue.activeRateLimitTtl,
    fullAt:
      queue.globalConcurrency !== null && of('active') >= queue.globalConcurrency
        ? queue.globalConcurrency
        : undefined,
    pausesTogether:
      !unread &&
      !readOnly &&
      queue.capabilities.pause &&
      mayPause(allowed) &&
      mayPause(queue.allowed),
    readOnly,
    backlogged: false,
    backlogLimit: 0,
    schedules: queue.jobSchedulerCount,
    problem: queue.problem?.key,
  };
}

export function pgqRow(board: Board, delimiter: string, queue: PgqQueue): QueueRow {
  const { counts } = queue;
  const counted = instant(queue.statsCapturedOn) ?? null;
  const known = counted !== null;
  const stored = Math.max(0, counts.total - counts.queued - counts.active - counts.failed);
  const finished = stored + counts.failed;
  return {
    key: `${board.basePath} ${queue.name}`,
    board,
    name: queue.name,
    title: queue.name,
    delimiter,
    shares: known
      ? [
          { state: 'active', count: counts.active },
          { state: 'ready', count: counts.ready },
          { state: 'deferred', count: counts.deferred },
          { state: 'completed', count: stored },
          { state: 'failed', count: counts.failed },
        ]
      : [],
    waiting: known ? counts.ready : null,
    active: known ? counts.active : null,
    failed: known ? counts.failed : null,
    failedShare: known && finished > 0 ? counts.failed / finished : null,
    course: { values: queue.readyHistory.toReversed(), kind: 'backlog' },
    workers: null,
    allowed: queue.allowed,
    paused: false,
    limitedFor: 0,
    heldKeys: queue.singletonsActive?.length,
    blocked: counts.blocked,
    pausesTogether: false,
    readOnly: board.param === undefined && uiConfig.readOnly === true,
    backlogged: queue.backlogged,
    backlogLimit: queue.warningQueueSize,
    schedules: queue.scheduleCount,
    countedAt: counted,
  };
}

export type Activities = Pick<QueueRow, 'workers' | 'oldest' | 'perMinute' | 'course'>;

/** The activity of the queue of a row, equal to what was known before where nothing has changed. */
export function activitiesOf(
  row: QueueRow,
  activity: Activity | undefined,
  at: number,
  before: Activities | undefined,
): Activities {
  if (!activity || row.problem !== undefined) return row;
  const { workers, oldestWaiting, perMinute, minutes } = activity;
  const finished = minutes?.completed.map((count, minute) => count + (minutes.failed[minute] ?? 0));
  return replaceEqualDeep(before, {
    workers: workers ?? row.workers,
    // Where the library counts, the age is that of the count.
    oldest: oldestWaiting ? (row.countedAt ?? at) - oldestWaiting : undefined,
    perMinute: perMinute ? perMinute.completed + perMinute.failed : undefined,
    course: finished?.some((count) => count > 0)
      ? { values: finished.toReversed(), kind: 'finished' }
      : row.course,
  });
}

/** A share of failures that is trouble, once there are enough of them, and a number that is trouble at any share. */
const failingShare = 0.1;
const [failingLeast, failingMany] = [5, 1_000];

export const isFailing = ({ failed, failedShare }: QueueRow): boolean =>
  (failed ?? 0) >= ((failedShare ?? 0) >= failingShare ? failingLeast : failingMany);

export const lacksWorker = ({ workers, waiting, paused }: QueueRow): boolean =>
  (workers === false || workers === 0) && (waiting ?? 0) > 0 && !paused;

export const hasBacklog = (row: QueueRow): boolean => row.backlogged;

/** Whether jobs of a queue wait for somebody. */
const isStuck = (row: QueueRow): boolean =>
  lacksWorker(row) || hasBacklog(row) || (row.paused && (row.waiting ?? 0) > 0);

/** Whether a queue needs somebody by the page's own measure. */
export const isInTrouble = (row: QueueRow): boolean =>
  row.problem !== undefined || isStuck(row) || isFailing(row);

const [minuteMs, hourMs] = [60_000, 3_600_000];

/** The minute up to which all rows are measured: equal ones stay equal, whenever each was read. */
let measured = { at: 0, troubles: new WeakMap<QueueRow, number>() };

function measuring(): typeof measured {
  const at = Math.floor(serverNow() / minuteMs) * minuteMs;
  if (measured.at !== at) measured = { at, troubles: new WeakMap() };
  return measured;
}

/** How much somebody is needed: by the jobs concerned, each counted again for every hour that it has lasted. */
export const weightOf = (jobs: number, since: number | undefined): number =>
  jobs * (1 + Math.max(0, measuring().at - (since ?? Number.POSITIVE_INFINITY)) / hourMs);

/** How much a queue needs somebody: the order 'by trouble'. Queues that need nobody stand below, by their waiting jobs. */
export function trouble(row: QueueRow): number {
  const { troubles } = measuring();
  const known = troubles.get(row);
  if (known !== undefined) return known;
  const waiting = row.waiting ?? 0;
  const found =
    row.problem !== undefined
      ? Number.POSITIVE_INFINITY
      : isInTrouble(row)
        ? 1 +
          (isStuck(row) ? weightOf(waiting, row.oldest) : 0) +
          (isFailing(row) ? (row.failed ?? 0) : 0)
        : 1 - 1 / (1 + waiting);
  troubles.set(row, found);
  return found;
}

export type SortKey = 'trouble' | 'name' | 'waiting' | 'active' | 'failed' | 'share';

const numeric = (value: number | null): number => value ?? -1;

export const compare = (left: number, right: number): number =>
  left === right ? 0 : left < right ? -1 : 1;

const comparisons: Readonly<Record<SortKey, (left: QueueRow, right: QueueRow) => number>> = {
  trouble: (left, right) => compare(trouble(right), trouble(left)),
  // The rows are by name already.
  name: () => 0,
  waiting: (left, right) => numeric(right.waiting) - numeric(left.waiting),
  active: (left, right) => numeric(right.active) - numeric(left.active),
  failed: (left, right) => numeric(right.failed) - numeric(left.failed),
  share: (left, right) => numeric(right.failedShare) - numeric(left.failedShare),
};

const byName = new Intl.Collator(undefined, { numeric: true });

export const isSortKey = (text: string | undefined): text is SortKey =>
  text !== undefined && Object.hasOwn(comparisons, text);

/** The places of rows by name. To compare names takes long, so that it is done again only for other names. */
export const placesByName = (rows: readonly Pick<QueueRow, 'title' | 'key'>[]): number[] =>
  rows
    .map(({ title, key }, at) => ({ title, key, at }))
    .toSorted(
      (left, right) =>
        byName.compare(left.title, right.title) || byName.compare(left.key, right.key),
    )
    .map(({ at }) => at);

/**
 * @param rows by name, which remains the order of equal rows
 * @param down whether the usual direction is kept
 */
export function sortRows(
  rows: readonly QueueRow[],
  key: SortKey,
  down: boolean,
): readonly QueueRow[] {
  if (key === 'name') return down ? rows : rows.toReversed();
  const sign = down ? 1 : -1;
  return rows.toSorted((left, right) => sign * comparisons[key](left, right));
}

type Figures = Pick<
  QueueRow,
  'shares' | 'waiting' | 'active' | 'failed' | 'failedShare' | 'oldest' | 'workers'
>;

/** A line of the table: a queue, or a group of queues with their sums. */
export interface Line {
  readonly key: string;
  readonly depth: number;
  readonly label: string;
  /** The queue; undefined for a group. */
  readonly row?: QueueRow;
  readonly rows: readonly QueueRow[];
  readonly figures: Figures;
}

export const lineOf = (row: QueueRow, depth = 0, label = row.title): Line => ({
  key: row.key,
  depth,
  label,
  row,
  rows: [row],
  figures: row,
});

/** The old line if it shows the same; to compare the rows within takes long, and they keep their identity. */
export function shareLine(old: Line, line: Line): Line {
  const isSame =
    old.depth === line.depth &&
    old.label === line.label &&
    old.rows.length === line.rows.length &&
    old.rows.every((row, at) => row === line.rows[at]);
  return isSame ? old : line;
}

/** The lines of sorted rows, in groups by their delimiter; a group stands where its first queue would. */
export function groupRows(rows: readonly QueueRow[], closed: ReadonlySet<string>): Line[] {
  const lines: Line[] = [];
  const walk = (members: readonly QueueRow[], prefix: string, depth: number): void => {
    const groups = new Map<string, { name: string; rows: QueueRow[] }>();
    for (const row of members) {
      const rest = row.title.slice(prefix.length);
      const [head = rest] = row.delimiter === '' ? [rest] : rest.split(row.delimiter);
      const name = `${prefix}${head}`;
      // Queues of two boards may share a name.
      const key = `${row.board.basePath} ${name}`;
      const group = groups.get(key);
      if (group) group.rows.push(row);
      else groups.set(key, { name, rows: [row] });
    }
    for (const [id, { name, rows: group }] of groups) {
      const [only] = group;
      if (!only) continue;
      if (group.length === 1) {
        lines.push(lineOf(only, depth, only.title.slice(prefix.length)));
        continue;
      }
      const key = `group ${id}`;
      lines.push({
        key,
        depth,
        label: name.slice(prefix.length),
        rows: group,
        figures: sumRows(group),
      });
      if (closed.has(key)) continue;
      const own = group.filter(({ title }) => title === name);
      for (const row of own) lines.push(lineOf(row, depth + 1));
      walk(
        group.filter(({ title }) => title !== name),
        `${name}${only.delimiter}`,
        depth + 1,
      );
    }
  };
  walk(rows, '', 0);
  return lines;
}

const sum = (values: readonly (number | null)[]): number | null =>
  values.every((value) => value === null)
    ? null
    : values.reduce<number>((total, value) => total + (value ?? 0), 0);

/** The figures of a group. */
function sumRows(rows: readonly QueueRow[]): Figures {
  const shares = new Map<string, number>();
  for (const row of rows) {
    for (const { state, count } of row.shares) shares.set(state, (shares.get(state) ?? 0) + count);
  }
  const failed = sum(rows.map((row) => row.failed));
  const completed = shares.get('completed') ?? 0;
  const workers = rows.map((row) => (typeof row.workers === 'number' ? row.workers : null));
  return {
    shares: [...shares].map(([state, count]) => ({ state, count })),
    waiting: sum(rows.map((row) => row.waiting)),
    active: sum(rows.map((row) => row.active)),
    failed,
    failedShare: failed !== null && failed + completed > 0 ? failed / (failed + completed) : null,
    oldest: rows.reduce<number | undefined>(
      (oldest, row) =>
        row.oldest === undefined ? oldest : Math.min(oldest ?? row.oldest, row.oldest),
      undefined,
    ),
    workers: sum(workers),
  };
}
