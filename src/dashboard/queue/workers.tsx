/** The workers of a queue: connections of BullMQ and Bull, processes of pg-boss, and the jobs that they run. */

import { useQuery } from '@tanstack/react-query';

import type { QueuePlace } from '../api/boards.ts';
import { failureOf } from '../api/errors.ts';
import { age } from '../format/time.ts';
import { addTexts, t } from '../i18n/index.ts';
import texts from '../i18n/messages/en/workers.json';
import { Empty, Failed, Note, Skeleton } from '../kit/panel.tsx';
import { Table } from '../kit/table.tsx';
import { live } from '../live/loop.ts';
import { processesOf } from '../workers/data.ts';
import { ProcessTables } from '../workers/processes.tsx';
import { RunningJobs } from '../workers/running.tsx';
import type { ShownQueue } from './info.ts';
import style from './queue.module.css';

addTexts(texts);

export function Workers({ board, queueName, info }: ShownQueue) {
  const { kvq } = info;
  const most = kvq?.globalConcurrency;
  return (
    <>
      {most !== null && most !== undefined && (
        <Note>{t('workers.atOnce', { active: kvq?.counts.active ?? 0, most })}</Note>
      )}
      {board.engine === 'kvq' ? (
        <Connections board={board} queueName={queueName} />
      ) : (
        <Processes board={board} queueName={queueName} />
      )}
      <RunningJobs board={board} queueName={queueName} />
    </>
  );
}

function Processes({ board, queueName }: QueuePlace) {
  const { data, error, isPending, refetch } = useQuery(processesOf(board));
  if (isPending) return <Skeleton rows={3} />;
  // Who may not read the board sees the jobs of the queue.
  if (error && !data) {
    return failureOf(error).status === 403 ? null : (
      <Failed error={error} retry={() => void refetch()} />
    );
  }
  const ofQueue = data?.instances?.flatMap((process) => {
    const workers = process.workers.filter((worker) => worker.queueName === queueName);
    return workers.length > 0 ? [{ ...process, workers }] : [];
  });
  return ofQueue?.length === 0 ? (
    <Empty icon="warn" title={t('workers.nobody')}>
      {t('workers.nobodyNext')}
    </Empty>
  ) : (
    <ProcessTables
      board={board}
      processes={ofQueue ?? null}
      loading={false}
      error={undefined}
      stale={error !== null}
      retry={() => void refetch()}
      matches={() => true}
    />
  );
}

function Connections({ board, queueName }: QueuePlace) {
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
