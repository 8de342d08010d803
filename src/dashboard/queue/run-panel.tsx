/** The run that works on jobs of a queue: how far it is, and how to stop it. */

import { useEffect, useState } from 'react';

import { useAllowed } from '../actions/perform.ts';
import type { QueuePlace } from '../api/boards.ts';
import { errorText } from '../api/error-text.ts';
import { failureOf } from '../api/errors.ts';
import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { actionOf } from '../job/verbs.ts';
import { Button } from '../kit/button.tsx';
import { tell } from '../kit/notices.ts';
import { didText, followOthers, stopRun, undoRun, useRun, useUndoable } from './runs.ts';
import style from './queue.module.css';

export function RunPanel({
  board,
  queueName,
  may,
}: QueuePlace & {
  /** Actions that this person may do; undefined for all. */
  readonly may: readonly string[] | undefined;
}) {
  const run = useRun(board, queueName);
  const ended = useUndoable(board, queueName);
  const allowed = useAllowed(board, queueName, may);
  const [stopping, setStopping] = useState<string>();
  useEffect(() => void followOthers(board, queueName), [board, queueName]);
  if (!run) {
    if (!ended || !allowed(actionOf(ended.action, true))) return null;
    return (
      <div className={style['bulk']} role="group" aria-label={t('bulk.ended')}>
        <span className={style['chosen']}>
          {t(`verb.${ended.action}`)} · {exact(ended.changed)}
        </span>
        <span className={style['gap']} />
        <Button onClick={() => void undoRun(board, ended)}>{t('bulk.undo')}</Button>
      </div>
    );
  }
  const stop = async () => {
    setStopping(run.id);
    try {
      await stopRun(board, run);
    } catch (error) {
      setStopping(undefined);
      tell({ text: errorText(failureOf(error)), tone: 'danger' });
    }
  };
  const { total, examined, action, rate, undoes } = run;
  return (
    <div className={style['bulk']} role="group" aria-label={t('bulk.running')}>
      <progress
        // Without a total the bar moves to and fro.
        {...(total !== null && { max: Math.max(total, 1), value: Math.min(examined, total) })}
        aria-label={t('bulk.running')}
      />
      <span className={style['chosen']}>{t(undoes ? 'bulk.undo' : `verb.${action}`)}</span>
      <span>
        {total === null
          ? exact(examined)
          : t('bulk.progress', { done: exact(Math.min(examined, total)), of: exact(total) })}
        {' · '}
        {didText(run)}
        {rate !== null && ` · ${t('many.perSecond', { count: rate })}`}
      </span>
      <span className={style['gap']} />
      {allowed(actionOf(action, true)) && (
        <Button icon="cross" pending={stopping === run.id} onClick={() => void stop()}>
          {t('bulk.stop')}
        </Button>
      )}
    </div>
  );
}
