/** Asks for the job of the queue that one is compared with. */

import { useState } from 'react';

import { addTexts, t } from '../i18n/index.ts';
import courseTexts from '../i18n/messages/en/course.json';
import queueTexts from '../i18n/messages/en/queue.json';
import { FormDialog, TextField } from '../kit/dialogs/form.tsx';
import { useChangeView } from '../view.ts';
import type { JobDetail } from '../job/detail.ts';

addTexts(queueTexts);
addTexts(courseTexts);

export function ChooseOther({
  job,
  close,
}: {
  readonly job: JobDetail;
  readonly close: () => void;
}) {
  const [text, setText] = useState('');
  const changeView = useChangeView();
  const other = text.trim();
  return (
    <FormDialog
      title={t('compare.choose')}
      action={t('compare.action')}
      close={close}
      send={async (refuse) => {
        if (other === '' || other === job.id) {
          refuse(t('compare.another'));
          return false;
        }
        changeView({ with: other });
        return true;
      }}
    >
      <TextField
        label={t('compare.other')}
        mono
        value={text}
        autoFocus
        onChange={({ target }) => setText(target.value)}
      />
    </FormDialog>
  );
}
