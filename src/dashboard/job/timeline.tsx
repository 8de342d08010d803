/** The course of a job: added, waited, ran, ended; the lengths are to scale where that can be seen. */

import { duration, exactTime, timeOfDay } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { useClock } from '../live/clock.ts';
import { stateName, toneOf } from '../kit/states.tsx';
import { When } from '../kit/text.tsx';
import type { JobDetail } from './detail.ts';
import style from './job.module.css';

interface Step {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly tone: string;
}

/** @param attempts those that have begun; the job tells the times of the last one */
export function Timeline({
  job,
  attempts,
}: {
  readonly job: JobDetail;
  readonly attempts: number;
}) {
  const { added, started, finished, runsAt, state } = job;
  const ended = finished !== undefined;
  const second = useClock((now) => Math.floor(now / 1_000));
  if (added === undefined) return null;
  const now = second * 1_000;
  const last =
    finished ??
    (state === 'active' || started === undefined ? Math.max(now, started ?? added) : started);
  const steps: Step[] = [];
  const waitsFrom =
    runsAt !== undefined && (started === undefined || runsAt < started)
      ? Math.min(runsAt, last)
      : added;
  if (waitsFrom > added)
    steps.push({ name: t('time.delayed'), from: added, to: waitsFrom, tone: 'delayed' });
  const waitsTo = started ?? (runsAt !== undefined && runsAt > now && !ended ? waitsFrom : last);
  const isRetried = started !== undefined && attempts > 1;
  if (waitsTo > waitsFrom)
    steps.push({
      name: isRetried ? t('time.earlier', { count: attempts - 1 }) : t('time.waited'),
      from: waitsFrom,
      to: waitsTo,
      tone: isRetried ? 'retry' : 'waiting',
    });
  if (started !== undefined && last > started) {
    steps.push({
      name: t(ended ? 'time.ran' : 'time.runs'),
      from: started,
      to: last,
      tone: ended ? toneOf(state) : 'active',
    });
  }
  const total = steps.reduce((sum, { from, to }) => sum + to - from, 0);
  return (
    <section className={style['timeline']} aria-label={t('job.timeline')}>
      <ol>
        {steps.map(({ name, from, to, tone }) => (
          <li
            key={name}
            data-tone={tone}
            style={{ flexGrow: Math.max(0.08, (to - from) / Math.max(1, total)) }}
          >
            <span className={style['length']}>
              {name} <strong dir="auto">{duration(to - from)}</strong>
            </span>
          </li>
        ))}
      </ol>
      <p>
        <span>
          {t('time.added')} <time title={exactTime(added)}>{timeOfDay(added)}</time> (
          <When time={added} />)
        </span>
        {started !== undefined && (
          <span>
            {t('time.started')} <time title={exactTime(started)}>{timeOfDay(started)}</time>
          </span>
        )}
        {finished !== undefined && (
          <span>
            {stateName(state)} <time title={exactTime(finished)}>{timeOfDay(finished)}</time>
          </span>
        )}
        {runsAt !== undefined && started === undefined && (
          <span>
            {t('job.runs')} <When time={runsAt} />
          </span>
        )}
      </p>
    </section>
  );
}
