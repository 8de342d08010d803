/**
 * Changes of jobs on PostgreSQL. The functions of the library read jobs first and change them afterwards, and workers
 * take jobs in between: a promoted job would run twice, or a cleaned job would vanish while its worker processes it.
 * Here, the same functions are called with the jobs locked, so that workers skip them.
 */

import type { CleanableStatus } from '../model/driver.ts';
import type { SqlPool } from './pool.ts';
import {
  cleanStatement,
  drainStatement,
  promoteAllStatement,
  promoteStatement,
  releaseStatement,
  removeStatement,
  removeUnprocessedStatement,
  retryAllStatement,
  stalledStatement,
} from './change-statements.ts';

/** The location of the jobs. */
export interface SqlChangeLocation {
  readonly queue: string;
  readonly pool: SqlPool;
}

export class SqlChanges {
  readonly #location: SqlChangeLocation;

  constructor(location: SqlChangeLocation) {
    this.#location = location;
  }

  /** 0, or the error code of the library. */
  promote(id: string): Promise<number> {
    return this.#number(promoteStatement, [id]);
  }

  /** Promotes at most `count` delayed jobs and returns their number. */
  promoteAll(count: number): Promise<number> {
    return this.#number(promoteAllStatement, [count]);
  }

  /** Retries at most `count` jobs that finished with that status before `before`, and returns their number. */
  retryAll(state: 'failed' | 'completed', before: number, count: number): Promise<number> {
    return this.#number(retryAllStatement, [state, before, count]);
  }

  /** Removes a job with its children and returns their number; 0 when one of them is locked, or the job is missing. */
  remove(id: string): Promise<number> {
    return this.#number(removeStatement, [id, Date.now()]);
  }

  /** Removes at most `count` jobs that were in the status at `until`, and returns their number. */
  clean(status: CleanableStatus, until: number, count: number): Promise<number> {
    return this.#number(cleanStatement(status), [until, count]);
  }

  /** Removes all waiting and delayed jobs, except the next runs of schedulers. */
  async drain(): Promise<void> {
    await this.#query(drainStatement, []);
  }

  /** Ids of at most `count` active jobs that started before `until` and have no worker any more. */
  async stalled(until: number, count: number): Promise<string[]> {
    const rows = await this.#query(stalledStatement, [until, Date.now(), count]);
    return rows.map((row) => String(row['id']));
  }

  /** Removes the unprocessed children, and releases a parent that has none left. */
  async removeUnprocessedChildren(id: string): Promise<void> {
    await this.#query(removeUnprocessedStatement, [id]);
    await this.#query(releaseStatement, [id, Date.now()]);
  }

  async #number(text: string, values: readonly unknown[]): Promise<number> {
    return Number((await this.#query(text, values))[0]?.['n'] ?? 0);
  }

  async #query(text: string, values: readonly unknown[]) {
    const { queue, pool } = this.#location;
    return (await pool.query(text, [queue, ...values])).rows;
  }
}
