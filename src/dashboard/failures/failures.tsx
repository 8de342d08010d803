/** Failed attempts of the last day, grouped by their error: how often, per hour, where, and since when. */

import texts from '../i18n/messages/en/failures.json';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';

import type { Board } from '../api/boards.ts';
import { addTexts, t } from '../i18n/index.ts';
import { Empty, Failed, Note, Skeleton } from '../kit/panel.tsx';
import { useRowKeys } from '../kit/row-keys.ts';
import { Spark } from '../kit/spark.tsx';
import { Count, When } from '../kit/text.tsx';
import { useMinute } from '../live/minute.ts';
import { longestPart } from '../queue/jobs.ts';
import { useFailures } from './data.ts';
import type { Failure } from './data.ts';
import style from './failures.module.css';

addTexts(texts);

/** Queues of an error that are named. */
const namedQueues = 3;

/** @param queue shows the errors of this queue alone */
export function Failures({
  boards,
  queue,
  filter = '',
}: {
  readonly boards: readonly Board[];
  readonly queue?: string | undefined;
  readonly filter?: string;
}) {
  const table = useRef<HTMLTableElement>(null);
  const { failures, loading, error, stale, retry } = useFailures(boards, queue, useMinute());
  useRowKeys(table);
  const matching = failures.filter(
    (each) =>
      filter === '' ||
      [each.error, each.example, ...each.queues].some((text) =>
        text.toLowerCase().includes(filter),
      ),
  );
  if (loading) return <Skeleton rows={4} />;
  if (error !== undefined && !stale) return <Failed error={error} retry={retry} />;
  if (matching.length === 0) {
    return filter === '' ? (
      <Empty icon="tick" title={t('failures.none')}>
        {t('failures.noneNext')}
      </Empty>
    ) : (
      <Empty icon="search" title={t('failures.noMatch')} />
    );
  }
  return (
    <div className={style['failures']}>
      {stale && <Note tone="warn">{t('failures.stale')}</Note>}
      <table ref={table} className={`rows stacked ${style['table']}`}>
        <caption className="visually-hidden">{t('failures.title')}</caption>
        <thead>
          <tr>
            <th scope="col" data-end>
              {t('failures.count')}
            </th>
            <th scope="col">{t('failures.error')}</th>
            <th scope="col">{t('failures.hours')}</th>
            {queue === undefined && <th scope="col">{t('failures.queues')}</th>}
            <th scope="col">{t('failures.first')}</th>
            <th scope="col">{t('failures.last')}</th>
          </tr>
        </thead>
        <tbody>
          {matching.map((failure) => (
            <Line key={failure.id} failure={failure} queue={queue} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({
  failure,
  queue,
}: {
  readonly failure: Failure;
  readonly queue: string | undefined;
}) {
  const { board, error, example, queues, count, perHour, firstAt, lastAt } = failure;
  const [first = ''] = queue === undefined ? queues : [queue];
  const [line = ''] = example.split('\n');
  // The failed jobs of a queue with this error.
  const jobsOf = (name: string) =>
    ({
      to: '/queue/$queueName',
      params: { queueName: name },
      search: {
        board: board.param,
        state: 'failed',
        // The board writes `<n>` for what differs.
        q: `error ~ ${JSON.stringify(longestPart(line, error.replaceAll(/<\w+>/g, '…')))}`,
      },
    }) as const;
  return (
    <tr>
      <td data-end className={style['count']}>
        <Count value={count} />
      </td>
      <th scope="row">
        <Link {...jobsOf(first)} data-row-link title={example}>
          {line}
        </Link>
      </th>
      <td className={style['hours']}>
        <Spark values={perHour} label={t('failures.hours')} />
      </td>
      {queue === undefined && (
        <td className={style['queues']}>
          {queues.slice(0, namedQueues).map((name) => (
            <Link key={name} {...jobsOf(name)}>
              {name}
            </Link>
          ))}
          {queues.length > namedQueues && (
            <span>{t('failures.more', { count: queues.length - namedQueues })}</span>
          )}
        </td>
      )}
      <td className={style['first']}>
        <When time={firstAt} />
      </td>
      <td className={style['last']}>
        <When time={lastAt} />
      </td>
    </tr>
  );
}
