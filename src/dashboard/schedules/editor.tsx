/** Changes when a schedule fires and the data of its jobs, and shows what that means before it is saved. */

import { useMemo, useState } from 'react';

import { errorText } from '../api/error-text.ts';
import { fieldsOf } from '../forms/fields.ts';
import { jsonProblem } from '../forms/json-text.ts';
import { JsonPart } from '../forms/json-part.tsx';
import { useKnownData } from '../forms/known-data.ts';
import { Modes } from '../forms/modes.tsx';
import { useJsonForm } from '../forms/use-form.ts';
import type { Mode } from '../forms/use-form.ts';
import { layOut } from '../format/json.ts';
import { addTexts, t } from '../i18n/index.ts';
import formTexts from '../i18n/messages/en/forms.json';
import { Diff } from '../job/diff-view.tsx';
import { Button } from '../kit/button.tsx';
import { FormDialog } from '../kit/dialogs/form.tsx';
import { Note } from '../kit/panel.tsx';
import { saveSchedule, titleOf } from './commands.ts';
import type { CronWords } from './cron-words.ts';
import type { ScheduleRow } from './rows.ts';
import { TimingFields } from './timing-fields.tsx';
import { missingTiming, useTiming } from './timing.ts';

addTexts(formTexts);

export function ScheduleEditor({
  row,
  words,
  close,
}: {
  readonly row: ScheduleRow;
  readonly words: CronWords;
  readonly close: () => void;
}) {
  // The schedule that the person began with stays the base, also when the list is read again.
  const [base] = useState(row);
  const { board, queue, kind, expression, every, zone, abilities, kvq, isReplaced } = base;
  const edited = useTiming(board, queue, abilities.preview, {
    kind: kind === 'every' ? 'every' : 'cron',
    expression,
    every: String(every ?? ''),
    zone: zone ?? '',
  });
  const { timing } = edited;
  const [mode, choose] = useState<Mode>('form');
  const before = useMemo(() => layOut(base.data), [base.data]);
  // Data behind a formatter are not shown, so that they have no shape here.
  const own = isReplaced ? undefined : before;
  const { schema } = useKnownData({ board, queueName: queue }, kvq?.name ?? '', own);
  const fields = useMemo(() => (schema ? fieldsOf(schema) : []), [schema]);
  const form = useJsonForm(mode, fields, before);
  const isChanged = form.text.trim() !== before.trim();
  const [isReviewed, review] = useState(false);
  const save = async (refuse: (text: string) => void) => {
    if (isChanged && !isReviewed) {
      review(true);
      return false;
    }
    if (timing === undefined) return false;
    return saveSchedule(base, timing, isChanged ? form.text : undefined, (failure) =>
      refuse(failure.key === 'JOB_CHANGED' ? t('schedules.changed') : errorText(failure)),
    );
  };
  return (
    <FormDialog
      wide
      title={t('schedules.editTitle', { schedule: titleOf(base) })}
      action={t(isChanged && !isReviewed ? 'edit.review' : 'schedules.save')}
      missing={timing ? (form.unread ?? jsonProblem(form.text)) : missingTiming()}
      close={close}
      send={save}
    >
      {isReviewed ? (
        <>
          <Diff before={before} after={form.text} />
          <div>
            <Button onClick={() => review(false)}>{t('edit.back')}</Button>
          </div>
        </>
      ) : (
        <>
          <TimingFields edited={edited} words={words} canChoose={kvq !== undefined} />
          {isReplaced && <Note>{t('edit.replaced')}</Note>}
          <Modes mode={mode} choose={choose} />
          <JsonPart form={form} legend={t('add.fields')} label={t('schedules.data')} rows={6} />
        </>
      )}
    </FormDialog>
  );
}
