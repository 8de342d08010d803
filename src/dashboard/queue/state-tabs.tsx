/** The states of a queue as tabs, with their counts; the number keys choose one. */

import { t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';
import { StateIcon, stateName } from '../kit/states.tsx';
import { Count } from '../kit/text.tsx';
import type { StateTab } from './info.ts';
import style from './queue.module.css';

export function StateTabs({
  tabs,
  selected,
  onSelect,
}: {
  readonly tabs: readonly StateTab[];
  readonly selected: string | undefined;
  readonly onSelect: (state: string) => void;
}) {
  useActions(
    tabs.slice(0, 9).map(({ state }, at) => ({
      id: `state-${state}`,
      title: t('queue.showState', { state: stateName(state) }),
      keys: String(at + 1),
      group: 'list' as const,
      run: () => onSelect(state),
    })),
  );
  return (
    <nav className={`tabs ${style['states']}`} aria-label={t('queue.states')}>
      {tabs.map(({ state, count, capped }) => (
        <button
          key={state}
          type="button"
          aria-current={state === selected ? 'page' : undefined}
          onClick={() => onSelect(state)}
        >
          {state !== 'latest' && <StateIcon state={state} size={12} />}
          {stateName(state)}{' '}
          {count !== undefined && state !== 'latest' && (
            <span>
              <Count value={count} capped={capped} />
            </span>
          )}
        </button>
      ))}
    </nav>
  );
}
