/** Buttons and links that look like buttons. */

import type { ButtonHTMLAttributes, ReactNode } from 'react';

import { keyLabels } from '../keys/keys.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';
import style from './button.module.css';

interface Look {
  readonly look?: 'plain' | 'quiet' | 'primary' | 'danger';
  readonly icon?: IconName | undefined;
  /** Shown behind the text. */
  readonly hint?: string | undefined;
  readonly children?: ReactNode;
  /** Whether the button waits for an answer. */
  readonly pending?: boolean;
}

export function buttonClass(look: Look['look'] = 'plain', alone = false): string {
  return [style['button'], style[look], alone && style['alone']].filter(Boolean).join(' ');
}

export function Button({
  look = 'plain',
  icon,
  hint,
  pending = false,
  children,
  className = '',
  ...rest
}: Look & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={pending || undefined}
      onClick={pending ? undefined : rest.onClick}
      className={`${buttonClass(look, children === undefined)} ${className}`}
      data-pending={pending || undefined}
    >
      {icon && <Icon name={icon} size={14} />}
      {children}
      {hint !== undefined && <Keys keys={hint} />}
    </button>
  );
}

/** A button of an icon alone. */
export function IconButton({
  label,
  ...rest
}: { readonly label: string } & Look & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <Button look="quiet" aria-label={label} title={label} {...rest} />;
}

export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className={style['keys']} aria-hidden="true">
      {keyLabels(keys).map((key, at) => (
        <kbd key={at}>{key}</kbd>
      ))}
    </span>
  );
}
