/** The data of the overview: the queues of every board of the page. */

import { useQueries } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';

import { allBoards } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { failuresOf, useListings } from '../api/listings.ts';
import type { Listing } from '../api/listings.ts';
import { activity, mayReadBoard, pgqInfo } from '../api/queries.ts';
import { activitiesOf, kvqRow, pgqRow, placesByName } from './rows.ts';
import type { Activities, KvqQueue, PgqQueue, QueueRow } from './rows.ts';

const pgqBoards = allBoards.filter(({ engine }) => engine === 'pgq');

/** The row of a queue, and what it was made of. */
interface Made {
  readonly base: QueueRow;
  readonly activities: Activities;
  readonly from: readonly unknown[];
  readonly row: QueueRow;
}

/** Rows by the queue of an answer, which keeps its identity as long as it is the same. */
type Known = WeakMap<object, Made>;

/** The rows of a board, in the order of its answer. */
function rowsOf(
  board: Board,
  { queues, allowed }: Listing,
  delimiter: string,
  read: Answer<'GET /api/activity'> | undefined,
  known: Known,
): QueueRow[] {
  const baseOf = (queue: KvqQueue | PgqQueue): QueueRow => {
    const row =
      board.engine === 'kvq'
        ? kvqRow(board, queue as KvqQueue, allowed)
        : pgqRow(board, delimiter, queue as PgqQueue);
    return row.allowed === undefined && allowed ? { ...row, allowed } : row;
  };
  const byName = new Map(read?.queues.map((each) => [each.queueName, each]));
  return (queues as readonly (KvqQueue | PgqQueue)[]).map((queue) => {
    const own = byName.get(queue.name);
    // An age that is not that of a count tells a moment only together with the time at which it was read.
    const at = own?.oldestWaiting && board.engine === 'kvq' ? (read?.at ?? 0) : 0;
    const from = [delimiter, allowed, own, at];
    const before = known.get(queue);
    if (before?.from.every((each, index) => each === from[index])) return before.row;
    const isSame = before?.from[0] === delimiter && before.from[1] === allowed;
    const base = isSame ? before.base : baseOf(queue);
    // Of most queues a later answer says the same.
    const activities = activitiesOf(base, own, at, before?.activities);
    const row =
      isSame && activities === before.activities ? before.row : { ...base, ...activities };
    known.set(queue, { base, activities, from, row });
    return row;
  });
}

function useByName(rows: readonly QueueRow[]): readonly QueueRow[] {
  const names = rows.map(({ title, key }) => `${title}\n${key}`).join('\n');
  const places = useMemo(() => placesByName(rows), [names]);
  return useMemo(() => places.flatMap((place) => rows[place] ?? []), [places, rows]);
}

/** The parts of each queue in a listing, with nothing of its activity. */
const notAsked: readonly undefined[] = [];

/** The queues of all boards; `activities` of the boards add what their listings do not tell. */
export function useQueues(
  activities: readonly (Answer<'GET /api/activity'> | undefined)[] = notAsked,
) {
  const listings = useListings();
  const infos = useQueries({
    queries: pgqBoards.map((board) => ({
      ...pgqInfo(board),
      enabled: mayReadBoard(listings[allBoards.indexOf(board)]?.data),
    })),
  });
  const answers = listings.map(({ data }) => data);
  const delimiters = infos.map(({ data }) => data?.delimiter ?? '');
  const known = useRef<Known>(new WeakMap());
  const made = useMemo(
    () =>
      allBoards.flatMap((board, at) => {
        const answer = answers[at];
        const delimiter = delimiters[pgqBoards.indexOf(board)] ?? '';
        return answer ? rowsOf(board, answer, delimiter, activities[at], known.current) : [];
      }),
    // The answers keep their identity as long as nothing has changed.
    [...answers, ...activities, ...delimiters],
  );
  return {
    /** By name; the row of a queue that is as it was keeps its identity. */
    rows: useByName(made),
    /** Whether no board has answered yet. */
    loading: listings.every(({ isPending }) => isPending),
    failures: failuresOf(listings),
  };
}

/** The same with their activity, which takes longer to read. */
export const useOverview = () =>
  useQueues(useQueries({ queries: allBoards.map(activity) }).map(({ data }) => data));
