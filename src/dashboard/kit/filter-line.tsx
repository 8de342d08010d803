/** A filter as text: conditions, with what may be written at the caret, and errors at their place. */

import { useEffect, useId, useRef, useState } from 'react';

import { suggest } from '../../client/index.ts';
import type { FilterTextError, RulesDescription } from '../../client/index.ts';
import { t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';
import { Icon } from './icon.tsx';
import style from './filter-line.module.css';

export function FilterLine({
  value,
  error,
  language,
  label,
  hint,
  offers,
  onDraft,
  onChange,
}: {
  readonly value: string;
  /** Why `value` was refused. */
  readonly error: FilterTextError | undefined;
  /** The description of what may be asked, which may depend on what is written. */
  readonly language: (text: string) => RulesDescription;
  readonly label: string;
  readonly hint: string;
  /** The name of the list of completions. */
  readonly offers: string;
  /** Told whether the text is another one than the one that is applied. */
  readonly onDraft?: (draft: boolean) => void;
  readonly onChange: (value: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [caret, setCaret] = useState(value.length);
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const id = useId();
  // The URL is the view: Back brings back the text as well.
  useEffect(() => setText(value), [value]);
  const isDraft = text.trim() !== value.trim();
  useEffect(() => onDraft?.(isDraft), [isDraft]);
  useActions([
    { id: 'filter', title: label, keys: 'f', group: 'list', run: () => input.current?.focus() },
  ]);

  const { start, end, items } = suggest(language(text), text, caret);
  const offered = open ? items.slice(0, 10) : [];
  const insert = (chosen: string) => {
    const next = `${text.slice(0, start)}${chosen} ${text.slice(end).trimStart()}`;
    const place = start + chosen.length + 1;
    setText(next);
    setCaret(place);
    setAt(-1);
    queueMicrotask(() => {
      input.current?.focus();
      input.current?.setSelectionRange(place, place);
    });
  };
  const apply = () => {
    setOpen(false);
    onChange(text.trim());
  };
  return (
    <div className={style['filter']}>
      <div className={style['line']} data-error={error !== undefined || undefined}>
        <Icon name="search" size={14} />
        <input
          ref={input}
          role="combobox"
          aria-expanded={offered.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
          aria-label={label}
          aria-invalid={error !== undefined}
          placeholder={hint}
          value={text}
          autoComplete="off"
          spellCheck={false}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? text.length)}
          onChange={({ target }) => {
            setText(target.value);
            setCaret(target.selectionStart ?? target.value.length);
            setOpen(true);
            setAt(-1);
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step !== undefined && offered.length > 0) {
              event.preventDefault();
              setAt((at + step + offered.length) % offered.length);
            } else if (event.key === 'Enter' || (event.key === 'Tab' && at >= 0)) {
              const chosen = offered[at];
              if (chosen) {
                event.preventDefault();
                insert(chosen.text);
              } else if (event.key === 'Enter') apply();
            } else if (event.key === 'Escape') {
              event.preventDefault();
              if (open && offered.length > 0) setOpen(false);
              else {
                // The applied filter stays.
                setText(value);
                input.current?.blur();
              }
            }
          }}
        />
        {text !== '' && (
          <button
            type="button"
            aria-label={t('clearFilters')}
            onClick={() => {
              setText('');
              onChange('');
            }}
          >
            <Icon name="cross" size={12} />
          </button>
        )}
      </div>
      <ul
        id={id}
        role="listbox"
        aria-label={offers}
        className={style['offers']}
        hidden={offered.length === 0}
      >
        {offered.map((item, index) => (
          <li
            key={item.text}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            // The focus stays in the line.
            onPointerDown={(event) => {
              event.preventDefault();
              insert(item.text);
            }}
          >
            {item.label}
          </li>
        ))}
      </ul>
      {error && (
        <p className={style['error']} role="alert">
          <mark>{value.slice(error.start, error.end) || '…'}</mark> {error.message}
        </p>
      )}
    </div>
  );
}
