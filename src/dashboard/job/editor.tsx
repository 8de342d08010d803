/** Edits the data of a job, as fields or as text: what changes is shown before it is saved, and a job that has changed meanwhile is not overwritten unseen. */

import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import { Validator } from '@cfworker/json-schema';

import { perform } from '../actions/perform.ts';
import type { Board } from '../api/boards.ts';
import { errorText } from '../api/error-text.ts';
import { queries } from '../api/queries.ts';
import { DataFields } from '../forms/data-fields.tsx';
import { fieldsOf } from '../forms/fields.ts';
import { dataSchema, useKnownData } from '../forms/known-data.ts';
import { Modes } from '../forms/modes.tsx';
import { useJsonForm } from '../forms/use-form.ts';
import type { Mode } from '../forms/use-form.ts';
import { addTexts, t } from '../i18n/index.ts';
import formTexts from '../i18n/messages/en/forms.json';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialogs/dialog.tsx';
import { Gate } from '../kit/dialogs/gate.tsx';
import { jsonProblem } from '../forms/json-text.ts';
import { layOut } from '../format/json.ts';
import { useOutcome } from '../kit/outcome.ts';
import { Note, Skeleton } from '../kit/panel.tsx';
import { jobDetail } from './detail.ts';
import type { JobDetail } from './detail.ts';
import { Diff } from './diff-view.tsx';
import { part } from '../kit/patient.ts';

addTexts(formTexts);

/** Problems shown at a time. */
const most = 5;

function schemaProblems(schema: object, value: unknown): readonly string[] {
  if (Object.keys(schema).length === 0) return [];
  try {
    // It interprets the schema; others compile it, which the content security policy forbids.
    const { errors } = new Validator(schema, '2020-12', false).validate(value);
    return errors
      .filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items')
      .slice(0, most)
      .map(({ instanceLocation, error }) =>
        t('edit.schema', { path: instanceLocation, problem: error }),
      );
  } catch {
    // A schema that cannot be read gives no hints.
    return [];
  }
}

const CodeEditor = part(() => import('./code-editor.tsx'), 'CodeEditor');

export function Editor({
  board,
  job,
  close,
  then,
}: {
  readonly board: Board;
  readonly job: JobDetail;
  readonly close: () => void;
  /** Follows a save, such as a retry. */
  readonly then: (() => Promise<void>) | undefined;
}) {
  const { queueName, id } = job;
  // The job as it was when the editor opened; reads of the page behind do not change it.
  const [seen, setSeen] = useState(() => ({
    data: layOut(job.data ?? ''),
    version: job.version,
  }));
  const [mode, choose] = useState<Mode>('form');
  // Data behind a formatter are not shown, so that they have no shape here.
  const own = job.isReplaced ? undefined : seen.data;
  const { schema: known } = useKnownData({ board, queueName }, job.name, own);
  const fields = useMemo(() => (known ? fieldsOf(known) : []), [known]);
  const form = useJsonForm(mode, fields, seen.data);
  const { text } = form;
  const [step, setStep] = useState<'edit' | 'review'>('edit');
  const [problem, setProblem] = useState<string>();
  const { finish, refuse } = useOutcome(close, setProblem);
  const [theirs, setTheirs] = useState<{ readonly data: string; readonly version: string }>();
  const [pending, setPending] = useState(false);
  const { data: schema } = useQuery(dataSchema(board, queueName));
  const syntax = jsonProblem(text);
  const hints = useMemo(
    () => (syntax === undefined && schema ? schemaProblems(schema, JSON.parse(text)) : []),
    [syntax, schema, text],
  );
  const changed = text.trim() !== seen.data.trim();

  const save = async (version: string) => {
    setPending(true);
    setProblem(undefined);
    let conflict = false;
    const done = await perform({
      board,
      action: 'job.edit',
      queue: queueName,
      run: () =>
        board.client.call('PATCH /api/queues/{queueName}/{jobId}/update-data', {
          params: { queueName, jobId: id },
          query: { raw: '1' },
          body: { jobData: text, ifUnchanged: version },
        }),
      done: () => (then ? undefined : t('job.saved', { id })),
      failed: (failure) => {
        conflict = failure.key === 'JOB_CHANGED';
        refuse(errorText(failure));
      },
    });
    if (conflict) {
      const now = await queries
        .fetchQuery({ ...jobDetail(board, queueName, id), staleTime: 0 })
        .catch(() => undefined);
      if (now) setTheirs({ data: layOut(now.data ?? ''), version: now.version });
    }
    setPending(false);
    if (!done) return;
    finish();
    await then?.();
  };
  const title = t(then ? 'job.retryChanged' : 'job.editTitle', { id });
  if (theirs) {
    const goOn = (data: string, next: typeof step) => {
      setSeen(theirs);
      form.type(data);
      setTheirs(undefined);
      setProblem(undefined);
      setStep(next);
    };
    return (
      <Dialog
        wide
        title={t('edit.conflict')}
        close={close}
        actions={
          <>
            <Button onClick={() => goOn(theirs.data, 'edit')}>{t('edit.takeTheirs')}</Button>
            <Button onClick={() => goOn(text, 'review')}>{t('edit.keepMine')}</Button>
          </>
        }
      >
        <Note tone="warn">{t('edit.conflictText')}</Note>
        <Diff before={theirs.data} after={text} />
      </Dialog>
    );
  }
  return (
    <Dialog
      wide
      title={title}
      close={close}
      actions={
        step === 'edit' ? (
          <>
            <Button onClick={close}>{t('cancel')}</Button>
            <Gate
              look="primary"
              missing={form.unread ?? syntax ?? (changed || then ? undefined : t('edit.unchanged'))}
              onClick={() => setStep('review')}
            >
              {t('edit.review')}
            </Gate>
          </>
        ) : (
          <>
            <Button onClick={() => setStep('edit')}>{t('edit.back')}</Button>
            <Button look="primary" pending={pending} onClick={() => void save(seen.version)}>
              {t(then ? 'edit.saveRetry' : 'save')}
            </Button>
          </>
        )
      }
    >
      {problem !== undefined && <Note tone="danger">{problem}</Note>}
      {step === 'edit' ? (
        <>
          {job.isReplaced && <Note>{t('edit.replaced')}</Note>}
          <Modes mode={mode} choose={choose} />
          {form.fields ? (
            <DataFields
              legend={t('add.fields')}
              fields={form.fields}
              text={text}
              onChange={form.type}
            />
          ) : (
            <div onFocus={form.keepText}>
              <Suspense fallback={<Skeleton rows={8} />}>
                <CodeEditor value={text} label={t('job.tab.data')} onChange={form.type} />
              </Suspense>
            </div>
          )}
          {syntax !== undefined && <Note tone="danger">{syntax}</Note>}
          {hints.map((hint) => (
            <Note key={hint} tone="warn">
              {hint}
            </Note>
          ))}
        </>
      ) : changed ? (
        <Diff before={seen.data} after={text} />
      ) : (
        <Note>{t('edit.unchanged')}</Note>
      )}
    </Dialog>
  );
}
