/** The conditions of the applied filter, each of which can be taken away. */

import { conjunctsOf } from '../../board/filters/index.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../kit/icon.tsx';
import style from './filters.module.css';

export function FilterChips({
  text,
  isPlain,
  onChange,
}: {
  /** A filter that has been applied. */
  readonly text: string;
  /** Whether it is words that are looked for. */
  readonly isPlain: boolean;
  readonly onChange: (text: string) => void;
}) {
  const parts = isPlain ? [text] : conjunctsOf(text);
  return (
    <ul className={`bar ${style['chips']}`} aria-label={t('queue.conditions')}>
      {parts.map((part, at) => (
        <li key={`${at} ${part}`}>
          <bdi>{part}</bdi>
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
