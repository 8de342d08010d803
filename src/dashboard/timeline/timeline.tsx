/**
 * A timeline above the list of a queue: completed jobs above the line, failed ones below it, and added ones as a line of
 * their own; a pause of the queue, commands over many jobs and deployments are marked. Dragging, or the arrows with Shift and
 * Enter, choose the range of the list.
 */

import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';

import queueTexts from '../i18n/messages/en/queue.json';
import texts from '../i18n/messages/en/timeline.json';
import type { QueuePlace } from '../api/boards.ts';
import { errorText } from '../api/error-text.ts';
import { failureOf } from '../api/errors.ts';
import { exact } from '../format/number.ts';
import { dayAndTime } from '../format/time.ts';
import { addTexts, t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { Pick } from '../kit/filter.tsx';
import { useClock } from '../live/clock.ts';
import { useQueueInfo } from '../queue/info.ts';
import type { QueueInfo } from '../queue/info.ts';
import { useChangeView, useView } from '../view.ts';
import {
  commandsOf,
  deploymentsOf,
  firstOf,
  latestOf,
  lengthOf,
  lengths,
  timelineOf,
} from './data.ts';
import type { Timeline as Counts, Mark } from './data.ts';
import { rangeText, spanOf } from './span.ts';
import type { Span } from './span.ts';
import style from './timeline.module.css';

addTexts({ ...queueTexts, ...texts });

/** Parts of the picture: completed above the line, failed below it. */
const [above, below] = [36, 16];

type Pause = NonNullable<QueueInfo['pause']>;

/** Since when, by whom and why. */
const pauseText = ({ since, by, reason }: Pause): string =>
  [
    t('timeline.paused', { time: dayAndTime(since) }),
    by !== undefined && ` ${t('queue.pausedBy', { by })}`,
    reason !== undefined && `: ${reason}`,
  ]
    .filter(Boolean)
    .join('');

export function Timeline({ board, queueName }: QueuePlace) {
  const view = useView();
  const changeView = useChangeView();
  const length = lengthOf(view.range);
  const { ms, count } = lengths[length];
  const chosen = useMemo(() => spanOf(view), [view]);
  const first = useClock((now) => firstOf(length, chosen, now));
  const now = useClock((time) => Math.floor(time / 60_000));
  const { data, error } = useQuery(timelineOf({ board, queueName }, length, first, now));
  const commands = useQuery(commandsOf({ board, queueName }, now)).data;
  const { pause } = useQueueInfo(board, queueName).info ?? {};
  const from = data?.from ?? first;
  // Stores keep the present pause alone: it lasts.
  const shownPause = pause && pause.since < from + count * ms ? pause : undefined;
  const deployments = useQuery(
    deploymentsOf({ board, queueName }, from, from + count * ms - 1, now),
  ).data;
  const marks = useMemo(
    () =>
      [...(commands ?? []), ...(deployments ?? [])].filter(
        ({ at }) => at >= from && at < from + count * ms,
      ),
    [commands, deployments, from, count, ms],
  );
  const choose = (span: Span | undefined) =>
    changeView({
      from: span && String(span.from),
      to: span && String(span.to),
      cursor: undefined,
    });
  return (
    <section className={style['timeline']} aria-label={t('timeline.title')}>
      <div className={style['head']}>
        <ul className={style['legend']}>
          {(['completed', 'failed', 'added'] as const).map((name) => (
            <li key={name} data-series={name}>
              {t(`timeline.${name}`)}{' '}
              {data && exact(data[name].reduce((sum, each) => sum + each, 0))}
              {data?.partial.includes(name) && '+'}
            </li>
          ))}
          {shownPause && (
            <li data-series="paused" dir="auto">
              {pauseText(shownPause)}
            </li>
          )}
          {(['command', 'deployment'] as const).map((kind) => {
            const last = latestOf(marks, kind);
            return (
              last && (
                <li key={kind} data-series={kind} dir="auto">
                  {last.text}
                </li>
              )
            );
          })}
        </ul>
        {chosen && (
          <span className={style['chosen']}>
            {rangeText(chosen)}
            <Button look="quiet" icon="cross" onClick={() => choose(undefined)}>
              {t('timeline.clear')}
            </Button>
          </span>
        )}
        <Pick
          label={t('timeline.length')}
          value={length}
          options={{
            '1h': t('timeline.1h'),
            '3h': t('timeline.3h'),
            '24h': t('timeline.24h'),
            '7d': t('timeline.7d'),
          }}
          onChange={(wanted) => changeView({ range: wanted === '1h' ? undefined : wanted })}
        />
      </div>
      <Bars
        key={length}
        counts={data}
        first={from}
        ms={ms}
        count={count}
        pause={shownPause}
        marks={marks}
        chosen={chosen}
        choose={choose}
      />
      <p className={style['note']}>
        {error && !data
          ? errorText(failureOf(error))
          : t(data?.isRecorded ? 'timeline.recorded' : 'timeline.stored')}
        {data && data.partial.length > 0 && (
          <>
            {' '}
            {t('timeline.partial', {
              series: data.partial.map((name) => t(`timeline.${name}`)).join(', '),
              count: exact(data.examined),
            })}
          </>
        )}
      </p>
    </section>
  );
}

interface Chosen {
  /** Where the choice began, and where it is now. */
  readonly anchor: number;
  readonly at: number;
}

function Bars({
  counts,
  first,
  ms,
  count,
  pause,
  marks,
  chosen,
  choose,
}: {
  readonly counts: Counts | undefined;
  readonly first: number;
  readonly ms: number;
  readonly count: number;
  readonly pause: Pause | undefined;
  readonly marks: readonly Mark[];
  readonly chosen: Span | undefined;
  readonly choose: (span: Span | undefined) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [drawn, draw] = useState<Chosen>();
  const [cursor, setCursor] = useState(count - 1);
  const isDragged = useRef(false);
  const spanBetween = ({ anchor, at }: Chosen): Span => ({
    from: first + Math.min(anchor, at) * ms,
    to: first + (Math.max(anchor, at) + 1) * ms - 1,
  });
  const placeOf = ({ clientX }: PointerEvent): number => {
    const { left = 0, right = 1 } = box.current?.getBoundingClientRect() ?? {};
    const isRtl = document.documentElement.dir === 'rtl';
    const share = (isRtl ? right - clientX : clientX - left) / (right - left);
    return Math.max(0, Math.min(count - 1, Math.floor(share * count)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const back = document.documentElement.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    const steps: Readonly<Record<string, number>> = { ArrowLeft: 1, ArrowRight: 1, [back]: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      const at = Math.max(0, Math.min(count - 1, cursor + step));
      setCursor(at);
      draw(event.shiftKey ? { anchor: drawn?.anchor ?? cursor, at } : undefined);
    } else if (event.key === 'Enter') {
      choose(spanBetween(drawn ?? { anchor: cursor, at: cursor }));
      draw(undefined);
    } else if (event.key === 'Escape' && (drawn || chosen)) {
      if (!drawn) choose(undefined);
      draw(undefined);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const text = (at: number): string => {
    const counted = t('timeline.part', {
      time: dayAndTime(first + at * ms),
      completed: exact(counts?.completed[at] ?? 0),
      failed: exact(counts?.failed[at] ?? 0),
      added: exact(counts?.added[at] ?? 0),
    });
    const end = first + (at + 1) * ms;
    return [
      counted,
      ...(pause && pause.since < end ? [pauseText(pause)] : []),
      ...marks.filter((mark) => mark.at < end && mark.at >= end - ms).map((mark) => mark.text),
    ].join('\n');
  };
  const shown = drawn ? spanBetween(drawn) : chosen;
  const place = (time: number): number =>
    Math.max(0, Math.min(100, ((time - first) / (ms * count)) * 100));
  /** The edge of a mark, which stays in the picture when it has just begun. */
  const edge = (time: number): string => `min(${place(time)}%, 100% - 2px)`;
  return (
    <div
      ref={box}
      className={style['bars']}
      role="slider"
      tabIndex={0}
      aria-label={t('timeline.cursor')}
      aria-valuemin={0}
      aria-valuemax={count - 1}
      aria-valuenow={cursor}
      aria-valuetext={drawn ? rangeText(spanBetween(drawn)) : text(cursor)}
      title={text(cursor)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        isDragged.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        const at = placeOf(event);
        setCursor(at);
        draw({ anchor: at, at });
      }}
      onPointerMove={(event) => {
        const at = placeOf(event);
        setCursor(at);
        if (isDragged.current) draw((before) => before && { ...before, at });
      }}
      onPointerUp={(event) => {
        if (!isDragged.current) return;
        isDragged.current = false;
        if (drawn) choose(spanBetween({ ...drawn, at: placeOf(event) }));
        draw(undefined);
      }}
      onPointerCancel={() => {
        isDragged.current = false;
        draw(undefined);
      }}
    >
      {pause && <span className={style['pause']} style={{ insetInlineStart: edge(pause.since) }} />}
      {marks.map(({ id, kind, at }) => (
        <span
          key={id}
          className={style['mark']}
          data-series={kind}
          style={{ insetInlineStart: edge(at) }}
        />
      ))}
      {counts && <Picture counts={counts} count={count} />}
      {shown && (
        <span
          className={style['span']}
          style={{
            insetInlineStart: `${place(shown.from)}%`,
            width: `${place(shown.to + 1) - place(shown.from)}%`,
          }}
        />
      )}
      <span
        className={style['cursor']}
        style={{ insetInlineStart: `${((cursor + 0.5) / count) * 100}%` }}
      />
    </div>
  );
}

function Picture({
  counts: { completed, failed, added },
  count,
}: {
  readonly counts: Counts;
  readonly count: number;
}) {
  const top = Math.max(1, ...completed, ...added);
  const bottom = Math.max(1, ...failed);
  const path = (values: readonly number[], height: (value: number) => number): string =>
    values
      .map((value, at) => {
        if (value === 0) return '';
        const y = height(value);
        return `M${at + 0.1} ${above}V${above + y}H${at + 0.9}V${above}Z`;
      })
      .join('');
  const line = added
    .map((value, at) => {
      const y = above - (value / top) * (above - 1);
      return `${at === 0 ? 'M' : 'L'}${at} ${y}H${at + 1}`;
    })
    .join('');
  return (
    <svg
      viewBox={`0 0 ${count} ${above + below}`}
      preserveAspectRatio="none"
      className={style['picture']}
      aria-hidden="true"
    >
      <path
        className={style['completed']}
        d={path(completed, (value) => -Math.max(1, (value / top) * (above - 1)))}
      />
      <path
        className={style['failed']}
        d={path(failed, (value) => Math.max(1.5, (value / bottom) * (below - 1)))}
      />
      <path className={style['added']} d={line} />
      <path className={style['base']} d={`M0 ${above}H${count}`} />
    </svg>
  );
}
