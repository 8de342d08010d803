/** The errors of every board, added up from the answers of a walk: the first ones are shown while the others are read. */

import { useQueries } from '@tanstack/react-query';
import { useCallback, useState } from 'react';

import { allBoards } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { serverNow } from '../live/server-time.ts';
import { ranges } from '../metrics/ranges.ts';
import type { Span } from '../timeline/span.ts';

type Step = Answer<'GET /api/errors'>;
type Listed = Step['errors'][number];

/** Times before now whose failures alone count. */
export const sinceNames = ['1h', '24h', '7d'] as const;

export type SinceName = (typeof sinceNames)[number];

/** The most errors of a board that are kept, the most frequent ones. */
const mostKept = 2_000;

/** An error of a board. */
export interface StoredError extends Omit<Listed, 'curve' | 'queues'> {
  readonly id: string;
  readonly board: Board;
  /** The time whose failures count; undefined for all. */
  readonly span: Span | undefined;
  readonly queues: ReadonlyMap<string, number>;
  /** Jobs by the start of their bucket. */
  readonly curve: ReadonlyMap<number, number>;
}

/** The errors of a board, as far as they are read. */
export interface BoardErrors extends Pick<Step, 'from' | 'bucketMs' | 'at'> {
  readonly errors: readonly StoredError[];
  readonly examined: number;
  readonly total: number | null;
  readonly done: boolean;
  readonly recorder: Step['recorder'];
  readonly problems: readonly string[];
}

const sum = <Key>(one: ReadonlyMap<Key, number>, other: Iterable<readonly [Key, number]>) => {
  const both = new Map(one);
  for (const [key, count] of other) both.set(key, (both.get(key) ?? 0) + count);
  return both;
};

/** The error with what a further answer has of it. */
function added(
  board: Board,
  span: Span | undefined,
  known: StoredError | undefined,
  next: Listed,
): StoredError {
  const curve = next.curve.map(({ ts, value }) => [ts, value] as const);
  const queues = next.queues.map(({ queueName, count }) => [queueName, count] as const);
  const isLater = (next.example?.at ?? 0) > (known?.example?.at ?? 0);
  const recorded = next.recorded ?? known?.recorded;
  const releases = new Map(known?.releases.map((each) => [each.release, each]));
  for (const each of next.releases) {
    const before = releases.get(each.release);
    releases.set(each.release, {
      release: each.release,
      count: each.count + (before?.count ?? 0),
      firstAt: Math.min(each.firstAt, before?.firstAt ?? Infinity),
      lastAt: Math.max(each.lastAt, before?.lastAt ?? 0),
    });
  }
  return {
    ...next,
    id: `${board.basePath} ${next.fingerprint}`,
    board,
    span,
    // Fingerprints of the host may have other messages in other answers.
    search: (known?.search ?? next.search) === next.search ? next.search : '',
    count: next.count + (known?.count ?? 0),
    firstAt: Math.min(next.firstAt, known?.firstAt ?? Infinity),
    lastAt: Math.max(next.lastAt, known?.lastAt ?? 0),
    curve: sum(known?.curve ?? new Map(), curve),
    queues: sum(known?.queues ?? new Map(), queues),
    names: [...new Set([...(known?.names ?? []), ...next.names])].slice(0, 20),
    releases: [...releases.values()],
    example: isLater ? next.example : (known?.example ?? null),
    ...(recorded && { recorded }),
  };
}

/** Reads all errors of a board; `seen` receives what is known after each answer. */
async function walk(
  board: Board,
  range: SinceName | undefined,
  signal: AbortSignal,
  seen: (known: BoardErrors) => void,
): Promise<BoardErrors> {
  const errors = new Map<string, StoredError>();
  const problems = new Set<string>();
  let examined = 0;
  let cursor: string | undefined;
  const since = range && serverNow() - ranges[range];
  for (;;) {
    const query = { cursor, since };
    const step: Step = await board.client.call('GET /api/errors', { query, signal });
    const span = since === undefined ? undefined : { from: since, to: step.at };
    for (const each of step.errors) {
      const known = errors.get(each.fingerprint);
      if (known || errors.size < mostKept) {
        errors.set(each.fingerprint, added(board, span, known, each));
      }
    }
    for (const { queueName } of step.problems ?? []) problems.add(queueName);
    examined += step.examined;
    cursor = step.nextCursor ?? undefined;
    const { at, from, bucketMs, total, recorder } = step;
    const known: BoardErrors = {
      at,
      from,
      bucketMs,
      total,
      recorder,
      examined,
      errors: [...errors.values()],
      problems: [...problems],
      done: cursor === undefined,
    };
    if (known.done) return known;
    seen(known);
  }
}

/** The errors of all boards, of a time before now or of all; `again` reads them once more. */
export function useErrors(range: SinceName | undefined) {
  const [reading, setReading] = useState<ReadonlyMap<string, BoardErrors>>(new Map());
  const nameOf = ({ basePath }: Board) => `${range} ${basePath}`;
  const see = useCallback((name: string, known: BoardErrors) => {
    setReading((before) => new Map(before).set(name, known));
  }, []);
  const answers = useQueries({
    queries: allBoards.map((board) => ({
      queryKey: [board.basePath, 'errors', range],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        walk(board, range, signal, (known) => see(nameOf(board), known)),
      staleTime: 30_000,
    })),
  });
  const boards = allBoards.flatMap((board, at) => {
    const known = answers[at]?.data ?? reading.get(nameOf(board));
    return known ? [known] : [];
  });
  return {
    boards,
    loading: answers.some(({ isPending }) => isPending),
    reading: answers.some(({ isFetching }) => isFetching),
    failures: answers.flatMap(({ error, data, refetch }, at) => {
      const board = allBoards[at];
      return error && board
        ? [{ board, error, stale: data !== undefined, retry: () => void refetch() }]
        : [];
    }),
    again: () => answers.forEach(({ refetch }) => void refetch()),
  };
}

/** The release whose first failure is the latest, over all boards; undefined where jobs have none. */
export function latestRelease(errors: readonly StoredError[]) {
  const firsts = new Map<string, number>();
  for (const { releases } of errors) {
    for (const { release, firstAt } of releases) {
      firsts.set(release, Math.min(firstAt, firsts.get(release) ?? Infinity));
    }
  }
  const [latest] = [...firsts].toSorted(([, one], [, other]) => other - one);
  return latest && { release: latest[0], firstAt: latest[1] };
}

/** The values of a curve, bucket by bucket. */
export function curveOf({ curve }: StoredError, { from, bucketMs, at }: BoardErrors): number[] {
  const count = Math.max(2, Math.floor((at - from) / bucketMs) + 1);
  return Array.from({ length: count }, (_, place) => curve.get(from + place * bucketMs) ?? 0);
}
