/** Forms: dialogs of a request, and fields with a label above, a hint or an error below. */

import { useId, useState } from 'react';
import type { InputHTMLAttributes, ReactNode } from 'react';

import { t } from '../../i18n/index.ts';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';
import { Gate } from './gate.tsx';
import type { IconName } from '../icon.tsx';
import { useOutcome } from '../outcome.ts';
import { Note } from '../panel.tsx';
import style from './form.module.css';

export function Field({
  label,
  hint,
  error,
  children,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: (props: {
    id: string;
    'aria-describedby': string;
    'aria-invalid': boolean;
  }) => ReactNode;
}) {
  const id = useId();
  return (
    <div className={style['field']}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-more`, 'aria-invalid': error !== undefined })}
      <p id={`${id}-more`} data-error={error !== undefined || undefined}>
        {error ?? hint}
      </p>
    </div>
  );
}

export function TextField({
  label,
  hint,
  error,
  mono = false,
  ...rest
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly mono?: boolean;
} & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => (
        <input
          {...props}
          {...rest}
          className={`${style['input']} ${mono ? 'mono' : ''}`}
          autoComplete="off"
        />
      )}
    </Field>
  );
}

/** JSON as text. */
export function JsonField({
  label,
  hint,
  rows,
  value,
  error,
  onChange,
  onFocus,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly rows: number;
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
  readonly onFocus?: () => void;
}) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(props) => (
        <textarea
          {...props}
          rows={rows}
          spellCheck={false}
          dir="ltr"
          className={`${style['input']} mono`}
          value={value}
          onFocus={onFocus}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** A dialog of one request: it closes when that is done, or says why it was not. */
export function FormDialog({
  title,
  action,
  icon,
  missing,
  wide = false,
  close,
  send,
  children,
}: {
  readonly title: string;
  /** The text of the button that sends it. */
  readonly action: string;
  readonly icon?: IconName;
  /** The text that names the part to write or correct first. */
  readonly missing?: string | undefined;
  readonly wide?: boolean;
  readonly close: () => void;
  /** Resolves to true if it was done; otherwise it has told `refuse` why not. */
  readonly send: (refuse: (text: string) => void) => Promise<boolean>;
  readonly children: ReactNode;
}) {
  const [problem, setProblem] = useState<string>();
  const [pending, setPending] = useState(false);
  const { finish, refuse } = useOutcome(close, setProblem);
  const begin = async () => {
    setPending(true);
    setProblem(undefined);
    const done = await send(refuse);
    setPending(false);
    if (done) finish();
  };
  return (
    <Dialog
      title={title}
      wide={wide}
      close={close}
      onChange={() => setProblem(undefined)}
      actions={
        <>
          <Button onClick={close}>{t('cancel')}</Button>
          <Gate
            look="primary"
            icon={icon}
            pending={pending}
            missing={missing}
            onClick={() => void begin()}
          >
            {action}
          </Gate>
        </>
      }
    >
      {problem !== undefined && <Note tone="danger">{problem}</Note>}
      {children}
    </Dialog>
  );
}

export const inputClass = style['input'] ?? '';
export const rowClass = style['row'] ?? '';
