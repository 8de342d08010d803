/** All queues of a board, read for many senders at once. */

import { createHash } from 'node:crypto';
import type { HookRequest } from '../request/request.ts';
import type { ShownQueues } from './view.ts';

/** Jobs of a queue by state. */
export interface QueueCounts {
  readonly queue: string;
  /** A state that is absent or undefined is not known. */
  readonly counts: Readonly<Record<string, number | undefined>>;
}

/** Queues that have been read. */
export interface ListedQueues {
  /** The read that they come from: the same object for all who share it. */
  readonly snapshot: object;
  /** The names of all queues, hidden ones too. */
  readonly names: readonly string[];
  /** Jobs by state of the queues that could be read, hidden ones too. */
  readonly counted: readonly QueueCounts[];
  /** Equal for senders to whom the queues look the same. */
  signature(request: HookRequest): Promise<string>;
  /** The queues as the sender sees them, without jobs. */
  shownTo(request: HookRequest): Promise<ShownQueues>;
}

/** Reads all queues. Recent and concurrent reads share the commands to the datastore. */
export type ListQueues = () => Promise<ListedQueues>;

/** Identifies what a sender sees, by its signature. */
export const signatureKey = (signature: string): string =>
  createHash('sha256').update(signature).digest('base64url');
