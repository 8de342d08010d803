/**
 * Reads the errors of failed jobs in bounded steps: a request reads for a short time, and its cursor leads on. Nothing is
 * kept between the requests, so that any instance of the board may answer the next one.
 */

import {
  lastMoment,
  type ListErrorsResponse,
  type TranslatableMessage,
} from '../../contract/index.ts';
import { withTimeout } from '../../../lib/index.ts';
import { BoardError } from '../board-error.ts';
import type { HistoryProvider } from '../history/provider.ts';
import { readCursor, writeCursor } from '../values/position-cursor.ts';
import { ErrorGroups } from './groups.ts';
import type { FailureRange, FailureSource } from './source.ts';

/** Milliseconds that the first request of a walk reads, so that something is seen soon, and each of the others. */
const [firstMs, nextMs] = [120, 900];

/** Errors after which an answer ends. */
const mostErrors = 1_000;

/** Milliseconds that a recorder has. */
const recorderMs = 5_000;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Lengths of the buckets of a curve, and how many of them it has at most unless it is very long. */
const lengths = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs, dayMs];
const [longest, mostBuckets] = [7 * dayMs, 48];

/** The parameters of the request. */
export interface ErrorsQuery {
  readonly queueName?: string | undefined;
  readonly name?: string | undefined;
  readonly since?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The sources of the engine for the sender of a request. */
export interface Inbox {
  /** The failed jobs that the sender may see; asked for with the range of the request. */
  sourcesOf(range: FailureRange): readonly FailureSource[];
  /** Failed jobs of the sources; null where that is not known. */
  readonly total: number | null;
  /** The recorder, with the queues whose failures the sender may see; absent where it could tell more than the jobs. */
  readonly recorder?: {
    readonly provider: HistoryProvider | undefined;
    readonly queues: readonly string[];
    /** A reason as the sender may see it. */
    readonly shown: (reason: string) => string;
  };
  /** The text about a source that failed; undefined where the request fails with its error. */
  problemOf?(source: FailureSource, error: unknown): TranslatableMessage | undefined;
  readonly signal: AbortSignal;
}

/** The buckets of the time since a moment, or of the last day by hour. */
function rangeOf(at: number, since: number | undefined): FailureRange {
  if (since === undefined) {
    return {
      since: 0,
      at,
      from: Math.floor(at / hourMs) * hourMs - dayMs + hourMs,
      bucketMs: hourMs,
    };
  }
  const span = at - since;
  const bucketMs = lengths.find((length) => span <= length * mostBuckets) ?? longest;
  return { since, at, from: Math.floor(since / bucketMs) * bucketMs, bucketMs };
}

const invalidCursor = (): BoardError =>
  new BoardError('INVALID_QUERY_PARAM', { code: 'INVALID_REQUEST', options: { field: 'cursor' } });

/** Adds what the recorder keeps; false where it does not answer. */
async function addRecorded(
  groups: ErrorGroups,
  { recorder }: Inbox,
  { since: from, at: to }: FailureRange,
): Promise<'read' | 'unavailable' | undefined> {
  const { provider, queues = [], shown = () => '' } = recorder ?? {};
  if (!provider?.getErrors || queues.length === 0) return undefined;
  try {
    groups.addRecorded(
      await withTimeout(provider.getErrors({ queues, from, to }), recorderMs),
      shown,
    );
    return 'read';
  } catch {
    return 'unavailable';
  }
}

/** The answer to one request of a walk. */
export async function readErrors(
  { cursor, ...asked }: ErrorsQuery,
  inbox: Inbox,
): Promise<ListErrorsResponse> {
  const search = JSON.stringify(['errors', asked]);
  const began = cursor === undefined ? null : readCursor(search, cursor);
  if (cursor !== undefined && !began) throw invalidCursor();
  // The position begins with the moment of the walk.
  const [moment = '', ...place] = began ? (began.after ?? '').split(' ') : [String(Date.now())];
  if (!/^\d{1,16}$/.test(moment) || Number(moment) > lastMoment) throw invalidCursor();
  const range = rangeOf(Number(moment), asked.since);
  const groups = new ErrorGroups(range);
  const until = performance.now() + (began ? nextMs : firstMs);
  const sources = inbox
    .sourcesOf(range)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .filter(({ name }) => began === null || name >= began.queue);
  const problems: NonNullable<ListErrorsResponse['problems']> = [];
  let examined = 0;
  const answer = (next: string | null): ListErrorsResponse => ({
    at: range.at,
    from: range.from,
    bucketMs: range.bucketMs,
    total: inbox.total,
    examined,
    errors: groups.list,
    nextCursor: next,
    ...(problems.length > 0 && { problems }),
  });
  for (const source of sources) {
    let after: string | null = source.name === began?.queue ? place.join(' ') || null : null;
    try {
      do {
        const isLate = performance.now() > until || inbox.signal.aborted;
        if (isLate || groups.size >= mostErrors) {
          const position = { queue: source.name, after: `${range.at} ${after ?? ''}` };
          return answer(writeCursor(search, position));
        }
        const step = await source.step(after);
        examined += step.examined;
        for (const part of step.parts) groups.add(part);
        after = step.next;
      } while (after !== null);
    } catch (error) {
      const problem = inbox.problemOf?.(source, error);
      if (!problem) throw error;
      problems.push({ queueName: source.name, problem });
    }
  }
  // Attempts that are recorded have no name of their job.
  const recorder = asked.name === undefined ? await addRecorded(groups, inbox, range) : undefined;
  return { ...answer(null), ...(recorder && { recorder }) };
}
