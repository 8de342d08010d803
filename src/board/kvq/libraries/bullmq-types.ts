/** The part of BullMQ that the board uses, common to versions 5, 6 and Pro. */

/** A job of BullMQ. */
export interface BullMqJob {
  readonly id?: string | undefined;
}

/** A queue of BullMQ, of any edition and datastore. */
export interface BullMqQueue {
  readonly name: string;
  readonly opts: object;
  toKey(type: string): string;
  on(event: 'error', listener: (error: Error) => void): unknown;
  getJob(id: string): Promise<BullMqJob | undefined>;
  add(name: string, data: unknown, options?: object): Promise<BullMqJob>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  obliterate(options?: { force?: boolean }): Promise<void>;
  setGlobalConcurrency(limit: number): Promise<unknown>;
  upsertJobScheduler(id: string, repeat: object, template?: object): Promise<unknown>;
  removeJobScheduler(id: string): Promise<boolean>;
}
