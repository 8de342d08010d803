/** Decodes percent-encoded text, and recognises text that another decoder could not decode. */

import type { QueryError } from '../../schema/index.ts';
import { syntaxError } from './request-error.ts';

/** The error of a request with a malformed percent sequence, or with bytes that are not UTF-8. */
export const badEncoding = (): QueryError =>
  syntaxError('The query string is not validly percent-encoded.');

/** Decodes `+` and percent sequences; `null` when they are malformed or not UTF-8. */
export function decodeText(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}

/** Whether a decoded name is one that no decoder can have decoded: names have no replacement character, as values may. */
export function isUndecodable(name: string): boolean {
  return name.includes('\ufffd') || decodeText(name) === null;
}

const percentSequence = /%[\dA-Fa-f]{2}/;

/**
 * Whether a decoder may have left the text encoded because a part of it was malformed, as `qs` does. A percent sign
 * that begins no sequence is text: `50%`.
 */
export function mayBeEncoded(text: string): boolean {
  return percentSequence.test(text) && decodeText(text) === null;
}
