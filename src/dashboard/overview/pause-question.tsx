/** Asks before several queues are paused or resumed together, and does it; the notice offers the way back. */

import { useState } from 'react';

import { perform } from '../actions/perform.ts';
import type { Told } from '../actions/perform.ts';
import type { Board } from '../api/boards.ts';
import { t } from '../i18n/index.ts';
import { Confirm } from '../kit/dialogs/confirm.tsx';
import { ReasonField } from '../queue/reason-field.tsx';
import type { QueueRow } from './rows.ts';

/** Names that the question tells; of more it says how many they are. */
const most = 6;

/** Pauses or resumes the queues of one board. */
function setManyPaused(
  board: Board,
  queues: string[],
  paused: boolean,
  reason = '',
): Promise<boolean> {
  const body = { queues };
  return perform({
    board,
    action: 'queue.pause',
    run: () =>
      paused
        ? board.client.call('PUT /api/queues/pause', { body: { ...body, reason } })
        : board.client.call('PUT /api/queues/resume', { body }),
    done: (): Told => ({
      text: t(paused ? 'done.pausedMany' : 'done.resumedMany', { count: queues.length }),
      undo: () => void setManyPaused(board, queues, !paused),
    }),
  });
}

export interface Asked {
  readonly paused: boolean;
  /** The queues as they were when it was asked. */
  readonly rows: readonly QueueRow[];
}

export function PauseQuestion({
  asked: { paused, rows },
  close,
}: {
  readonly asked: Asked;
  readonly close: () => void;
}) {
  const count = rows.length;
  const [reason, setReason] = useState('');
  const run = () => {
    for (const [board, those] of Map.groupBy(rows, (row) => row.board)) {
      void setManyPaused(
        board,
        those.map(({ name }) => name),
        paused,
        reason,
      );
    }
  };
  return (
    <Confirm
      mild
      title={t(paused ? 'overview.pauseTitle' : 'overview.resumeTitle', { count })}
      action={t(paused ? 'overview.pauseMany' : 'overview.resumeMany', { count })}
      close={close}
      run={run}
    >
      <p dir="auto">
        {rows
          .slice(0, most)
          .map(({ title }) => title)
          .join(', ')}
        {count > most && ` ${t('attention.more', { count: count - most })}`}
      </p>
      <p>{t(paused ? 'overview.pauseText' : 'overview.resumeText')}</p>
      {paused && <ReasonField reason={reason} onChange={setReason} />}
    </Confirm>
  );
}
