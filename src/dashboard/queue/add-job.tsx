/** Adds a job: name, data as JSON, options as JSON. */

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import { perform } from '../actions/perform.ts';
import { toJob } from '../api/boards.ts';
import type { QueuePlace } from '../api/boards.ts';
import { errorText } from '../api/error-text.ts';
import { t } from '../i18n/index.ts';
import { FormDialog, JsonField, TextField } from '../kit/dialogs/form.tsx';
import { tell } from '../kit/notices.ts';
import { jsonProblem } from '../kit/json-text.ts';
import { SchemaForm } from './schema-form.tsx';
import { dataSchema, skeletonOf } from './schema-skeleton.ts';

export function AddJob({
  board,
  queueName,
  close,
  initial,
}: QueuePlace & {
  readonly close: () => void;
  /** The job that a duplicate begins with. */
  readonly initial?: { readonly name: string; readonly data: string; readonly options: string };
}) {
  const isPgq = board.engine === 'pgq';
  const navigate = useNavigate();
  const [name, setName] = useState(initial?.name ?? '');
  const [data, setData] = useState(initial?.data ?? '{}');
  const [options, setOptions] = useState(initial?.options ?? '{}');
  const [touched, setTouched] = useState(initial !== undefined);
  const { data: schema } = useQuery({ ...dataSchema(board, queueName), enabled: !isPgq });
  useEffect(() => {
    if (!touched && schema && Object.keys(schema).length > 0) {
      setData(JSON.stringify(skeletonOf(schema), null, 2));
    }
  }, [schema, touched]);
  const typeData = (text: string) => {
    setTouched(true);
    setData(text);
  };
  const [dataProblem, optionsProblem] = [data, options].map((text) =>
    text.trim() === '' ? undefined : jsonProblem(text),
  );

  const send = async (refuse: (text: string) => void) => {
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
      action={t('queue.add')}
      icon="plus"
      missing={dataProblem ?? optionsProblem}
      close={close}
      send={send}
    >
      {!isPgq && (
        <TextField
          label={t('add.name')}
          value={name}
          autoFocus
          onChange={({ target }) => setName(target.value)}
        />
      )}
      <SchemaForm schema={schema} data={data} onChange={typeData} />
      <JsonField
        label={t('add.data')}
        hint={t('add.dataHint')}
        rows={9}
        value={data}
        error={dataProblem}
        onChange={typeData}
      />
      <JsonField
        label={t('add.options')}
        hint={
          <code>
            {isPgq
              ? '{"priority": 1, "startAfter": 60, "retryLimit": 3}'
              : '{"delay": 60000, "attempts": 3, "priority": 1}'}
          </code>
        }
        rows={3}
        value={options}
        error={optionsProblem}
        onChange={setOptions}
      />
    </FormDialog>
  );
}
