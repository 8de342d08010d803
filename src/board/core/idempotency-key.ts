/** The header `Idempotency-Key`, with which a repeated request adds no second job. */

import { createHash } from 'node:crypto';
import { isRecord } from '../../lib/index.ts';
import { BoardError } from './board-error.ts';
import type { HookRequest } from './request/request.ts';

/** Hexadecimal digits that are equal for equal values, whatever the order of their members. */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]));
}

/**
 * The key of a request, as a digest: who sees a job does not learn the key, and cannot use it to try bodies.
 *
 * @throws {BoardError} INVALID_REQUEST_BODY when it is not a key
 */
export function idempotencyKeyOf({ headers }: HookRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return digestOf(key);
  throw new BoardError('INVALID_REQUEST_BODY', {
    code: 'INVALID_REQUEST',
    options: { field: 'Idempotency-Key' },
  });
}
