/** When a schedule fires while it is edited: its parts, its problems, and the runs that the board expects. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';

import type { Board } from '../api/boards.ts';
import { errorText } from '../api/error-text.ts';
import { failureOf } from '../api/errors.ts';
import { t } from '../i18n/index.ts';
import { whenOf } from './commands.ts';
import type { Timing } from './commands.ts';

/** Next runs that are shown. */
const previewed = 5;

export interface TimingText {
  readonly kind: 'cron' | 'every';
  readonly expression: string;
  /** Milliseconds, as they are typed. */
  readonly every: string;
  readonly zone: string;
}

function isZone(timeZone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

const previewOf = async (
  { engine, client }: Board,
  queueName: string,
  timing: Timing,
  signal: AbortSignal,
): Promise<number[]> => {
  if (engine === 'pgq') {
    const { expression, zone } = timing;
    const body = { expression, ...(zone !== '' && { tz: zone }), count: previewed };
    const { runs } = await client.call('POST /api/pgq/schedules/preview', { body, signal });
    return runs.map((run) => Date.parse(run));
  }
  const { runs } = await client.call('POST /api/queues/{queueName}/job-schedulers/preview', {
    params: { queueName },
    body: { ...whenOf(timing), count: previewed },
    signal,
  });
  return runs.map((run) => Date.parse(run));
};

/** @param canPreview whether the board can tell the runs of what is not saved */
export function useTiming(
  board: Board | undefined,
  queue: string,
  canPreview: boolean,
  initial: TimingText,
) {
  const [text, setText] = useState(initial);
  const { kind, every, zone } = text;
  const expression = text.expression.trim();
  const interval = Number(every);
  const isInterval = kind === 'every';
  const everyProblem =
    isInterval && !(Number.isSafeInteger(interval) && interval > 0)
      ? t('schedules.everyProblem')
      : undefined;
  const zoneProblem = zone !== '' && !isZone(zone) ? t('schedules.zoneProblem') : undefined;
  const isComplete = isInterval ? everyProblem === undefined : expression !== '';
  // Empty while it is incomplete: what is asked for comes a moment after what is written.
  const asked = useDeferredValue(
    isComplete && zoneProblem === undefined
      ? JSON.stringify({ expression, zone, ...(isInterval && { every: interval }) })
      : '',
  );
  const preview = useQuery({
    queryKey: [board?.basePath, 'schedule preview', queue, asked],
    queryFn: ({ signal }) =>
      board ? previewOf(board, queue, JSON.parse(asked) as Timing, signal) : [],
    enabled: board !== undefined && canPreview && asked !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
  });
  // The board knows better what its library takes; without it, only an empty text is refused here.
  const expressionProblem =
    isComplete && !isInterval && preview.error ? errorText(failureOf(preview.error)) : undefined;
  const isAccepted = isComplete && zoneProblem === undefined && expressionProblem === undefined;
  return {
    text,
    change: (changes: Partial<TimingText>) => setText((before) => ({ ...before, ...changes })),
    /** The timing to save; undefined while it is incomplete or refused. */
    timing: isAccepted ? { expression, every: isInterval ? interval : undefined, zone } : undefined,
    everyProblem,
    zoneProblem,
    expressionProblem,
    /** Times of the next runs; undefined where they are not known. */
    runs: isAccepted && canPreview ? preview.data : undefined,
  };
}

export type EditedTiming = ReturnType<typeof useTiming>;

/** The text beside a button that needs a timing; the problem of a field stands at the field. */
export const missingTiming = (): string => t('schedules.needsTiming');
