/** Choosers of a screen's content: a filter by text, and choices beside their labels. */

import { useDeferredValue, useRef } from 'react';

import { t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';
import { useChangeView, useView } from '../view.ts';
import { Icon } from './icon.tsx';
import style from './filter.module.css';

/** The text that is looked for, in small letters. */
export const useWanted = (): string => useDeferredValue((useView().q ?? '').trim().toLowerCase());

/** Escape leaves the line, and what it says stays. */
export function Filter({ label }: { readonly label: string }) {
  const { q: value = '' } = useView();
  const changeView = useChangeView();
  const onChange = (q: string) => changeView({ q: q || undefined }, { replace: true });
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
          at.current?.blur();
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

/** A choice beside its label. */
export function Pick<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: Value;
  /** Texts by value. */
  readonly options: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
}) {
  return (
    <label className="pick">
      <span>{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value as Value)}>
        {Object.entries<string>(options).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
