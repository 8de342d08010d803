/** The queues whose history the sender of a request may see. */

/** Given by an engine for one request. */
export interface HistoryScope {
  /** Whether no queue is hidden from the sender. */
  readonly all: boolean;
  /** Whether the sender may see the history of a queue, whether or not it is still on the board. */
  allows(name: string): Promise<boolean>;
  /** The visible queues of the board. */
  names(): Promise<readonly string[]>;
  /** Whether a queue refuses writes. */
  isReadOnly(name: string): boolean;
  /** Whether every queue of the board refuses writes. */
  readonly readOnly: boolean;
}
