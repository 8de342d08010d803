/** The warnings of pg-boss: slow queries, backlogs, clocks that differ, newest first. */

import texts from '../i18n/messages/en/warnings.json';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { allBoards, toQueue, useBoard } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { pgqInfo } from '../api/queries.ts';
import { instant } from '../format/time.ts';
import { addTexts, t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { Pick } from '../kit/filter.tsx';
import style from '../kit/list.module.css';
import { Empty, Failed, Note, Skeleton } from '../kit/panel.tsx';
import { Table } from '../kit/table.tsx';
import { When } from '../kit/text.tsx';
import { useTitle } from '../kit/title.ts';
import { live } from '../live/loop.ts';
import { useChangeView, useView } from '../view.ts';
import type { View } from '../view.ts';
import own from './warnings.module.css';

addTexts(texts);

type Warning = Answer<'GET /api/pgq/warnings'>['warnings'][number];

/** The types of warnings of pg-boss by its own words; others are offered when they are met. */
const knownTypes = [
  'slow_query',
  'queue_backlog',
  'clock_skew',
  'index_bloat',
  'xmin_horizon',
  'autovacuum_disabled',
  'monitor_backoff',
];

const limit = 50;

const warningsOf = ({ client }: Board, { type, cursor }: View) =>
  queryOptions({
    ...client.read('GET /api/pgq/warnings', { query: { type, cursor, limit } }),
    meta: live,
    placeholderData: keepPreviousData,
  });

const boards = allBoards.filter(({ engine }) => engine === 'pgq');

export function Screen() {
  const named = useBoard();
  useTitle(t('warnings.title'));
  const board = named.engine === 'pgq' ? named : boards[0];
  if (board) return <Warnings board={board} />;
  return (
    <main className="screen">
      <div className="bar">
        <h1>{t('warnings.title')}</h1>
      </div>
      <Empty icon="tick" title={t('warnings.noBoard')}>
        {t('warnings.noBoardNext')}
      </Empty>
    </main>
  );
}

function Warnings({ board }: { readonly board: Board }) {
  const view = useView();
  const { type, cursor } = view;
  const changeView = useChangeView();
  const asked = useQuery(pgqInfo(board));
  const info = asked.data;
  // A schema without the table has no warnings to ask for.
  const absent = info?.features.warnings === false;
  const listed = useQuery({
    ...warningsOf(board, view),
    enabled: info !== undefined && !absent,
  });
  const { data, isPending } = listed;
  // Without the one, the other is not asked for.
  const error = asked.error ?? listed.error;
  const refetch = () => void (asked.error ? asked : listed).refetch();
  const warnings = data?.warnings ?? [];
  const types = [...new Set([...knownTypes, ...warnings.map((each) => each.type), type ?? ''])]
    .filter((each) => each !== '')
    .toSorted();
  return (
    <main className="screen">
      <div className="bar">
        <h1>{t('warnings.title')}</h1>
        {!absent && (
          <Pick
            label={t('warnings.type')}
            value={type ?? ''}
            options={{
              '': t('warnings.all'),
              ...Object.fromEntries(types.map((each) => [each, each])),
            }}
            onChange={(kind) => changeView({ type: kind || undefined, cursor: undefined })}
          />
        )}
        {boards.length > 1 && (
          <Pick
            label={t('warnings.board')}
            value={board.basePath}
            options={Object.fromEntries(boards.map(({ basePath, title }) => [basePath, title]))}
            onChange={(path) => changeView({ board: path, type: undefined, cursor: undefined })}
          />
        )}
      </div>
      {error && data && <Note tone="warn">{t('warnings.stale')}</Note>}
      {info && !absent && !info.persistWarnings && warnings.length > 0 && (
        <Note>{t('warnings.offNow')}</Note>
      )}
      {absent ? (
        <Empty icon="info" title={t('warnings.off')}>
          {t('warnings.offNext')}
        </Empty>
      ) : error && !data ? (
        <Failed error={error} retry={refetch} />
      ) : isPending ? (
        <Skeleton />
      ) : warnings.length > 0 ? (
        <Table
          caption={t('warnings.title')}
          className={`rows ${style['table']} ${own['table']}`}
          rows={warnings}
          keyOf={({ id }) => String(id)}
          columns={[
            {
              title: 'warnings.when',
              plain: true,
              cell: ({ createdOn }) => <When time={instant(createdOn)} />,
            },
            { title: 'warnings.kind', plain: true, cell: (each) => <code>{each.type}</code> },
            {
              title: 'warnings.queue',
              plain: true,
              cell: ({ queueName }) =>
                queueName !== null && <Link {...toQueue(board, queueName)}>{queueName}</Link>,
            },
            {
              title: 'warnings.message',
              plain: true,
              className: own['message'],
              cell: (warning) => <Message warning={warning} />,
            },
          ]}
        />
      ) : type === undefined ? (
        <Empty icon="tick" title={t(info?.persistWarnings ? 'warnings.none' : 'warnings.off')}>
          {t(info?.persistWarnings ? 'warnings.noneNext' : 'warnings.offNext')}
        </Empty>
      ) : (
        <Empty icon="search" title={t('warnings.noMatch')}>
          <Button onClick={() => changeView({ type: undefined, cursor: undefined })}>
            {t('clearFilters')}
          </Button>
        </Empty>
      )}
      {data && (cursor !== undefined || data.nextCursor !== null) && (
        <div className={style['foot']}>
          {cursor !== undefined && (
            <Button icon="up" look="quiet" onClick={() => changeView({ cursor: undefined })}>
              {t('warnings.newest')}
            </Button>
          )}
          {data.prevCursor !== null && (
            <Button
              icon="left"
              onClick={() => changeView({ cursor: data.prevCursor ?? undefined })}
            >
              {t('warnings.newer')}
            </Button>
          )}
          {data.nextCursor !== null && (
            <Button
              icon="right"
              onClick={() => changeView({ cursor: data.nextCursor ?? undefined })}
            >
              {t('warnings.older')}
            </Button>
          )}
        </div>
      )}
    </main>
  );
}

function Message({ warning: { message, data } }: { readonly warning: Warning }) {
  const hasData = typeof data === 'object' && data !== null && Object.keys(data).length > 0;
  if (!hasData) return message;
  return (
    <details>
      <summary data-row-link>{message}</summary>
      <pre tabIndex={0} aria-label={t('warnings.details')}>
        {JSON.stringify(data, null, 2)}
      </pre>
    </details>
  );
}
