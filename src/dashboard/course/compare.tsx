/** Two jobs of a queue side by side: their courses, their facts and their values; fields that differ are marked. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { toJob } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import { duration, exactTime } from '../format/time.ts';
import { addTexts, t } from '../i18n/index.ts';
import courseTexts from '../i18n/messages/en/course.json';
import type { MessageKey } from '../i18n/index.ts';
import { IconButton } from '../kit/button.tsx';
import { Failed, Note, Skeleton } from '../kit/panel.tsx';
import { stateName } from '../kit/states.tsx';
import { useChangeView } from '../view.ts';
import { jobDetail } from '../job/detail.ts';
import type { JobDetail } from '../job/detail.ts';
import { valuesOf } from './values.ts';
import style from './compare.module.css';

addTexts(courseTexts);

/** Characters of a value that are shown. */
const mostShown = 2_000;

const lengthOf = (from: number | undefined, to: number | undefined): string =>
  from === undefined || to === undefined ? '' : duration(Math.max(0, to - from));

function rowsOf(job: JobDetail): ReadonlyMap<string, string> {
  const { added, started, finished } = job;
  const own: [MessageKey, string][] = [
    ['col.name', job.name],
    ['col.state', stateName(job.state)],
    ['col.attempts', [job.attempts, job.attemptsLimit].filter((n) => n !== undefined).join('/')],
    ['col.added', added === undefined ? '' : exactTime(added)],
    ['time.waited', lengthOf(added, started)],
    ['time.ran', lengthOf(started, finished)],
    ['fact.worker', job.worker ?? ''],
    ['col.priority', job.priority ? String(job.priority) : ''],
    ['job.error', job.reason ?? ''],
  ];
  return new Map([
    ...own.map(([key, value]) => [t(key), value] as const),
    ...Object.entries(job.facts),
    ...valuesOf('data', job.data),
    ...valuesOf('result', job.result),
    ...valuesOf('options', job.options),
  ]);
}

export function Compare({
  board,
  job,
  otherId,
}: {
  readonly board: Board;
  readonly job: JobDetail;
  readonly otherId: string;
}) {
  const changeView = useChangeView();
  const { data: other, error, refetch } = useQuery(jobDetail(board, job.queueName, otherId));
  const close = (
    <IconButton
      icon="cross"
      label={t('compare.close')}
      onClick={() => changeView({ with: undefined })}
    />
  );
  if (!other) {
    return (
      <section className={style['compare']} aria-label={t('compare.title')}>
        {close}
        {error ? <Failed error={error} retry={() => void refetch()} /> : <Skeleton rows={6} />}
      </section>
    );
  }
  const [left, right] = [rowsOf(job), rowsOf(other)];
  const names = [...new Set([...left.keys(), ...right.keys()])].filter(
    (name) => left.get(name) || right.get(name),
  );
  const differing = names.filter((name) => left.get(name) !== right.get(name));
  const isCut = [...job.truncated, ...other.truncated].length > 0;
  return (
    <section className={style['compare']} aria-label={t('compare.title')}>
      <div className={style['head']}>
        <h2>{t('compare.differ', { count: differing.length, of: names.length })}</h2>
        {close}
      </div>
      {isCut && <Note tone="warn">{t('job.truncated')}</Note>}
      <div
        className={style['scroll']}
        tabIndex={0}
        role="region"
        aria-label={`${job.id}, ${other.id}`}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">{t('compare.field')}</th>
              <th scope="col" className="mono">
                {job.id}
              </th>
              <th scope="col">
                <Link {...toJob(board, job.queueName, other.id, { with: job.id })} className="mono">
                  {other.id}
                </Link>
              </th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => {
              const differs = left.get(name) !== right.get(name);
              return (
                <tr key={name} data-differs={differs || undefined}>
                  <th scope="row">
                    {differs && (
                      <>
                        <span aria-hidden="true">≠ </span>
                        <span className="visually-hidden">{t('compare.differs')} </span>
                      </>
                    )}
                    {name}
                  </th>
                  <td>{left.get(name)?.slice(0, mostShown)}</td>
                  <td>{right.get(name)?.slice(0, mostShown)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
