/** The connected workers of a queue. */

import { useQuery } from '@tanstack/react-query';

import type { QueuePlace } from '../api/boards.ts';
import { age } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Empty, Failed, Skeleton } from '../kit/panel.tsx';
import { Table } from '../kit/table.tsx';
import { live } from '../live/loop.ts';
import style from './queue.module.css';

export function Workers({ board, queueName }: QueuePlace) {
  const { data, error, isPending, refetch } = useQuery({
    ...board.client.read('GET /api/queues/{queueName}/workers', { params: { queueName } }),
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
    <Table
      caption={t('queue.workers')}
      className={style['plain']}
      rows={workers}
      keyOf={({ id }) => id}
      columns={[
        { title: 'workers.name', cell: ({ name }) => name ?? t('workers.unnamed') },
        { title: 'workers.id', cell: ({ id }) => <code>{id}</code> },
        { title: 'workers.address', cell: ({ addr }) => <code>{addr}</code> },
        { title: 'workers.age', end: true, cell: ({ age: seconds }) => age(seconds * 1_000) },
      ]}
    />
  );
}
