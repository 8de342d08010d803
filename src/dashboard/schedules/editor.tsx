/** Changes when a schedule fires, and shows what that means before it is saved. */

import { useState } from 'react';

import { errorText } from '../api/error-text.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { useOutcome } from '../kit/outcome.ts';
import { Note } from '../kit/panel.tsx';
import { saveTiming, titleOf } from './commands.ts';
import type { CronWords } from './cron-words.ts';
import type { ScheduleRow } from './rows.ts';
import { TimingFields } from './timing-fields.tsx';
import { useTiming } from './timing.ts';

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
  const [problem, setProblem] = useState<string>();
  const { finish, refuse } = useOutcome(close, setProblem);
  const [pending, setPending] = useState(false);
  const { timing } = edited;

  const save = async () => {
    if (!timing) return;
    setPending(true);
    setProblem(undefined);
    const saved = await saveTiming(base, timing, (failure) =>
      refuse(failure.key === 'JOB_CHANGED' ? t('schedules.changed') : errorText(failure)),
    );
    setPending(false);
    if (saved) finish();
  };
  return (
    <Dialog
      title={t('schedules.editTitle', { schedule: titleOf(base) })}
      close={close}
      actions={
        <>
          <Button onClick={close}>{t('schedules.cancel')}</Button>
          <Button
            look="primary"
            pending={pending}
            disabled={timing === undefined}
            onClick={() => void save()}
          >
            {t('schedules.save')}
          </Button>
        </>
      }
    >
      {problem !== undefined && <Note tone="danger">{problem}</Note>}
      <TimingFields
        edited={edited}
        words={words}
        canChoose={kvq !== undefined}
        onChange={() => setProblem(undefined)}
      />
    </Dialog>
  );
}
