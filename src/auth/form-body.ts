/** Reads the body of a form, up to 16 KiB. */

import { bytesWithin } from '../lib/index.ts';
import type { ReadableRequest } from './web.ts';

/** Maximum size of a body in bytes. */
const longestBody = 16_384;

/** Fields of a form; `'too large'` beyond the limit. */
type FormBody = Readonly<Record<string, string>> | 'too large';

/** Reads an urlencoded body, or uses the result of an earlier body parser. */
export async function readForm(req: ReadableRequest): Promise<FormBody> {
  const parsed: unknown = Reflect.get(req, 'body');
  if (typeof parsed === 'string' || Buffer.isBuffer(parsed)) return fields(req, String(parsed));
  const found = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [];
  if (found.length > 0) return textsOf(found);
  // A parser of other types leaves an empty object and an unread body; an empty form also has no fields.
  if (req.readableEnded || req.destroyed) return {};
  if (Number(req.headers['content-length'] ?? 0) > longestBody) return 'too large';
  try {
    const bytes = await bytesWithin(req.iterator({ destroyOnReturn: false }), longestBody);
    return bytes ? fields(req, Buffer.from(bytes).toString('utf8')) : 'too large';
  } catch {
    // The client disconnected while sending: no response is possible.
    return {};
  }
}

function fields(req: ReadableRequest, text: string): FormBody {
  if (Buffer.byteLength(text) > longestBody) return 'too large';
  const type = req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return {};
  return textsOf([...new URLSearchParams(text)]);
}

function textsOf(
  entries: readonly (readonly [string, unknown])[],
): Readonly<Record<string, string>> {
  const found: Record<string, string> = Object.create(null);
  for (const [key, value] of entries) if (typeof value === 'string') found[key] ??= value;
  return found;
}
