/**
 * Changes of jobs on PostgreSQL. The library's functions look at jobs first and change them afterwards, and workers
 * take jobs in between: a promoted job would run twice, a cleaned one vanish from under its worker. Here the same
 * functions are called while their jobs are locked, so that workers pass them over.
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

/** Where the jobs are. */
export interface SqlChangePlace {
  readonly queue: string;
  readonly pool: SqlPool;
}

export class SqlChanges {
  readonly #place: SqlChangePlace;

  constructor(place: SqlChangePlace) {
    this.#place = place;
  }

  /** 0, or the library's code of why not. */
  promote(id: string): Promise<number> {
    return this.#number(promoteStatement, [id]);
  }

  /** How many of at most `count` delayed jobs were promoted. */
  promoteAll(count: number): Promise<number> {
    return this.#number(promoteAllStatement, [count]);
  }

  /** How many of at most `count` jobs were retried that had ended in that way before `before`. */
  retryAll(state: 'failed' | 'completed', before: number, count: number): Promise<number> {
    return this.#number(retryAllStatement, [state, before, count]);
  }

  /** How many jobs were removed, children included; 0 where one of them is locked, or there is none. */
  remove(id: string): Promise<number> {
    return this.#number(removeStatement, [id, Date.now()]);
  }

  /** How many of at most `count` jobs were removed that were there at `until`. */
  clean(status: CleanableStatus, until: number, count: number): Promise<number> {
    return this.#number(cleanStatement(status), [until, count]);
  }

  /** Removes all jobs that wait or are delayed, but for the runs that schedulers wait for. */
  async drain(): Promise<void> {
    await this.#query(drainStatement, []);
  }

  /** Ids of at most `count` active jobs that no worker holds any more, taken up before `until`. */
  async stalled(until: number, count: number): Promise<string[]> {
    const rows = await this.#query(stalledStatement, [until, Date.now(), count]);
    return rows.map((row) => String(row['id']));
  }

  /** Removes the children that have not been processed, and lets a parent go on that has none left. */
  async removeUnprocessedChildren(id: string): Promise<void> {
    await this.#query(removeUnprocessedStatement, [id]);
    await this.#query(releaseStatement, [id, Date.now()]);
  }

  async #number(text: string, values: readonly unknown[]): Promise<number> {
    return Number((await this.#query(text, values))[0]?.['n'] ?? 0);
  }

  async #query(text: string, values: readonly unknown[]) {
    const { queue, pool } = this.#place;
    return (await pool.query(text, [queue, ...values])).rows;
  }
}
