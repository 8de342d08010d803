/** The connected workers of a queue. */

import { useQuery } from '@tanstack/react-query';

import type { QueuePlace } from '../api/boards.ts';
import { age } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Empty, Failed, Skeleton } from '../kit/panel.tsx';
import { live } from '../live/loop.ts';
import style from './queue.module.css';

export function Workers({ board, queueName }: QueuePlace) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [board.basePath, 'workers', queueName],
    queryFn: ({ signal }) =>
      board.client.call('GET /api/queues/{queueName}/workers', { params: { queueName }, signal }),
    meta: live,
  });
  if (isPending) return <Skeleton rows={3} />;
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  const workers = data?.workers;
  if (!workers) return <Empty title={t('workers.unknown')} />;
  if (workers.length === 0) {
    return (
      <Empty icon="warn" title={t('workers.nobody')}>
        {t('workers.nobodyNext')}
      </Empty>
    );
  }
  return (
    <table className={style['plain']}>
      <caption className="visually-hidden">{t('queue.workers')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('workers.name')}</th>
          <th scope="col">{t('workers.id')}</th>
          <th scope="col">{t('workers.address')}</th>
          <th scope="col" data-end>
            {t('workers.age')}
          </th>
        </tr>
      </thead>
      <tbody>
        {workers.map(({ id, name, addr, age: seconds }) => (
          <tr key={id}>
            <td>{name ?? t('workers.unnamed')}</td>
            <td className="mono">{id}</td>
            <td className="mono">{addr}</td>
            <td data-end>{age(seconds * 1_000)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
