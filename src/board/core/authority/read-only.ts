/** The read-only check and reason, shared by all engines. */

import { BoardError, type Translatable } from '../board-error.ts';

/** The reason for a refused write. */
export const readOnlyReason: Translatable = { key: 'QUEUE_READ_ONLY' };

/** @throws {BoardError} QUEUE_READ_ONLY when the queue is read-only */
export function requireWritable({ readOnly }: { readonly readOnly: boolean }): void {
  if (readOnly) throw new BoardError('QUEUE_READ_ONLY');
}
