/** The conditions of the applied filter, each with its jobs, and a way to take it away. */

import { conjunctsOf } from '../../board/filters/index.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../kit/icon.tsx';
import { useConditionCounts } from './condition-counts.ts';
import type { CountedConditions } from './condition-counts.ts';
import style from './filters.module.css';

export function FilterChips({
  text,
  isPlain,
  onChange,
  ...list
}: Omit<CountedConditions, 'conditions'> & {
  /** A filter that has been applied. */
  readonly text: string;
  /** Whether it is words that are looked for. */
  readonly isPlain: boolean;
  readonly onChange: (text: string) => void;
}) {
  const parts = isPlain ? [text] : conjunctsOf(text);
  const counts = useConditionCounts({ ...list, conditions: parts });
  return (
    <ul className={`bar ${style['chips']}`} aria-label={t('queue.conditions')}>
      {parts.map((part, at) => (
        <li key={`${at} ${part}`}>
          <bdi>{part}</bdi>
          {counts[at] !== undefined && <small title={t('queue.fitsAlone')}> {counts[at]}</small>}
          <button
            type="button"
            aria-label={t('queue.dropCondition', { condition: part })}
            onClick={() => onChange(parts.toSpliced(at, 1).join(' and '))}
          >
            <Icon name="cross" size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
}
