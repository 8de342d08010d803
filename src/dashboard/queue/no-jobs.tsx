/** A list without jobs. */

import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { Empty } from '../kit/panel.tsx';
import { stateName } from '../kit/states.tsx';
import { useChangeView } from '../view.ts';

/** Why there are no jobs, and what to do next. */
export function NoJobs({
  state,
  isLimited,
  next,
  examined,
}: {
  readonly state: string;
  /** Whether a filter or a range chooses them. */
  readonly isLimited: boolean;
  readonly next: string | null;
  /** Jobs that a search has looked at. */
  readonly examined: number | null | undefined;
}) {
  const changeView = useChangeView();
  if (!isLimited) {
    return (
      <Empty
        title={
          state === 'latest' ? t('queue.noJobs') : t('queue.noJobsIn', { state: stateName(state) })
        }
      >
        {t('queue.noJobsNext')}
      </Empty>
    );
  }
  return (
    <Empty icon="search" title={t('queue.noMatch')}>
      {examined !== undefined && examined !== null && (
        <span>{t('queue.examined', { count: examined })}</span>
      )}
      {next !== null && (
        <Button onClick={() => changeView({ cursor: next })}>{t('queue.searchOn')}</Button>
      )}
      <Button
        onClick={() =>
          changeView({ q: undefined, cursor: undefined, from: undefined, to: undefined })
        }
      >
        {t('clearFilters')}
      </Button>
    </Empty>
  );
}
