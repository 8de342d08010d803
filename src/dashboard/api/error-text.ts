/** The text of a failure in the person's language. */

import { hasText, t } from '../i18n/index.ts';
import type { Failure } from './errors.ts';

/** The text of a key of the board. */
export function keyText(key: string, options: Readonly<Record<string, unknown>> = {}): string {
  const name = `error.${key.replace(/^ERRORS\./, '')}`;
  return hasText(name) ? t(name, options) : t('error.UNKNOWN');
}

export function errorText({ key, options, message }: Failure): string {
  if (typeof message === 'object') {
    const more = `error.${message.key.replace(/^ERRORS\./, '')}`;
    if (hasText(more)) return t(more, { ...options, ...message.options });
  }
  const text = keyText(key, options);
  return typeof message === 'string' && message !== '' ? `${text} ${message}` : text;
}
