/** The filter line of a queue: conditions as text, with what may be written at the caret, and errors at their place. */

import { useEffect, useId, useRef, useState } from 'react';

import { suggest } from '../../client/index.ts';
import { t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';
import { Icon } from '../kit/icon.tsx';
import { language } from './filter-language.ts';
import type { ReadFilter } from './filter-language.ts';
import style from './queue.module.css';

export function FilterBar({
  engine,
  value,
  read,
  known,
  onChange,
}: {
  readonly engine: 'kvq' | 'pgq';
  readonly value: string;
  readonly read: ReadFilter;
  /** Paths of data to offer. */
  readonly known: readonly string[];
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
  useActions([
    {
      id: 'filter',
      title: t('queue.filter'),
      keys: 'f',
      group: 'list',
      run: () => input.current?.focus(),
    },
  ]);

  const { start, end, items } = suggest(language(engine, text, known), text, caret);
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
      <div className={style['filter-line']} data-error={read.error !== undefined || undefined}>
        <Icon name="search" size={14} />
        <input
          ref={input}
          role="combobox"
          aria-expanded={offered.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
          aria-label={t('queue.filter')}
          aria-invalid={read.error !== undefined}
          placeholder={t(engine === 'kvq' ? 'queue.filterHint' : 'queue.filterHintPgq')}
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
              else if (text !== '') {
                setText('');
                onChange('');
              } else input.current?.blur();
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
        aria-label={t('queue.filterOffers')}
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
      {read.error && (
        <p className={style['filter-error']} role="alert">
          <mark>{value.slice(read.error.start, read.error.end) || '…'}</mark> {read.error.message}
        </p>
      )}
    </div>
  );
}
