/** A search under way: how many jobs it has read, of how many, and a way to stop it. */

import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { stopSearch } from '../queue/jobs.ts';
import style from './filters.module.css';

export function SearchProgress({
  examined,
  of,
}: {
  readonly examined: number | null | undefined;
  /** Jobs that may have to be read; undefined where that is not known. */
  readonly of: number | undefined;
}) {
  const isKnown = typeof examined === 'number';
  return (
    <div className={`bar ${style['progress']}`}>
      <progress
        aria-label={t('queue.searching')}
        {...(isKnown && of !== undefined && { max: of, value: Math.min(examined, of) })}
      />
      {isKnown && (
        <span>
          {of === undefined
            ? t('queue.examined', { count: examined })
            : t('bulk.progress', { done: exact(examined), of: exact(of) })}
        </span>
      )}
      <Button onClick={stopSearch}>{t('bulk.stop')}</Button>
    </div>
  );
}
