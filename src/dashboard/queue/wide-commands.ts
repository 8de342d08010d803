/** Commands on all jobs of a queue. */

import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { doneCount, queueCommand } from './queue-commands.ts';
import type { QueueCommand } from './queue-commands.ts';

function removedText({ removed, spared }: { removed: number; spared: number }): string {
  const text = t('bulk.removedCount', { count: exact(removed) });
  return spared > 0 ? `${text} · ${t('bulk.spared', { count: exact(spared) })}` : text;
}

export const promoteAll = queueCommand(
  'jobs.promote',
  (client, params) => client.call('PUT /api/queues/{queueName}/promote', { params }),
  ({ promoted, skipped }) => doneCount(promoted + skipped, promoted, t('bulk.promoted')),
);

export const clean = (queueStatus: string): QueueCommand =>
  queueCommand(
    'jobs.remove',
    (client, { queueName }) =>
      client.call('PUT /api/queues/{queueName}/clean/{queueStatus}', {
        params: { queueName, queueStatus },
      }),
    removedText,
  );

export const empty = queueCommand(
  'jobs.remove',
  (client, params) => client.call('PUT /api/queues/{queueName}/empty', { params }),
  removedText,
);

export const obliterate = queueCommand(
  'queue.obliterate',
  (client, params) => client.call('PUT /api/queues/{queueName}/obliterate', { params, body: {} }),
  (begun, queue) =>
    begun && 'removed' in begun
      ? t('bulk.removedCount', { count: exact(begun.removed) })
      : t('done.obliterated', { queue }),
);

const purge = (what: 'delete-queued' | 'delete-stored'): QueueCommand =>
  queueCommand(
    'jobs.remove',
    (client, params) => client.call(`PUT /api/pgq/queues/{queueName}/${what}`, { params }),
    ({ affected }) => t('bulk.removedCount', { count: exact(affected) }),
  );

export const deleteQueued = purge('delete-queued');
export const deleteStored = purge('delete-stored');
