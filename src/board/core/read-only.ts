/** How every engine says that a queue or a board is read-only, and refuses to write. */

import { BoardError, type Translatable } from './board-error.ts';

/** The reason why nothing may be written. */
export const readOnlyReason: Translatable = { key: 'QUEUE_READ_ONLY' };

/** @throws {BoardError} QUEUE_READ_ONLY when the queue is read-only */
export function requireWritable({ readOnly }: { readonly readOnly: boolean }): void {
  if (readOnly) throw new BoardError('QUEUE_READ_ONLY');
}
