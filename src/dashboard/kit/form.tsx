/** Fields of forms: a label above, a hint or an error below. */

import { useId } from 'react';
import type { InputHTMLAttributes, ReactNode } from 'react';

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

export const inputClass = style['input'] ?? '';
export const rowClass = style['row'] ?? '';
