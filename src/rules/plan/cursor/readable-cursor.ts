/**
 * Cursors in base64url with a hash without a key, for endpoints whose positions contain only fields that the client may
 * see.
 */

import { asciiBytes, encoder } from './ascii.ts';
import type { CursorForm } from './cursor-form.ts';
import { textHash } from './text-hash.ts';

const version = '1';
const digits = /^[\w-]*$/;
/** The last digits with which unused bits are zero, by the number of digits behind the last four that belong together. */
const lastDigits = ['', '', 'AQgw', 'AEIMQUYcgkosw048'];

/** With whitespace, padding and unused bits, one cursor would have several encodings. */
function isCanonical(text: string): boolean {
  const rest = text.length % 4;
  return digits.test(text) && (rest === 0 || (lastDigits[rest] as string).includes(text.slice(-1)));
}

/** Few texts contain the character, and a search costs less than a replacement. */
const replaced = (text: string, from: string, to: string): string =>
  text.includes(from) ? text.replaceAll(from, to) : text;

/** `btoa` accepts bytes only; text that is not ASCII is encoded as UTF-8 first. */
function toBase64Url(text: string): string {
  let bytes = text;
  if (!asciiBytes(text)) {
    bytes = '';
    for (const byte of encoder.encode(text)) bytes += String.fromCharCode(byte);
  }
  const base64 = replaced(replaced(btoa(bytes), '+', '-'), '/', '_');
  const padding = base64.indexOf('=');
  return padding < 0 ? base64 : base64.slice(0, padding);
}

function fromBase64Url(text: string): string {
  const bytes = atob(replaced(replaced(text, '-', '+'), '_', '/'));
  if (asciiBytes(bytes)) return bytes;
  const units = Uint8Array.from(bytes, (char) => char.charCodeAt(0));
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(units);
}

const prefix = (body: string, binding: string): string =>
  `${version}${textHash(`${binding}\n${body}`)}`;

/** The form for endpoints without keys. */
export const readableCursors: CursorForm = {
  isSealed: false,
  binding: textHash,
  write: (body, binding) => toBase64Url(`${prefix(body, binding)}.${body}`),
  read(cursor, binding) {
    if (!isCanonical(cursor)) return null;
    try {
      const text = fromBase64Url(cursor);
      const dot = text.indexOf('.');
      const body = text.slice(dot + 1);
      return dot >= 0 && text.slice(0, dot) === prefix(body, binding) ? body : null;
    } catch {
      return null;
    }
  },
};
