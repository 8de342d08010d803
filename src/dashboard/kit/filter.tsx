/** A line to filter by text; Escape empties it, then leaves it. */

import { useRef } from 'react';

import { t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';
import { Icon } from './icon.tsx';
import style from './filter.module.css';

export function Filter({
  value,
  label,
  onChange,
}: {
  readonly value: string;
  readonly label: string;
  readonly onChange: (value: string) => void;
}) {
  const at = useRef<HTMLInputElement>(null);
  useActions([
    { id: 'filter', title: label, keys: 'f', group: 'list', run: () => at.current?.focus() },
  ]);
  return (
    <div className={style['filter']}>
      <Icon name="search" size={14} />
      <input
        ref={at}
        type="search"
        value={value}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          if (value === '') at.current?.blur();
          else onChange('');
        }}
      />
      {value !== '' && (
        <button type="button" aria-label={t('clearFilters')} onClick={() => onChange('')}>
          <Icon name="cross" size={12} />
        </button>
      )}
    </div>
  );
}
