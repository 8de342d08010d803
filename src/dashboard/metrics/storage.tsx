/** The storage that the history uses, and its deletion. */

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { perform, useAllowed } from '../actions/perform.ts';
import type { Board } from '../api/boards.ts';
import { failureOf } from '../api/errors.ts';
import { useListing } from '../api/listings.ts';
import { bytes, exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialogs/confirm.tsx';
import { TextField } from '../kit/dialogs/form.tsx';
import { Failed, Skeleton } from '../kit/panel.tsx';
import { Table } from '../kit/table.tsx';
import { usage } from './data.ts';
import style from './metrics.module.css';

export function Storage({
  board,
  queue,
  canPurge,
}: {
  readonly board: Board;
  readonly queue: string | undefined;
  readonly canPurge: boolean;
}) {
  const { data, error, isPending, refetch } = useQuery(usage(board));
  const [asking, ask] = useState(false);
  const listing = useListing(board);
  const allowed = useAllowed(board, queue ?? '', listing.data?.allowed);
  if (error && failureOf(error).status === 404) return null;
  const queues = data?.queues.filter((each) => each.queue !== '__global__') ?? [];
  const own = queues.find((each) => each.queue === queue);
  const days = own?.days.toSorted() ?? [];
  const [from, to] = own
    ? [days[0] ?? null, days.at(-1) ?? null]
    : [data?.oldestDay ?? null, data?.newestDay ?? null];
  const shown = queue === undefined ? data : own;
  return (
    <section className={style['panel']} aria-label={t('metrics.storage')}>
      <header className={style['head']}>
        <h2>{t('metrics.storage')}</h2>
        {canPurge && listing.data && allowed('history.purge') && (
          <Button icon="trash" look="quiet" onClick={() => ask(true)}>
            {t('metrics.purge')}
          </Button>
        )}
      </header>
      {isPending && <Skeleton rows={2} />}
      {error && !data && <Failed error={error} retry={() => void refetch()} />}
      {data && (
        <p className={style['storage']}>
          {shown && from !== null && to !== null
            ? t('metrics.kept', { from, to, size: bytes(shown.bytes), keys: exact(shown.keys) })
            : t('metrics.keptNone')}
        </p>
      )}
      {queue === undefined && queues.length > 0 && (
        <details className={style['figures']}>
          <summary>{t('metrics.byQueue')}</summary>
          <div
            className={style['scroll']}
            role="region"
            aria-label={t('metrics.byQueue')}
            tabIndex={0}
          >
            <Table
              caption={t('metrics.byQueue')}
              rows={queues.toSorted((left, right) => right.bytes - left.bytes)}
              keyOf={(each) => each.queue}
              columns={[
                { title: 'metrics.queue', names: true, cell: (each) => each.queue },
                { title: 'metrics.size', cell: (each) => bytes(each.bytes) },
                { title: 'metrics.days', cell: (each) => exact(each.days.length) },
              ]}
            />
          </div>
        </details>
      )}
      {asking && <Purge board={board} queue={queue} close={() => ask(false)} />}
    </section>
  );
}

function Purge({
  board,
  queue,
  close,
}: {
  readonly board: Board;
  readonly queue: string | undefined;
  readonly close: () => void;
}) {
  const [before, setBefore] = useState('');
  return (
    <Confirm
      title={t('metrics.purgeTitle', { queue: queue ?? t('metrics.allQueues') })}
      action={t('metrics.purgeAction')}
      typed={queue ?? board.title}
      close={close}
      run={() =>
        void perform({
          board,
          action: 'history.purge',
          ...(queue !== undefined && { queue }),
          run: () =>
            board.client.call('POST /api/metrics/history/purge', {
              body: {
                ...(queue !== undefined && { queue }),
                ...(before !== '' && { before }),
              },
            }),
          done: ({ keysDeleted, fieldsDeleted }) =>
            t('metrics.purged', { keys: exact(keysDeleted), fields: exact(fieldsDeleted) }),
        })
      }
    >
      <p>{t('metrics.purgeText')}</p>
      <TextField
        type="date"
        label={t('metrics.before')}
        hint={t('metrics.beforeHint')}
        value={before}
        onChange={({ target }) => setBefore(target.value)}
      />
    </Confirm>
  );
}
