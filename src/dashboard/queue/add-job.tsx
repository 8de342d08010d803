/** Adds a job: name, data as JSON, options as JSON. */

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import { perform } from '../actions/perform.ts';
import type { QueuePlace } from '../api/boards.ts';
import { errorText } from '../api/error-text.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Field, TextField, inputClass } from '../kit/form.tsx';
import { useOutcome } from '../kit/outcome.ts';
import { Note } from '../kit/panel.tsx';
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
  const [problem, setProblem] = useState<string>();
  const { finish, refuse } = useOutcome(close, setProblem);
  const [pending, setPending] = useState(false);
  const { data: schema } = useQuery({ ...dataSchema(board, queueName), enabled: !isPgq });
  useEffect(() => {
    if (!touched && schema && Object.keys(schema).length > 0) {
      setData(JSON.stringify(skeletonOf(schema), null, 2));
    }
  }, [schema, touched]);
  const dataProblem = data.trim() === '' ? undefined : jsonProblem(data);
  const optionsProblem = options.trim() === '' ? undefined : jsonProblem(options);

  const send = async () => {
    setPending(true);
    setProblem(undefined);
    const dataPart = data.trim() === '' ? '' : `"data":${data}`;
    const optionsPart = options.trim() === '' ? '' : `"options":${options}`;
    // The text goes as it was written, so that no digit is rounded.
    const parts = [isPgq ? '' : `"name":${JSON.stringify(name)}`, dataPart, optionsPart];
    const rawBody = `{${parts.filter(Boolean).join(',')}}`;
    const params = { queueName };
    let id: string | null = null;
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
        return added !== false;
      },
      failed: (failure) => refuse(errorText(failure)),
    });
    setPending(false);
    if (!done) return;
    finish();
    const added: string | null = id;
    tell({
      text: added === null ? t('add.dropped') : t('add.done', { id: added }),
      ...(added !== null && {
        action: {
          label: t('add.open'),
          run: () =>
            void navigate({
              to: '/queue/$queueName/$jobId',
              params: { queueName, jobId: added },
              search: { board: board.param },
            }),
        },
      }),
    });
  };
  return (
    <Dialog
      wide
      title={t(initial ? 'add.duplicate' : 'add.title', { queue: queueName })}
      close={close}
      actions={
        <>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button
            look="primary"
            icon="plus"
            pending={pending}
            disabled={dataProblem !== undefined || optionsProblem !== undefined}
            onClick={() => void send()}
          >
            {t('queue.add')}
          </Button>
        </>
      }
    >
      {problem !== undefined && <Note tone="danger">{problem}</Note>}
      {!isPgq && (
        <TextField
          label={t('add.name')}
          value={name}
          autoFocus
          onChange={({ target }) => setName(target.value)}
        />
      )}
      <SchemaForm
        schema={schema}
        data={data}
        onChange={(text) => {
          setTouched(true);
          setData(text);
        }}
      />
      <Field label={t('add.data')} error={dataProblem} hint={t('add.dataHint')}>
        {(props) => (
          <textarea
            {...props}
            rows={9}
            spellCheck={false}
            className={`${inputClass} mono`}
            value={data}
            onChange={({ target }) => {
              setTouched(true);
              setData(target.value);
            }}
          />
        )}
      </Field>
      <Field
        label={t('add.options')}
        error={optionsProblem}
        hint={
          <code>
            {isPgq
              ? '{"priority": 1, "startAfter": 60, "retryLimit": 3}'
              : '{"delay": 60000, "attempts": 3, "priority": 1}'}
          </code>
        }
      >
        {(props) => (
          <textarea
            {...props}
            rows={3}
            spellCheck={false}
            className={`${inputClass} mono`}
            value={options}
            onChange={({ target }) => setOptions(target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
