/** The fields of a timing: an expression with its meaning or an interval, the zone, and the next runs. */

import { useId } from 'react';

import { duration } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { TextField } from '../kit/dialogs/form.tsx';
import type { CronWords } from './cron-words.ts';
import { NextRuns } from './next-runs.tsx';
import type { EditedTiming } from './timing.ts';
import style from './schedules.module.css';

export function TimingFields({
  edited,
  words,
  canChoose,
}: {
  readonly edited: EditedTiming;
  readonly words: CronWords;
  /** Whether an interval may be given instead of an expression. */
  readonly canChoose: boolean;
}) {
  const id = useId();
  const { text, change, everyProblem, zoneProblem, expressionProblem, runs } = edited;
  const { kind, expression, every, zone } = text;
  return (
    <>
      {canChoose && (
        <div className={style['kinds']} role="group" aria-label={t('schedules.when')}>
          {(['cron', 'every'] as const).map((each) => (
            <Button
              key={each}
              look="quiet"
              aria-pressed={kind === each}
              onClick={() => change({ kind: each })}
            >
              {t(`schedules.kind.${each}`)}
            </Button>
          ))}
        </div>
      )}
      {kind === 'every' ? (
        <TextField
          label={t('schedules.everyLabel')}
          value={every}
          inputMode="numeric"
          error={every === '' ? undefined : everyProblem}
          hint={
            everyProblem === undefined
              ? t('schedules.every', { every: duration(Number(every)) })
              : undefined
          }
          mono
          onChange={({ target }) => change({ every: target.value.trim() })}
        />
      ) : (
        <TextField
          label={t('schedules.expression')}
          value={expression}
          error={expressionProblem}
          hint={words(expression.trim())}
          spellCheck={false}
          dir="ltr"
          mono
          onChange={({ target }) => change({ expression: target.value })}
        />
      )}
      <TextField
        label={t('schedules.zone')}
        value={zone}
        list={id}
        placeholder={canChoose ? undefined : 'UTC'}
        spellCheck={false}
        error={zoneProblem}
        onChange={({ target }) => change({ zone: target.value.trim() })}
      />
      <datalist id={id}>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {runs && (
        <NextRuns
          runs={runs}
          // Without a zone, BullMQ and Bull count in that of the worker, which the board does not know.
          zone={zone || (canChoose ? undefined : 'UTC')}
          expression={kind === 'cron' ? expression : ''}
        />
      )}
    </>
  );
}
