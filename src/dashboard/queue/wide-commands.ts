/** Commands on all jobs of a queue. */

import { perform } from '../actions/perform.ts';
import type { Board } from '../api/boards.ts';
import type { BulkRun } from '../../board/contract/index.ts';
import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { doneCount, followRest } from './queue-commands.ts';

interface Removed {
  readonly removed: number;
  readonly spared: number;
  readonly run?: BulkRun;
}

const removedFrom =
  (board: Board) =>
  ({ removed, spared, run }: Removed): string => {
    followRest(board, run);
    const text = t('bulk.removedCount', { count: exact(removed) });
    return spared > 0 ? `${text} · ${t('bulk.spared', { count: exact(spared) })}` : text;
  };

export const promoteAll = (board: Board, queueName: string) =>
  perform({
    board,
    action: 'jobs.promote',
    queue: queueName,
    run: () => board.client.call('PUT /api/queues/{queueName}/promote', { params: { queueName } }),
    done: ({ promoted, skipped, run }) => {
      followRest(board, run);
      return doneCount(promoted + skipped, promoted, t('bulk.promoted'));
    },
  });

export const clean = (board: Board, queueName: string, queueStatus: string) =>
  perform({
    board,
    action: 'jobs.remove',
    queue: queueName,
    run: () =>
      board.client.call('PUT /api/queues/{queueName}/clean/{queueStatus}', {
        params: { queueName, queueStatus },
      }),
    done: removedFrom(board),
  });

export const empty = (board: Board, queueName: string) =>
  perform({
    board,
    action: 'jobs.remove',
    queue: queueName,
    run: () => board.client.call('PUT /api/queues/{queueName}/empty', { params: { queueName } }),
    done: removedFrom(board),
  });

export const obliterate = (board: Board, queueName: string) =>
  perform({
    board,
    action: 'queue.obliterate',
    queue: queueName,
    run: () =>
      board.client.call('PUT /api/queues/{queueName}/obliterate', {
        params: { queueName },
        body: {},
      }),
    done: () => t('done.obliterated', { queue: queueName }),
  });

const purge = (board: Board, queueName: string, what: 'delete-queued' | 'delete-stored') =>
  perform({
    board,
    action: 'jobs.remove',
    queue: queueName,
    run: () =>
      board.client.call(`PUT /api/pgq/queues/{queueName}/${what}`, { params: { queueName } }),
    done: ({ affected, run }) => {
      followRest(board, run);
      return t('bulk.removedCount', { count: exact(affected) });
    },
  });

export const deleteQueued = (board: Board, queueName: string) =>
  purge(board, queueName, 'delete-queued');
export const deleteStored = (board: Board, queueName: string) =>
  purge(board, queueName, 'delete-stored');
