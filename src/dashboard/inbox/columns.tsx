/** The columns of the errors of stored failures. */

import { Link } from '@tanstack/react-router';

import { toJob } from '../api/boards.ts';
import { t } from '../i18n/index.ts';
import { Spark } from '../kit/spark.tsx';
import { columnsOf } from '../kit/table.tsx';
import { Count, When } from '../kit/text.tsx';
import { Actions, listOf } from './commands.tsx';
import type { Asked } from './commands.tsx';
import { curveOf } from './data.ts';
import type { BoardErrors, StoredError } from './data.ts';
import style from './inbox.module.css';

/** Queues of an error that are named. */
const namedQueues = 3;

/** An error among those of its board. */
export interface Shown {
  readonly error: StoredError;
  readonly of: BoardErrors;
}

export const columnsFor = (ask: (asked: Asked) => void) =>
  columnsOf<Shown>([
    {
      title: 'inbox.count',
      className: style['count'],
      end: true,
      cell: ({ error }) => <Count value={error.count || (error.recorded?.count ?? 0)} />,
    },
    {
      title: 'inbox.error',
      names: true,
      cell: ({ error }) => {
        const { example, error: name, board, names, releases, count } = error;
        const shown = name === '' ? t('inbox.unnamed') : name;
        return (
          <>
            {example ? (
              <Link
                {...toJob(board, example.queueName, example.id)}
                data-row-link
                dir="auto"
                title={example.message}
              >
                {shown}
              </Link>
            ) : (
              <span dir="auto">{shown}</span>
            )}
            <small>
              {[
                ...(count === 0 ? [t('inbox.gone')] : []),
                ...names.slice(0, 3),
                ...releases.slice(0, 2).map(({ release }) => release),
              ].join(' · ')}
            </small>
          </>
        );
      },
    },
    {
      title: 'inbox.curve',
      className: style['curve'],
      leaves: 2,
      cell: ({ error, of }) => <Spark values={curveOf(error, of)} label={t('inbox.curve')} />,
    },
    {
      title: 'inbox.queues',
      className: `several ${style['queues']}`,
      cell: ({ error }) => (
        <>
          {[...error.queues.keys()].slice(0, namedQueues).map((name) => (
            <Link key={name} {...listOf(error, name)}>
              {name}
            </Link>
          ))}
          {error.queues.size > namedQueues && (
            <span>{t('inbox.more', { count: error.queues.size - namedQueues })}</span>
          )}
        </>
      ),
    },
    {
      title: 'inbox.first',
      className: style['first'],
      leaves: 1,
      cell: ({ error }) => <When time={error.firstAt} />,
    },
    {
      title: 'inbox.last',
      className: style['last'],
      cell: ({ error }) => <When time={error.lastAt} />,
    },
    {
      title: 'inbox.menu',
      untitled: true,
      plain: true,
      className: style['menu'],
      cell: ({ error }) => <Actions error={error} ask={ask} />,
    },
  ]);
