/** Changes when a schedule fires, and shows what that means before it is saved. */

import { useState } from 'react';

import { errorText } from '../api/error-text.ts';
import { t } from '../i18n/index.ts';
import { FormDialog } from '../kit/dialogs/form.tsx';
import { saveTiming, titleOf } from './commands.ts';
import type { CronWords } from './cron-words.ts';
import type { ScheduleRow } from './rows.ts';
import { TimingFields } from './timing-fields.tsx';
import { missingTiming, useTiming } from './timing.ts';

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
  const { board, queue, kind, expression, every, zone, abilities, kvq } = base;
  const edited = useTiming(board, queue, abilities.preview, {
    kind: kind === 'every' ? 'every' : 'cron',
    expression,
    every: String(every ?? ''),
    zone: zone ?? '',
  });
  const { timing } = edited;
  const save = async (refuse: (text: string) => void) =>
    timing !== undefined &&
    saveTiming(base, timing, (failure) =>
      refuse(failure.key === 'JOB_CHANGED' ? t('schedules.changed') : errorText(failure)),
    );
  return (
    <FormDialog
      title={t('schedules.editTitle', { schedule: titleOf(base) })}
      action={t('schedules.save')}
      missing={timing ? undefined : missingTiming()}
      close={close}
      send={save}
    >
      <TimingFields edited={edited} words={words} canChoose={kvq !== undefined} />
    </FormDialog>
  );
}
