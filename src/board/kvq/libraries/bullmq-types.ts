/** The part of BullMQ that the board uses, common to versions 5, 6 and Pro. */

export interface BullMqJob {
  readonly id?: string | undefined;
}

/** A queue of BullMQ, of any edition and datastore. */
export interface BullMqQueue {
  /** Name of the queue. */
  readonly name: string;
  /** Options of the queue. */
  readonly opts: object;
  /** Key of a part of the queue in the datastore. */
  toKey(type: string): string;
  /** Listens to errors of the connection. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Reads a job by its id. */
  getJob(id: string): Promise<BullMqJob | undefined>;
  /** Adds a job. */
  add(name: string, data: unknown, options?: object): Promise<BullMqJob>;
  /** Pauses the queue. */
  pause(): Promise<void>;
  /** Resumes the queue. */
  resume(): Promise<void>;
  /** Deletes the queue with its jobs. */
  obliterate(options?: { force?: boolean }): Promise<void>;
  /** Limits the jobs that run at once, over all workers. */
  setGlobalConcurrency(limit: number): Promise<unknown>;
  /** Creates or changes a schedule. */
  upsertJobScheduler(id: string, repeat: object, template?: object): Promise<unknown>;
  /** Deletes a schedule. */
  removeJobScheduler(id: string): Promise<boolean>;
}
