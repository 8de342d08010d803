/**
 * Cursors in base64url with a hash without a key, for endpoints whose positions contain only fields that the client may
 * see.
 */

import type { CursorForm } from './cursor-form.ts';
import { textHash } from './text-hash.ts';

const version = '1';
/** An encoding whose length is that of some bytes, and whose unused bits are zero. */
const canonical = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;
const beyondAscii = /[\u0080-\uffff]/;

/** `btoa` accepts bytes only; text that is not ASCII is encoded as UTF-8 first. */
function toBase64Url(text: string): string {
  let bytes = text;
  if (beyondAscii.test(text)) {
    bytes = '';
    for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  }
  const base64 = btoa(bytes).replaceAll('+', '-').replaceAll('/', '_');
  const padding = base64.indexOf('=');
  return padding < 0 ? base64 : base64.slice(0, padding);
}

function fromBase64Url(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  if (!beyondAscii.test(bytes)) return bytes;
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
    try {
      const text = fromBase64Url(cursor);
      const dot = text.indexOf('.');
      const body = text.slice(dot + 1);
      if (dot < 0 || text.slice(0, dot) !== prefix(body, binding)) return null;
      // With whitespace, padding and unused bits, one cursor would have several encodings.
      return canonical.test(cursor) ? body : null;
    } catch {
      return null;
    }
  },
};
