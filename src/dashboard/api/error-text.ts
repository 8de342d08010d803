/** The text of a failure in the person's language. */

import { addTexts, hasText, t } from '../i18n/index.ts';
import type { Failure } from './errors.ts';

let loading: Promise<void> | undefined;

/**
 * Loads the texts, which are not in the first load. Failures and screens wait for it, because nothing draws a text again
 * that was drawn too early. It settles in any case; after a failed load, the next call tries again.
 */
export function loadErrorTexts(): Promise<void> {
  loading ??= import('../i18n/messages/en/errors.json').then(
    ({ default: texts }) => addTexts(texts),
    () => {
      loading = undefined;
    },
  );
  return loading;
}

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
