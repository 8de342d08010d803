/**
 * Changes of jobs on PostgreSQL. The functions of the library read jobs first and change them afterwards, and workers
 * take jobs in between: a promoted job would run twice, or a cleaned job would vanish while its worker processes it.
 * Here, the same functions are called with the jobs locked, so that workers skip them.
 */

import type { QueuePause } from '../../contract/index.ts';
import { bulkSize, DriverRefusal } from '../model/driver.ts';
import type {
  BulkStep,
  JobCommand,
  JobConditions,
  NotePart,
  ObliterateRun,
  QueueDriver,
  Refusal,
  SelectionRun,
  SelectionStep,
} from '../model/driver.ts';
import { loanOf } from './loan.ts';
import type { SqlPool } from './pool.ts';
import {
  changeStatement,
  cleanStatement,
  exclusiveStatement,
  obliterateStatement,
  pauseNoteStatement,
  pausedStatement,
  promoteAllStatement,
  releaseStatement,
  removeUnprocessedStatement,
  results,
  retryAllStatement,
  sparedStatement,
} from './change-statements.ts';
import { inTransaction, type Query } from './transaction.ts';
import { forgetJobs, keepJobs, undoPart } from './undo.ts';

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

/** Results of the function of the library that removes a queue. */
const obliterateRefusals = { notPaused: -1, active: -2 };

function changeParameters(
  queue: string,
  jobs: ReadonlyMap<string, JobConditions>,
  command: JobCommand,
): unknown[] {
  const conditions = [...jobs.values()];
  return [
    queue,
    [...jobs.keys()],
    conditions.map(({ expectedState }) => expectedState ?? null),
    conditions.map(({ revision }) => revision ?? null),
    Date.now(),
    argumentOf(command),
  ];
}

function refusalOf(row: Readonly<Record<string, unknown>> | undefined): Refusal | undefined {
  return row ? refusals.get(Number(row['n'])) : 'missing';
}

/** Throws a `DriverRefusal` for an error of the library that is one. */
export type Refusing = <Result>(work: Promise<Result>) => Promise<Result>;

/** Changes the jobs, of which a function of the library may refuse all for one; then halves are tried until it is found. */
async function changeSome(
  refusing: Refusing,
  query: Query,
  queue: string,
  jobs: ReadonlyMap<string, JobConditions>,
  command: JobCommand,
  refused: Map<string, Refusal>,
): Promise<void> {
  if (jobs.size === 0) return;
  const values = changeParameters(queue, jobs, command);
  await query('savepoint changing');
  try {
    const rows = await refusing(query(changeStatement(command.act), values));
    const found = new Map(rows.map((row) => [String(row['id']), row]));
    for (const id of jobs.keys()) {
      const refusal = refusalOf(found.get(id));
      if (refusal) refused.set(id, refusal);
      else refused.delete(id);
    }
    await query('release savepoint changing');
  } catch (error) {
    if (!(error instanceof DriverRefusal)) throw error;
    await query('rollback to savepoint changing');
    const all = [...jobs];
    const [only] = all;
    if (only && all.length === 1) {
      refused.set(only[0], error.refusal);
      return;
    }
    const middle = Math.ceil(all.length / 2);
    for (const half of [all.slice(0, middle), all.slice(middle)]) {
      await changeSome(refusing, query, queue, new Map(half), command, refused);
    }
  }
}

export class SqlChanges {
  readonly #location: SqlChangeLocation;
  readonly #refusing: Refusing;

  constructor(location: SqlChangeLocation, refusing: Refusing) {
    this.#location = location;
    this.#refusing = refusing;
  }

  /** Pauses the queue with a note, which is left out where it cannot be kept; a paused queue stays as it is. */
  pause(pause: () => Promise<void>, note: QueuePause): Promise<void> {
    const { queue, pool } = this.#location;
    return loanOf(pool).change(async () => {
      if ((await pool.query(pausedStatement, [queue])).rows.length > 0) return;
      await pause();
      await pool.query(pauseNoteStatement, [queue, JSON.stringify(note)]).catch(() => undefined);
    });
  }

