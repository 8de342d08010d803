/** Changes when a schedule fires, and shows what that means before it is saved. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';

import { errorText } from '../api/error-text.ts';
import { failureOf } from '../api/errors.ts';
import { duration, exactTime, weekdayAndTime } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { TextField } from '../kit/form.tsx';
import { Note } from '../kit/panel.tsx';
import { saveTiming, titleOf } from './commands.ts';
import type { CronWords } from './cron-words.ts';
import type { ScheduleRow } from './rows.ts';
import style from './schedules.module.css';

const previewed = 5;

function isZone(timeZone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

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
  const canChoose = base.kvq !== undefined;
  const [kind, setKind] = useState(base.kind);
  const [expression, setExpression] = useState(base.expression);
  const [every, setEvery] = useState(String(base.every ?? ''));
  const [zone, setZone] = useState(base.zone ?? '');
  const [problem, setProblem] = useState<string>();
  const [pending, setPending] = useState(false);
  const id = useId();

  const interval = Number(every);
  const trimmed = expression.trim();
  const isInterval = kind === 'every';
  const everyProblem =
    isInterval && !(Number.isSafeInteger(interval) && interval > 0)
      ? t('schedules.everyProblem')
      : undefined;
  const zoneProblem = zone !== '' && !isZone(zone) ? t('schedules.zoneProblem') : undefined;
  const asked = useDeferredValue(trimmed);
  const preview = useQuery({
    queryKey: [base.board.basePath, 'schedule preview', asked, zone],
    queryFn: ({ signal }) =>
      base.board.client.call('POST /api/pgq/schedules/preview', {
        body: { expression: asked, ...(zone !== '' && { tz: zone }), count: previewed },
        signal,
      }),
    enabled: base.abilities.preview && asked !== '' && zoneProblem === undefined,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
  });
  const said = isInterval
    ? everyProblem === undefined
      ? t('schedules.every', { every: duration(interval) })
      : undefined
    : words(trimmed);
  // The board knows better what its library takes; without it, only an empty text is refused here.
  const expressionProblem =
    isInterval || trimmed === ''
      ? undefined
      : preview.error
        ? errorText(failureOf(preview.error))
        : undefined;
  const complete = isInterval ? everyProblem === undefined : trimmed !== '';

  const save = async () => {
    setPending(true);
    setProblem(undefined);
    const saved = await saveTiming(
      base,
      { expression: trimmed, every: isInterval ? interval : undefined, zone },
      (failure) =>
        setProblem(failure.key === 'JOB_CHANGED' ? t('schedules.changed') : errorText(failure)),
    );
    setPending(false);
    if (saved) close();
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
            disabled={!complete || zoneProblem !== undefined || expressionProblem !== undefined}
            onClick={() => void save()}
          >
            {t('schedules.save')}
          </Button>
        </>
      }
    >
      {problem !== undefined && <Note tone="danger">{problem}</Note>}
      {canChoose && (
        <div className={style['kinds']} role="group" aria-label={t('schedules.when')}>
          {(['cron', 'every'] as const).map((each) => (
            <Button
              key={each}
              look="quiet"
              aria-pressed={kind === each}
              onClick={() => setKind(each)}
            >
              {t(`schedules.kind.${each}`)}
            </Button>
          ))}
        </div>
      )}
      {isInterval ? (
        <TextField
          label={t('schedules.everyLabel')}
          value={every}
          inputMode="numeric"
          error={every === '' ? undefined : everyProblem}
          hint={said}
          mono
          onChange={({ target }) => setEvery(target.value.trim())}
        />
      ) : (
        <TextField
          label={t('schedules.expression')}
          value={expression}
          error={expressionProblem}
          hint={said}
          spellCheck={false}
          dir="ltr"
          mono
          onChange={({ target }) => {
            setProblem(undefined);
            setExpression(target.value);
          }}
        />
      )}
      <TextField
        label={t('schedules.zone')}
        value={zone}
        list={id}
        placeholder={canChoose ? undefined : 'UTC'}
        spellCheck={false}
        error={zoneProblem}
        onChange={({ target }) => setZone(target.value.trim())}
      />
      <datalist id={id}>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {!isInterval && preview.data && expressionProblem === undefined && (
        <NextRuns runs={preview.data.runs} zone={zone || 'UTC'} />
      )}
    </Dialog>
  );
}

/** The next runs in the schedule's zone, and in the person's. */
function NextRuns({ runs, zone }: { readonly runs: readonly string[]; readonly zone: string }) {
  const times = runs.map((run) => Date.parse(run));
  const known = isZone(zone) ? zone : 'UTC';
  return (
    <table className={style['runs']}>
      <caption>{t('schedules.nextRuns')}</caption>
      <thead>
        <tr>
          <th scope="col">{known}</th>
          <th scope="col">{t('schedules.yourZone')}</th>
        </tr>
      </thead>
      <tbody>
        {times.map((time) => (
          <tr key={time} title={exactTime(time)}>
            <td>{weekdayAndTime(time, known)}</td>
            <td>{weekdayAndTime(time)}</td>
          </tr>
        ))}
        {times.length === 0 && (
          <tr>
            <td colSpan={2}>{t('schedules.never')}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
