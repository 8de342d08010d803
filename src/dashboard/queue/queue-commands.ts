/** The commands of a queue, of either engine. */

import { perform } from '../actions/perform.ts';
import type { Board } from '../api/boards.ts';
import type { BulkRun } from '../../board/contract/index.ts';
import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';

/** Pauses or resumes a queue; the notice offers the way back. */
export async function setPaused(
  board: Board,
  queueName: string,
  paused: boolean,
): Promise<boolean> {
  return perform({
    board,
    action: 'queue.pause',
    queue: queueName,
    run: () =>
      board.client.call(
        paused ? 'PUT /api/queues/{queueName}/pause' : 'PUT /api/queues/{queueName}/resume',
        { params: { queueName } },
      ),
    done: () => ({
      text: t(paused ? 'done.paused' : 'done.resumed', { queue: queueName }),
      undo: () => void setPaused(board, queueName, !paused),
    }),
  });
}

/** Follows the run that does the rest of a command. */
export function followRest(board: Board, run: BulkRun | undefined): void {
  if (run) void import('./runs.ts').then(({ follow }) => follow(board, run));
}

/** Retries every failed job of a queue. */
export async function retryFailed(board: Board, queueName: string): Promise<boolean> {
  if (board.engine === 'pgq') {
    return perform({
      board,
      action: 'jobs.retry',
      queue: queueName,
      run: () =>
        board.client.call('PUT /api/pgq/queues/{queueName}/retry-failed', {
          params: { queueName },
        }),
      done: ({ requested, affected, run }) => {
        followRest(board, run);
        return doneCount(requested, affected, t('bulk.retried'));
      },
    });
  }
  return perform({
    board,
    action: 'jobs.retry',
    queue: queueName,
    run: () =>
      board.client.call('PUT /api/queues/{queueName}/retry/{queueStatus}', {
        params: { queueName, queueStatus: 'failed' },
      }),
    done: ({ retried, skipped, run }) => {
      followRest(board, run);
      return doneCount(retried + skipped, retried, t('bulk.retried'));
    },
  });
}

/** "requested 40 · retried 38 · 2 not in a state for it". */
export function doneCount(requested: number, affected: number, verb: string): string {
  const parts = [
    t('bulk.requested', { count: exact(requested) }),
    `${verb} ${exact(affected)}`,
    requested > affected ? t('bulk.refused', { count: exact(requested - affected) }) : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}
