/** Changes when a delayed job runs, or its priority. */

import { useState } from 'react';

import { perform } from '../actions/perform.ts';
import type { Board } from '../api/boards.ts';
import { errorText } from '../api/error-text.ts';
import { t } from '../i18n/index.ts';
import { FormDialog, TextField } from '../kit/dialogs/form.tsx';
import { serverNow } from '../live/server-time.ts';
import type { JobDetail } from './detail.ts';

/** The moment as an input for local times takes it. */
function localText(time: number): string {
  const shifted = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

export function Reschedule({
  board,
  job,
  kind,
  close,
}: {
  readonly board: Board;
  readonly job: JobDetail;
  readonly kind: 'delay' | 'priority';
  readonly close: () => void;
}) {
  const [text, setText] = useState(
    kind === 'delay' ? localText(job.runsAt ?? serverNow()) : String(job.priority ?? 0),
  );
  // The job as it was when the dialog opened: what another person has set meanwhile is not overwritten unseen.
  const [{ queueName, id, version }] = useState(job);
  const params = { queueName, jobId: id };
  const save = (refuse: (text: string) => void) =>
    perform({
      board,
      action: 'job.edit',
      queue: queueName,
      run: () =>
        kind === 'delay'
          ? board.client.call('PATCH /api/queues/{queueName}/{jobId}/delay', {
              params,
              body: { runAt: new Date(text).getTime(), ifUnchanged: version },
            })
          : board.client.call('PATCH /api/queues/{queueName}/{jobId}/priority', {
              params,
              body: { priority: Number(text), ifUnchanged: version },
            }),
      done: () => t('job.saved', { id }),
      failed: (failure) => refuse(errorText(failure)),
    });
  return (
    <FormDialog
      title={t(kind === 'delay' ? 'job.changeDelay' : 'job.changePriority')}
      action={t('save')}
      close={close}
      send={save}
    >
      <TextField
        label={t(kind === 'delay' ? 'job.runAt' : 'col.priority')}
        type={kind === 'delay' ? 'datetime-local' : 'number'}
        min={kind === 'delay' ? undefined : 0}
        value={text}
        hint={kind === 'priority' ? t('job.priorityHint') : undefined}
        autoFocus
        onChange={({ target }) => setText(target.value)}
      />
    </FormDialog>
  );
}
