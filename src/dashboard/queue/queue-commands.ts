/** The commands of a queue that the overview offers too, and what the commands of queues have in common. */

import { perform } from '../actions/perform.ts';
import type { Told } from '../actions/perform.ts';
import type { Board } from '../api/boards.ts';
import type { Client } from '../api/client.ts';
import type { BulkRun } from '../../board/contract/index.ts';
import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';

/** Jobs that one key or click may change at most; a command over more asks first. */
export const mostUnasked = 20;

/** Whether a command asks first: over many jobs, where it cannot be undone, or where finished work is done again. */
export const asksFirst = (verb: string, count: number, states: readonly string[]): boolean =>
  count > mostUnasked || verb === 'remove' || (verb === 'retry' && states.includes('completed'));

/** The filter of a run over all jobs of a state. */
export const filterOf = ({ engine }: Board, state: string): Record<string, string> =>
  engine === 'pgq' ? { state } : { status: state };

export type QueueCommand = (board: Board, queueName: string) => Promise<boolean>;

type Begun = { readonly run?: BulkRun | undefined } | undefined;

/** A command on a queue. A run that does the rest of it is followed. */
export const queueCommand =
  <Result>(
    action: string,
    run: (client: Client, params: { readonly queueName: string }) => Promise<Result & Begun>,
    done: (result: Result, queueName: string) => string,
  ): QueueCommand =>
  (board, queueName) =>
    perform({
      board,
      action,
      queue: queueName,
      run: () => run(board.client, { queueName }),
      done: (result) => {
        const rest = result?.run;
        if (rest) void import('./runs.ts').then(({ follow }) => follow(board, rest));
        return done(result, queueName);
      },
    });

/** Pauses or resumes a queue; the notice offers the way back. */
export function setPaused(board: Board, queueName: string, paused: boolean): Promise<boolean> {
  return perform({
    board,
    action: 'queue.pause',
    queue: queueName,
    run: () =>
      board.client.call(
        paused ? 'PUT /api/queues/{queueName}/pause' : 'PUT /api/queues/{queueName}/resume',
        { params: { queueName } },
      ),
    done: (): Told => ({
      text: t(paused ? 'done.paused' : 'done.resumed', { queue: queueName }),
      undo: () => void setPaused(board, queueName, !paused),
    }),
  });
}

const retryPgq = queueCommand(
  'jobs.retry',
  (client, params) => client.call('PUT /api/pgq/queues/{queueName}/retry-failed', { params }),
  ({ requested, affected }) => doneCount(requested, affected, t('bulk.retried')),
);

const retryKvq = queueCommand(
  'jobs.retry',
  (client, { queueName }) =>
    client.call('PUT /api/queues/{queueName}/retry/{queueStatus}', {
      params: { queueName, queueStatus: 'failed' },
    }),
  ({ retried, skipped }) => doneCount(retried + skipped, retried, t('bulk.retried')),
);

/** Retries every failed job of a queue. */
export const retryFailed: QueueCommand = (board, queueName) =>
  (board.engine === 'pgq' ? retryPgq : retryKvq)(board, queueName);

/** "requested 40 · retried 38 · 2 not in a state for it". */
export function doneCount(requested: number, affected: number, verb: string): string {
  const parts = [
    t('bulk.requested', { count: exact(requested) }),
    `${verb} ${exact(affected)}`,
    requested > affected ? t('bulk.refused', { count: exact(requested - affected) }) : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}
