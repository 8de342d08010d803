/** Pauses a queue with a reason. */

import { useState } from 'react';

import { perform } from '../actions/perform.ts';
import type { QueuePlace } from '../api/boards.ts';
import { errorText } from '../api/error-text.ts';
import { t } from '../i18n/index.ts';
import { FormDialog } from '../kit/dialogs/form.tsx';
import { setPaused } from './queue-commands.ts';
import { ReasonField } from './reason-field.tsx';

export function PauseReason({
  board,
  queueName,
  title,
  close,
}: QueuePlace & { readonly title: string; readonly close: () => void }) {
  const [reason, setReason] = useState('');
  const send = (refuse: (text: string) => void) =>
    perform({
      board,
      action: 'queue.pause',
      queue: queueName,
      run: () =>
        board.client.call('PUT /api/queues/{queueName}/pause', {
          params: { queueName },
          body: { reason },
        }),
      done: () => ({
        text: t('done.paused', { queue: queueName }),
        undo: () => void setPaused(board, queueName, false),
      }),
      failed: (failure) => refuse(errorText(failure)),
    });
  return (
    <FormDialog
      title={t('pause.title', { queue: title })}
      action={t('queue.pause')}
      icon="bars"
      close={close}
      send={send}
    >
      <ReasonField reason={reason} autoFocus onChange={setReason} />
    </FormDialog>
  );
}
