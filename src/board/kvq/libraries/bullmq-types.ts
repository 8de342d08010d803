/** The part of BullMQ that the board uses, common to versions 5, 6 and Pro. */

/** A job of BullMQ. */
export interface BullMqJob {
  readonly id?: string | undefined;
  retry(state: 'failed' | 'completed'): Promise<void>;
  remove(): Promise<void>;
  promote(): Promise<void>;
  updateData(data: unknown): Promise<void>;
  changeDelay(delay: number): Promise<void>;
  changePriority(options: { priority: number }): Promise<void>;
}

/** Counts per minute. */
export interface BullMqMetrics {
  readonly meta: { readonly count: number; readonly prevTS: number; readonly prevCount: number };
  readonly data: readonly (number | string)[];
  readonly count: number;
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
  drain(delayed?: boolean): Promise<void>;
  clean(grace: number, limit: number, type?: never): Promise<string[]>;
  obliterate(options?: { force?: boolean }): Promise<void>;
  retryJobs(options?: object): Promise<void>;
  promoteJobs(options?: object): Promise<void>;
  getMetrics(type: 'completed' | 'failed'): Promise<BullMqMetrics>;
  getJobLogs(id: string, start?: number, end?: number): Promise<{ logs: string[] }>;
  setGlobalConcurrency(limit: number): Promise<unknown>;
  upsertJobScheduler(id: string, repeat: object, template?: object): Promise<unknown>;
  removeJobScheduler(id: string): Promise<boolean>;
}

/** Processes finished or delayed jobs in chunks; returns the next cursor, 0 at the end. */
export interface BullMqChunks {
  retry(state: 'failed' | 'completed', count: number, before: number): Promise<number>;
  promote(count: number): Promise<number>;
}
