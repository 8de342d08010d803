/**
 * Changes of jobs on PostgreSQL. The functions of the library read jobs first and change them afterwards, and workers
 * take jobs in between: a promoted job would run twice, or a cleaned job would vanish while its worker processes it.
 * Here, the same functions are called with the jobs locked, so that workers skip them.
 */

import { bulkSize, DriverRefusal } from '../model/driver.ts';
import type {
  BulkStep,
  CleanableStatus,
  JobCommand,
  JobConditions,
  Reach,
  Refusal,
} from '../model/driver.ts';
import { loanOf } from './loan.ts';
import type { SqlPool } from './pool.ts';
import {
  changeStatement,
  cleanStatement,
  promoteAllStatement,
  releaseStatement,
  removeUnprocessedStatement,
  results,
  retryAllStatement,
  sparedStatement,
} from './change-statements.ts';

/** The location of the jobs. */
export interface SqlChangeLocation {
  readonly queue: string;
  readonly pool: SqlPool;
}

const refusals: ReadonlyMap<number, Refusal> = new Map([
  [results.changed, 'changed'],
  [results.parent, 'parent'],
  [results.child, 'child'],
  [results.missing, 'missing'],
  [results.state, 'state'],
  [results.active, 'active'],
  // The functions of the library that return 0 for success are counted from 1.
  [results.missing + 1, 'missing'],
  [results.state + 1, 'state'],
]);

/** The argument of a change. */
function argumentOf(command: JobCommand): unknown {
  switch (command.act) {
    case 'retry':
      return command.from;
    case 'remove':
      return command.reach;
    case 'data':
      return JSON.stringify(command.data);
    case 'delay':
      return command.delay;
    case 'priority':
      return command.priority;
    case 'promote':
    case 'release':
      return null;
  }
}

export class SqlChanges {
  readonly #location: SqlChangeLocation;

  constructor(location: SqlChangeLocation) {
    this.#location = location;
  }

  /** Changes a job. Throws a `DriverRefusal` if it is not as the command requires. */
  async change(
    id: string,
    command: JobCommand,
    { expectedState, ifUnchanged }: JobConditions,
  ): Promise<void> {
    const conditions = [expectedState ?? null, ifUnchanged ?? null];
    const values = [id, ...conditions, Date.now(), argumentOf(command)];
    const [row] = await this.#query(changeStatement(command.act), values);
    const refusal = row ? refusals.get(Number(row['n'])) : 'missing';
    if (refusal) throw new DriverRefusal(refusal, undefined, row && String(row['state']));
  }

  /** Retries the jobs that finished with that status up to `before`. */
  retryStep(state: 'failed' | 'completed', before: number): BulkStep {
    return this.#step(retryAllStatement, [state, before, bulkSize]);
  }

  /** Promotes the delayed jobs added up to `until`. */
  promoteStep(until: number): BulkStep {
    return this.#step(promoteAllStatement, [bulkSize, until]);
  }

  /** Removes the jobs that were in the status at `until`; see `QueueDriver`. */
  cleanStep(status: CleanableStatus, until: number, reach: Reach): BulkStep {
    const remove = this.#step(cleanStatement(status), [until, Date.now(), bulkSize, reach]);
    return async () => {
      const outcome = await remove();
      if (outcome.more) return outcome;
      const spared = await this.#number(sparedStatement(status), [until, Date.now(), reach]);
      return { ...outcome, spared };
    };
  }

  /** Removes the unprocessed children, and releases a parent that has none left. */
  async removeUnprocessedChildren(id: string): Promise<void> {
    await this.#query(removeUnprocessedStatement, [id]);
    await this.#query(releaseStatement, [id, Date.now()]);
  }

  #step(text: string, values: readonly unknown[]): BulkStep {
    return async () => {
      const changed = await this.#number(text, values);
      return { changed, skipped: 0, spared: 0, more: changed > 0 };
    };
  }

  async #number(text: string, values: readonly unknown[]): Promise<number> {
    return Number((await this.#query(text, values))[0]?.['n'] ?? 0);
  }

  async #query(text: string, values: readonly unknown[]) {
    const { queue, pool } = this.#location;
    return (await loanOf(pool).change(() => pool.query(text, [queue, ...values]))).rows;
  }
}
