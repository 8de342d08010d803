/** The course of a job on one axis of time: its attempts with the waits between them, its children, and its log. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { toJob } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { duration, exactTime, timeOfDay } from '../format/time.ts';
import { addTexts, t } from '../i18n/index.ts';
import courseTexts from '../i18n/messages/en/course.json';
import { Note } from '../kit/panel.tsx';
import { stateName, toneOf } from '../kit/states.tsx';
import { useClock } from '../live/clock.ts';
import type { QueueInfo } from '../queue/info.ts';
import { plainOf } from '../job/ansi.ts';
import { courseOf, momentOfLine } from './course.ts';
import type { Segment } from './course.ts';
import type { JobDetail } from '../job/detail.ts';
import style from './waterfall.module.css';

addTexts(courseTexts);

type Child = NonNullable<
  Answer<'GET /api/queues/{queueName}/{jobId}/flow'>['flowRoot']
>['children'][number];

/** Children and lines of a log that are drawn at most. */
const [mostChildren, mostLines] = [20, 200];

/** The course as it is known besides the job: read once for each of its states. */
function useCourse(board: Board, job: JobDetail, info: QueueInfo | undefined) {
  const { queueName, id, state, attempts, started } = job;
  const params = { queueName, jobId: id };
  const capabilities = info?.kvq?.capabilities;
  const isKept = info?.kvq !== undefined && info.countsEnded;
  const key = (part: string) => [board.basePath, part, queueName, id, state, attempts, started];
  const { data: course } = useQuery({
    queryKey: key('course'),
    queryFn: ({ signal }) =>
      board.client.call('GET /api/queues/{queueName}/{jobId}/course', { params, signal }),
    enabled: isKept,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const moments = course?.moments ?? [];
  const isParent =
    state === 'waiting-children' || moments.some(({ event }) => event === 'waiting-children');
  const { data: flow } = useQuery({
    queryKey: key('children'),
    queryFn: ({ signal }) =>
      board.client.call('GET /api/queues/{queueName}/{jobId}/flow', {
        params,
        query: { root: 'node', depth: '2', maxChildren: String(mostChildren) } as never,
        signal,
      }),
    enabled: isParent && capabilities?.flows === true,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data: log } = useQuery({
    queryKey: key('moments of the log'),
    queryFn: ({ signal }) =>
      board.client.call('GET /api/queues/{queueName}/{jobId}/logs', {
        params,
        query: { window: 'true' },
        signal,
      }),
    enabled: capabilities?.logs === true && started !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const lines = (log === undefined ? [] : Array.isArray(log) ? log : log.lines).flatMap((line) => {
    const text = plainOf(line);
    const at = momentOfLine(text);
    return at === undefined ? [] : [{ at, text }];
  });
  return { moments, children: flow?.flowRoot?.children ?? [], lines: lines.slice(-mostLines) };
}

const toneOfSegment = ({ kind, outcome, open }: Segment): string =>
  kind === 'ran'
    ? open
      ? 'active'
      : outcome === 'stalled'
        ? 'failed'
        : outcome === 'again'
          ? 'retry'
          : (outcome ?? 'active')
    : { delayed: 'delayed', waited: 'waiting', backoff: 'retry', children: 'blocked', unknown: '' }[
        kind
      ];

function wordsOf(segment: Segment): string {
  const { kind, outcome, open, from, to } = segment;
  const time = duration(to - from);
  if (kind !== 'ran') return t(`course.${kind}`, { time });
  if (open) return t('course.runs', { time });
  if (outcome === 'stalled' || outcome === 'again') return t(`course.${outcome}`, { time });
  return outcome
    ? t('course.ended', { time, outcome: stateName(outcome) })
    : t('course.ran', { time });
}

/** A part of the axis, in percent of its length. */
function Bar({
  from,
  to,
  tone,
  title,
  axis,
}: {
  readonly from: number;
  readonly to: number;
  readonly tone: string;
  readonly title: string;
  readonly axis: { readonly from: number; readonly to: number };
}) {
  const share = (time: number) =>
    Math.min(100, Math.max(0, (100 * (time - axis.from)) / Math.max(1, axis.to - axis.from)));
  const [start, end] = [share(from), share(to)];
  return (
    <i
      data-tone={tone || undefined}
      data-unknown={tone === '' || undefined}
      title={title}
      style={{ insetInlineStart: `${start}%`, width: `${end - start}%` }}
    />
  );
}

function Row({
  label,
  words,
  bars,
}: {
  readonly label: ReactNode;
  readonly words: ReactNode;
  readonly bars: ReactNode;
}) {
  return (
    <li>
      <span className={style['label']}>{label}</span>
      <span className={style['track']} aria-hidden="true">
        {bars}
      </span>
      <span className={style['words']}>{words}</span>
    </li>
  );
}

export function Waterfall({
  board,
  job,
  attempts,
  info,
}: {
  readonly board: Board;
  readonly job: JobDetail;
  /** Those that have begun. */
  readonly attempts: number;
  readonly info: QueueInfo | undefined;
}) {
  const { moments, children, lines } = useCourse(board, job, info);
  const now = useClock((time) => Math.floor(time / 1_000)) * 1_000;
  const { segments, missing, deduplicated } = courseOf(job, attempts, moments, now);
  const shown = children.slice(0, mostChildren);
  // One attempt without anything beside it is in the line above.
  const isPlain = attempts < 2 && segments.every(({ kind }) => kind !== 'children');
  if (isPlain && shown.length + lines.length + deduplicated.length === 0) return null;
  if (segments.length === 0) return null;
  const spanOf = ({ timestamp, processedOn, finishedOn }: Child) =>
    [timestamp, processedOn ?? timestamp, finishedOn ?? now] as const;
  const axis = {
    from: Math.min(...segments.map(({ from }) => from), ...shown.map((child) => spanOf(child)[0])),
    to: Math.max(...segments.map(({ to }) => to), ...shown.map((child) => spanOf(child)[2])),
  };
  const rows = [...Map.groupBy(segments, ({ attempt }) => attempt)];
  const marks = (times: readonly { at: number; text: string }[]) =>
    times.map(({ at, text }, place) => (
      <Bar
        key={place}
        from={at}
        to={at}
        tone="mark"
        title={`${timeOfDay(at)} ${text}`}
        axis={axis}
      />
    ));
  return (
    <section className={style['waterfall']} aria-label={t('course.title')}>
      <ol tabIndex={rows.length > 20 ? 0 : undefined}>
        {rows.map(([attempt, parts]) => (
          <Row
            key={attempt}
            label={t('course.attempt', { count: attempt })}
            words={parts.map(wordsOf).join(' · ')}
            bars={parts.map((segment) => (
              <Bar
                key={segment.from}
                from={segment.from}
                to={segment.to}
                tone={toneOfSegment(segment)}
                title={`${wordsOf(segment)}, ${exactTime(segment.from)}`}
                axis={axis}
              />
            ))}
          />
        ))}
        {shown.map((child) => {
          const [added, started, end] = spanOf(child);
          return (
            <Row
              key={`${child.queueName} ${child.id}`}
              label={
                <Link {...toJob(board, child.queueName, child.id)}>{child.name || child.id}</Link>
              }
              words={`${child.queueName} · ${stateName(child.state)}`}
              bars={
                <>
                  <Bar
                    from={added}
                    to={started}
                    tone="waiting"
                    title={t('time.waited')}
                    axis={axis}
                  />
                  <Bar
                    from={started}
                    to={child.processedOn === undefined ? started : end}
                    tone={toneOf(child.state)}
                    title={stateName(child.state)}
                    axis={axis}
                  />
                </>
              }
            />
          );
        })}
        {lines.length > 0 && (
          <Row
            label={t('job.tab.logs')}
            words={t('course.lines', { count: lines.length })}
            bars={marks(lines)}
          />
        )}
        {deduplicated.length > 0 && (
          <Row
            label={t('course.deduplicated')}
            words={t('course.deduplicatedCount', { count: deduplicated.length })}
            bars={marks(deduplicated.map(({ at, jobId = '' }) => ({ at, text: jobId })))}
          />
        )}
      </ol>
      <p className={style['axis']} aria-hidden="true">
        <time>{timeOfDay(axis.from)}</time>
        <span>{duration(axis.to - axis.from)}</span>
        <time>{timeOfDay(axis.to)}</time>
      </p>
      {missing > 0 && <Note>{t('course.missing', { count: missing })}</Note>}
    </section>
  );
}
