/** The next runs in the schedule's zone and in the person's, with a warning where the clocks change. */

import { dayAndTime, exactTime, weekdayAndTime } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../kit/icon.tsx';
import { Note } from '../kit/panel.tsx';
import { serverNow } from '../live/server-time.ts';
import { settings } from '../settings.ts';
import { affectedTimes, offsetAt } from './clock-changes.ts';
import style from './schedules.module.css';

const offsetText = (minutes: number): string => {
  const size = Math.abs(minutes);
  const rest = size % 60;
  return `UTC${minutes < 0 ? '−' : '+'}${Math.floor(size / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
};

const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

const ownZone = (): string =>
  settings().zone === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Where the clocks have changed since the run before. */
function changeBefore(runs: readonly number[], at: number, zone: string): string | undefined {
  const [before, now] = [runs[at - 1] ?? serverNow(), runs[at] ?? 0].map((time) =>
    offsetAt(time, zone),
  ) as [number, number];
  return before === now
    ? undefined
    : t('schedules.clockChange', { zone, from: offsetText(before), to: offsetText(now) });
}

export function NextRuns({
  runs,
  zone,
  expression,
}: {
  readonly runs: readonly number[];
  /** Zone of the schedule; undefined where it is not known. */
  readonly zone: string | undefined;
  /** Cron expression; empty for an interval. */
  readonly expression: string;
}) {
  const zones = [...new Set([zone ?? 'UTC', ownZone()])];
  const affected = zone === undefined ? [] : affectedTimes(expression, zone, serverNow());
  return (
    <div className={style['next']}>
      <table className={style['runs']}>
        <caption>{t('schedules.nextRuns')}</caption>
        <thead>
          <tr>
            <th scope="col">{zones[0]}</th>
            <th scope="col">{t('schedules.yourZone')}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((time, at) => {
            const changes = zones
              .map((each) => changeBefore(runs, at, each))
              .filter((text) => text !== undefined);
            return (
              <tr key={time} title={exactTime(time)}>
                <td>{weekdayAndTime(time, zones[0])}</td>
                <td>
                  {weekdayAndTime(time)}
                  {changes.length > 0 && (
                    <span className={style['change']}>
                      <Icon name="warn" size={12} /> {changes.join(' · ')}
                    </span>
                  )}
                </td>
              </tr>
            );
          })}
          {runs.length === 0 && (
            <tr>
              <td colSpan={2}>{t('schedules.never')}</td>
            </tr>
          )}
        </tbody>
      </table>
      {affected.map(({ change, kind, minute }) => (
        <Note key={change.at} tone="warn">
          {t(`schedules.${kind}`, {
            day: dayAndTime(change.at, zone).replace(/,?\s*\d\d:\d\d$/, ''),
            time: clockText(minute),
            zone: zone ?? '',
          })}
        </Note>
      ))}
    </div>
  );
}
