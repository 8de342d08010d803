/** The jobs of a queue over time: counted among those that are stored, and as they were recorded where they were. */

import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import type { QueuePlace } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { uiConfig } from '../config.ts';
import { didText } from '../queue/runs.ts';
import { dayAndTime } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import type { Span } from './span.ts';

const [minute, hour] = [60_000, 3_600_000];

/** The ranges that are offered: the length of a part, and how many. */
export const lengths = {
  '1h': { unit: 'minute', ms: minute, count: 60 },
  '3h': { unit: 'minute', ms: minute, count: 180 },
  '24h': { unit: 'hour', ms: hour, count: 24 },
  '7d': { unit: 'hour', ms: hour, count: 168 },
} as const;

export type LengthName = keyof typeof lengths;

export const lengthOf = (name: string | undefined): LengthName =>
  name !== undefined && Object.hasOwn(lengths, name) ? (name as LengthName) : '1h';

/** The first part that is shown: the last ones up to now, or those around a range that is older. */
export function firstOf(length: LengthName, chosen: Span | undefined, now: number): number {
  const { ms, count } = lengths[length];
  const last = Math.floor(now / ms);
  const first = last - count + 1;
  if (!chosen || chosen.from >= first * ms) return first * ms;
  const middle = Math.floor((chosen.from + chosen.to) / 2 / ms);
  return Math.max(0, Math.min(first, middle - Math.floor(count / 2))) * ms;
}

type Counts = Answer<'GET /api/timeline'>;

export interface Timeline extends Counts {
  /** Whether completed and failed jobs are those that a recorder counted. */
  readonly isRecorded: boolean;
}

/** Completed and failed by hour as a recorder has counted them; undefined where there is none. */
async function recorded(
  { board, queueName }: QueuePlace,
  span: Span,
  signal: AbortSignal,
): Promise<Answer<'GET /api/metrics/history'> | undefined> {
  if (board.param !== undefined || !uiConfig.hasHistoryProvider) return undefined;
  const query = { ...span, granularity: 'hour', queue: queueName };
  const answer = await board.client
    .call('GET /api/metrics/history', { query, signal })
    .catch(() => undefined);
  return answer?.source === 'library' ? undefined : answer;
}

/** @param now the present minute, with which it is read again */
export const timelineOf = (place: QueuePlace, length: LengthName, from: number, now: number) =>
  queryOptions({
    queryKey: [place.board.basePath, 'timeline', place.queueName, length, from, now],
    queryFn: async ({ signal }): Promise<Timeline> => {
      const { unit, ms, count } = lengths[length];
      const span = { from, to: from + count * ms - 1 };
      const query = { queueName: place.queueName, unit, ...span };
      const [counts, history] = await Promise.all([
        place.board.client.call('GET /api/timeline', { query, signal }),
        unit === 'hour' ? recorded(place, span, signal) : undefined,
      ]);
      if (!history) return { ...counts, isRecorded: false };
      const series = (name: 'completed' | 'failed'): number[] => {
        const known = new Map(history[name]?.map(({ ts, value }) => [ts, value]));
        // A recorder may lack what it was not there for, and the store what was removed.
        return counts[name].map((stored, at) => Math.max(stored, known.get(from + at * ms) ?? 0));
      };
      const partial = counts.partial.filter((name) => name === 'added');
      return {
        ...counts,
        completed: series('completed'),
        failed: series('failed'),
        partial,
        isRecorded: true,
      };
    },
    // It is read anew each minute, with its first part: no more often, because jobs are counted for it.
    staleTime: minute,
    placeholderData: (before: Timeline | undefined, query) =>
      query?.queryKey[2] === place.queueName && query.queryKey[3] === length ? before : undefined,
  });

/** A moment of a command over many jobs, or of a deployment. */
export interface Mark {
  readonly kind: 'command' | 'deployment';
  readonly id: string;
  readonly at: number;
  readonly text: string;
}

/** The latest mark of a kind; undefined without one. */
export const latestOf = (marks: readonly Mark[], kind: Mark['kind']): Mark | undefined =>
  marks.filter((mark) => mark.kind === kind).toSorted((left, right) => right.at - left.at)[0];

/** The latest commands over many jobs of the queue; @param now the present minute, with which they are read again */
export const commandsOf = ({ board, queueName }: QueuePlace, now: number) =>
  queryOptions({
    queryKey: [board.basePath, 'commands', queueName, now],
    queryFn: async ({ signal }): Promise<readonly Mark[]> => {
      const { runs } = await board.client.call('GET /api/bulk', { signal });
      return runs
        .filter((run) => run.queueName === queueName && run.changed > 0)
        .map((run) => ({
          kind: 'command',
          id: run.id,
          at: run.startedAt,
          text: `${dayAndTime(run.startedAt)}: ${didText(run)}`,
        }));
    },
    staleTime: minute,
    placeholderData: (before: readonly Mark[] | undefined, query) =>
      query?.queryKey[2] === queueName ? before : undefined,
  });

/** The deployments of a range that the host of the page tells; @param now the present minute, with which they are read again */
export const deploymentsOf = ({ board }: QueuePlace, from: number, to: number, now: number) =>
  queryOptions({
    queryKey: [board.basePath, 'deployments', from, to, now],
    enabled: board.param === undefined && uiConfig.hasDeployments === true,
    queryFn: async ({ signal }): Promise<readonly Mark[]> => {
      const query = { from, to };
      const { deployments } = await board.client.call('GET /api/deployments', { query, signal });
      return deployments.map(({ at, release }) => ({
        kind: 'deployment',
        id: `${at} ${release}`,
        at,
        text: t('timeline.deployed', { time: dayAndTime(at), release }),
      }));
    },
    staleTime: minute,
    placeholderData: keepPreviousData,
  });
