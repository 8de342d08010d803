/** The connections of the workers of BullMQ and Bull, by queue. */

import { Link } from '@tanstack/react-router';

import { allBoards } from '../api/boards.ts';
import { age } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import style from '../kit/list.module.css';
import { Table } from '../kit/table.tsx';
import type { Connections } from './data.ts';

export function ConnectionTable({ board, queues }: Connections) {
  const rows = queues.flatMap(({ name, connections }) =>
    connections.map((connection) => ({ queue: name, ...connection })),
  );
  if (rows.length === 0) return null;
  const title = t('workers.connections', { board: board.title });
  return (
    <section className={style['part']} aria-label={title}>
      {allBoards.length > 1 && (
        <h2>
          {title} <small>{rows.length}</small>
        </h2>
      )}
      <Table
        caption={title}
        className={`rows ${style['table']}`}
        rows={rows}
        keyOf={({ queue, id }) => `${queue} ${id}`}
        columns={[
          {
            title: 'workers.worker',
            names: true,
            cell: ({ name }) => name ?? t('workers.unnamed'),
          },
          {
            title: 'workers.queue',
            cell: ({ queue }) => (
              <Link
                to="/queue/$queueName"
                params={{ queueName: queue }}
                search={{ board: board.param, tab: 'workers' }}
                data-row-link
              >
                {queue}
              </Link>
            ),
          },
          { title: 'workers.address', cell: ({ addr }) => <code>{addr}</code> },
          { title: 'workers.id', cell: ({ id }) => <code>{id}</code> },
          {
            title: 'workers.age',
            end: true,
            cell: ({ age: seconds }) => age(seconds * 1_000),
          },
        ]}
      />
    </section>
  );
}
