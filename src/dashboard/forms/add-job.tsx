/** Adds a job: its name, data and options, as fields or as JSON. */

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { perform } from '../actions/perform.ts';
import { toJob } from '../api/boards.ts';
import type { QueuePlace } from '../api/boards.ts';
import { errorText } from '../api/error-text.ts';
import { addTexts, t } from '../i18n/index.ts';
import texts from '../i18n/messages/en/forms.json';
import { FormDialog } from '../kit/dialogs/form.tsx';
import { tell } from '../kit/notices.ts';
import { Note } from '../kit/panel.tsx';
import { JsonPart } from './json-part.tsx';
import { Modes } from './modes.tsx';
import { NameField } from './name-field.tsx';
import { useNewJob } from './new-job.ts';

addTexts(texts);

/** The job that a duplicate begins with. */
interface Original {
  readonly name: string;
  readonly data: string | undefined;
  /** Whether its data is not known whole, so that a copy would be another one. */
  readonly lacksData: boolean;
}

export function AddJob({
  board,
  queueName,
  close,
  initial,
}: QueuePlace & { readonly close: () => void; readonly initial?: Original }) {
  const isPgq = board.engine === 'pgq';
  const navigate = useNavigate();
  const [name, setName] = useState(initial?.name ?? '');
  const [given] = useState({ data: initial?.data });
  const { mode, choose, names, problem, ...forms } = useNewJob({ board, queueName }, name, given);

  const send = async (refuse: (text: string) => void) => {
    const [data, options] = [forms.data.text, forms.options.text];
    const dataPart = data.trim() === '' ? '' : `"data":${data}`;
    const optionsPart = options.trim() === '' ? '' : `"options":${options}`;
    // The text goes as it was written, so that no digit is rounded.
    const parts = [isPgq ? '' : `"name":${JSON.stringify(name)}`, dataPart, optionsPart];
    const rawBody = `{${parts.filter(Boolean).join(',')}}`;
    const params = { queueName };
    let id: string | null = null;
    let isNew = true;
    const done = await perform({
      board,
      action: 'job.add',
      queue: queueName,
      run: async () => {
        if (isPgq) {
          ({ id } = await board.client.call('POST /api/pgq/queues/{queueName}/jobs', {
            params,
            rawBody,
          }));
          return id !== null;
        }
        const { job, added } = await board.client.call('POST /api/queues/{queueName}/add', {
          params,
          rawBody,
        });
        id = String(job.id ?? '');
        isNew = added !== false;
        return isNew;
      },
      failed: (failure) => refuse(errorText(failure)),
    });
    if (!done) return false;
    const added: string | null = id;
    tell({
      text:
        added === null ? t('add.dropped') : t(isNew ? 'add.done' : 'add.duplicated', { id: added }),
      ...(added !== null && {
        action: {
          label: t('add.open'),
          run: () => void navigate(toJob(board, queueName, added)),
        },
      }),
    });
    return true;
  };
  return (
    <FormDialog
      wide
      title={t(initial ? 'add.duplicate' : 'add.title', { queue: queueName })}
      action={t('add.action')}
      icon="plus"
      missing={problem}
      close={close}
      send={send}
    >
      {initial?.lacksData && <Note tone="warn">{t('add.notCopied')}</Note>}
      {!isPgq && (
        <NameField label={t('add.name')} value={name} names={names} autoFocus onChange={setName} />
      )}
      <Modes mode={mode} choose={choose} />
      <JsonPart
        form={forms.data}
        legend={t('add.fields')}
        label={t('add.data')}
        hint={t('add.dataHint')}
        rows={9}
      />
      <JsonPart
        form={forms.options}
        legend={t('add.optionFields')}
        label={t('add.options')}
        hint={
          <code>
            {isPgq
              ? '{"priority": 1, "startAfter": 60, "retryLimit": 3}'
              : '{"delay": 60000, "attempts": 3, "priority": 1}'}
          </code>
        }
        rows={3}
      />
    </FormDialog>
  );
}
