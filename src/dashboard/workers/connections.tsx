/** The connections of the workers of BullMQ and Bull, by queue. */

import { Link } from '@tanstack/react-router';
import { useRef } from 'react';

import { allBoards } from '../api/boards.ts';
import { age } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import style from '../kit/list.module.css';
import { useRowKeys } from '../kit/row-keys.ts';
import type { Connections } from './data.ts';

export function ConnectionTable({ board, queues }: Connections) {
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table);
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
      <table ref={table} className={`rows ${style['table']}`}>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t('workers.worker')}</th>
            <th scope="col">{t('workers.queue')}</th>
            <th scope="col">{t('workers.address')}</th>
            <th scope="col">{t('workers.id')}</th>
            <th scope="col" data-end>
              {t('workers.age')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ queue, id, name, addr, age: seconds }) => (
            <tr key={`${queue} ${id}`}>
              <th scope="row">{name ?? t('workers.unnamed')}</th>
              <td data-label={t('workers.queue')}>
                <Link
                  to="/queue/$queueName"
                  params={{ queueName: queue }}
                  search={{ board: board.param, tab: 'workers' }}
                  data-row-link
                >
                  {queue}
                </Link>
              </td>
              <td className="mono" data-label={t('workers.address')}>
                {addr}
              </td>
              <td className="mono" data-label={t('workers.id')}>
                {id}
              </td>
              <td data-end data-label={t('workers.age')}>
                {age(seconds * 1_000)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