  /** Changes a job, see {@link QueueDriver.change}. Throws a `DriverRefusal` if it is not as the command requires. */
  readonly change: QueueDriver['change'] = async (id, command, conditions) => {
    const { queue } = this.#location;
    const values = changeParameters(queue, new Map([[id, conditions]]), command);
    const changing = this.#query(changeStatement(command.act), values.slice(1));
    // A function of the library raises some refusals, for example for the next run of a scheduler.
    const [row] = await this.#refusing(changing);
    const refusal = refusalOf(row);
    if (refusal) throw new DriverRefusal(refusal, undefined, row && String(row['state']));
  };

  /** See `QueueDriver.changePart`. */
  changePart(
    jobs: ReadonlyMap<string, JobConditions>,
    commands: readonly JobCommand[],
    note: NotePart,
    keeps?: string,
  ): Promise<void> {
    const { queue, pool } = this.#location;
    return loanOf(pool).change(() =>
      inTransaction(pool, async (query) => {
        // Locks the run before its jobs: no other instance takes it over, and passes by these, before this ends.
        await note(query);
        const removed = commands.some(({ act }) => act === 'remove') ? [...jobs.keys()] : [];
        await query(exclusiveStatement, [queue, removed]);
        const since = keeps === undefined ? null : await keepJobs(query, queue, keeps, jobs.keys());
        const refused = new Map<string, Refusal>();
        let left = jobs;
        for (const command of commands) {
          await changeSome(this.#refusing, query, queue, left, command, refused);
          left = new Map([...left].filter(([id]) => refused.get(id) === 'state'));
        }
        if (keeps !== undefined && refused.size > 0) {
          await forgetJobs(query, keeps, since, refused);
        }
        await note(query, refused);
      }),
    );
  }

  /** See `QueueDriver.undoStep`. */
  undoStep(undoes: string, run: SelectionRun): SelectionStep {
    const { queue, pool } = this.#location;
    let { position } = run;
    return async () => {
      const part = await loanOf(pool).change(() =>
        inTransaction(pool, (query) =>
          undoPart(query, queue, undoes, { ...run, position }, bulkSize),
        ),
      );
      ({ position } = part);
      return part;
    };
  }

  /** Retries the jobs that finished with that status up to `before`. */
  readonly retryStep: QueueDriver['retryStep'] = (state, before) =>
    this.#step(retryAllStatement, [state, before, bulkSize]);

  /** Promotes the delayed jobs added up to `until`. */
  readonly promoteStep: QueueDriver['promoteStep'] = (until) =>
    this.#step(promoteAllStatement, [bulkSize, until]);

  /** Removes the jobs that were in the status at `until`; see `QueueDriver`. */
  readonly cleanStep: QueueDriver['cleanStep'] = (status, until, reach) => {
    const remove = this.#step(cleanStatement(status), [until, Date.now(), bulkSize, reach]);
    return async () => {
      const outcome = await remove();
      if (outcome.more) return outcome;
      const spared = await this.#number(sparedStatement(status), [until, Date.now(), reach]);
      return { ...outcome, spared };
    };
  };

  /** Removes the queue as the library does; a run notes each step in its transaction, with the last the end. */
  obliterateStep(force: boolean, run?: ObliterateRun): BulkStep {
    const { queue, pool } = this.#location;
    return () =>
      loanOf(pool).change(() =>
        inTransaction(pool, async (query) => {
          const [row] = await query(obliterateStatement, [queue, bulkSize, force]);
          const result = Number(row?.['n']);
          if (result === obliterateRefusals.notPaused) throw new DriverRefusal('state');
          if (result === obliterateRefusals.active) throw new DriverRefusal('active');
          const step = { changed: Number(row?.['jobs']), more: result === 1 };
          await run?.note(step, query);
          return { ...step, skipped: 0, spared: 0 };
        }),
      );
  }

  /** Removes the unprocessed children, and releases a parent that has none left. */
  readonly removeUnprocessedChildren: QueueDriver['removeUnprocessedChildren'] = async (id) => {
    await this.#query(removeUnprocessedStatement, [id]);
    await this.#query(releaseStatement, [id, Date.now()]);
  };

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
