/**
 * A dialog of the browser: focus stays inside, Escape closes, focus returns to where it was. Its content is drawn when it
 * is open, because nothing in a closed dialog can have the focus, which then goes to the part with `autoFocus`.
 */

import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';

import { t } from '../../i18n/index.ts';
import { IconButton } from '../button.tsx';
import style from './dialog.module.css';

export function Dialog({
  title,
  close,
  children,
  actions,
  wide = false,
  bare = false,
  onChange,
}: {
  readonly title: string;
  readonly close: () => void;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  /** Without a visible title, for the palette. */
  readonly bare?: boolean;
  /** Told that something was typed or chosen. */
  readonly onChange?: () => void;
}) {
  const at = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    const dialog = at.current;
    const before = document.activeElement;
    dialog?.showModal();
    setOpen(true);
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useLayoutEffect(() => {
    if (open) at.current?.querySelector<HTMLElement>('[autofocus]')?.focus();
  }, [open]);
  return (
    <dialog
      ref={at}
      className={style['dialog']}
      data-wide={wide || undefined}
      data-bare={bare || undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onMouseDown={(event) => {
        if (event.target === at.current) close();
      }}
    >
      <div className={style['inside']}>
        <header className={bare ? 'visually-hidden' : style['head']}>
          <h2 id={id}>{title}</h2>
          {!bare && <IconButton label={t('close')} icon="cross" onClick={close} />}
        </header>
        {open && (
          <div className={style['body']} onInput={onChange}>
            {children}
          </div>
        )}
        {open && actions && <footer className={style['foot']}>{actions}</footer>}
      </div>
    </dialog>
  );
}
