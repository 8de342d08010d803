/**
 * The database of commands: transactions on a pool owned by the board, a pool of the host, or the database of an
 * instance. Each transaction has a time limit, and is repeated when another one is in its way.
 */

import type pg from 'pg';
import {
  Semaphore,
  isLostConnection,
  postgresqlErrorClass,
  sleep,
  sqlState,
  withTimeout,
} from '../../../lib/index.ts';
import { QueryError } from '../../../schema/index.ts';
import { BoardError } from '../../core/index.ts';
import { checkOut } from './check-out.ts';
import { sessionOnDatabase } from './instance-channel.ts';
import { poolConfig } from './own-pool.ts';
import type { PgBossDatabase } from './pg-boss.ts';
import { type PgDriver, endPool, openPool } from './end-pool.ts';
import type { ReadSession } from './read-channel.ts';
import { readTimeout } from './read-timeout.ts';

/** A transaction that is open. */
interface CommandTransaction {
  /** For the `db` option of the library. */
  readonly db: PgBossDatabase;
  /** Reads of the transaction, which see what it has written. */
  readonly session: ReadSession;
}

type Work<Answer> = (transaction: CommandTransaction) => Promise<Answer>;

/** Runs commands, one transaction each. */
export interface CommandDatabase {
  /**
   * Runs the work in a transaction, and commits. The work may run several times: a deadlock, a lock that another
   * transaction holds for long or a lost connection rolls it back.
   *
   * @throws {BoardError} OUTCOME_UNKNOWN when the server does not reply to the commit in time
   */
  transaction<Answer>(work: Work<Answer>): Promise<Answer>;
  /** Closes the connections that the database opened, without waiting for statements. */
  close(): Promise<void>;
}

/** Concurrent transactions of a board. */
const writers = 2;
/** Milliseconds that the board waits beyond the statement timeout of the server. */
const grace = 500;
/**
 * Milliseconds that a statement waits for a lock. Less than `deadlock_timeout`, whose default is a second: in a deadlock
 * between a command and a worker, the command gives way.
 */
const lockTimeoutMs = 400;

/** A connection within a transaction. */
interface Lease {
  readonly db: PgBossDatabase;
  commit(): Promise<unknown>;
  /** Rolls back, or drops the connection when the server does not reply. */
  abandon(cause: unknown): Promise<void>;
}

/** Begins transactions. */
type Begin = () => Promise<Lease>;

/** Sets the limits of a transaction; a lock timeout of the role or the database stays. */
const settingsText = `select current_setting('lock_timeout') as lock_timeout,
  case when current_setting('lock_timeout') = '0' then set_config('lock_timeout', $2, true) end,
  set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $3, true),
  set_config('datestyle', 'ISO', true)`;

/** Milliseconds that a rollback may take before its connection is dropped. */
const rollbackMs = 1_000;

function poolBegin(pool: pg.Pool): Begin {
  return async () => {
    const { client, release } = await checkOut(pool);
    const abandon = async (cause: unknown): Promise<void> => {
      const broken = cause instanceof Error ? cause : new Error('The transaction was abandoned.');
      if (cause instanceof Late) return release(broken);
      await withTimeout(client.query('rollback'), rollbackMs).then(
        () => release(),
        () => release(broken),
      );
    };
    try {
      await client.query('begin');
    } catch (error) {
      release(error instanceof Error ? error : undefined);
      throw error;
    }
    return {
      db: { executeSql: (text, values) => client.query(text, values) },
      commit: async () => {
        await client.query('commit');
        release();
      },
      abandon,
    };
  };
}

/** The methods of an instance's database that open transactions; adapters of the host may lack them. */
interface Transacting extends PgBossDatabase {
  beginTransaction?(): Promise<{
    readonly db: PgBossDatabase;
    commit(): Promise<unknown>;
    rollback(): Promise<unknown>;
  }>;
  withTransaction?<Answer>(work: (db: PgBossDatabase) => Promise<Answer>): Promise<Answer>;
}

/** `withTransaction` as a pair of calls. */
function pinned(database: Required<Pick<Transacting, 'withTransaction'>>): Promise<Lease> {
  return new Promise((resolve, reject) => {
    let finish: (outcome: Promise<void>) => void;
    const finished = new Promise<void>((settle) => {
      finish = settle;
    });
    const whole = database.withTransaction((db) => {
      resolve({
        db,
        commit: () => {
          finish(Promise.resolve());
          return whole;
        },
        abandon: async (cause) => {
          finish(Promise.reject(cause));
          if (!(cause instanceof Late)) await whole.catch(() => undefined);
        },
      });
      return finished;
    });
    whole.catch(reject);
  });
}

function instanceBegin(database: () => Transacting): Begin {
  return async () => {
    const db = database();
    if (typeof db.beginTransaction === 'function') {
      const transaction = await db.beginTransaction();
      return {
        db: transaction.db,
        commit: () => transaction.commit(),
        abandon: async (cause) => {
          const rollback = transaction.rollback().catch(() => undefined);
          if (!(cause instanceof Late)) await rollback;
        },
      };
    }
    if (typeof db.withTransaction === 'function') {
      return pinned(db as Required<Pick<Transacting, 'withTransaction'>>);
    }
    throw new BoardError('PGQ_WRITES_DISABLED', { message: { key: 'PGQ_WRITER_UNAVAILABLE' } });
  };
}

/** A database that remembers its first failure. */
interface Remembering extends PgBossDatabase {
  first?: unknown;
}

function remembering(db: PgBossDatabase): Remembering {
  const result: Remembering = {
    executeSql: async (text, values) => {
      try {
        return await db.executeSql(text, values);
      } catch (error) {
        result.first ??= error;
        throw error;
      }
    },
  };
  return result;
}

/** Whether the statement failed because an earlier one did: the library asks for the reason in the transaction. */
function isAborted(error: unknown): boolean {
  return sqlState(error) === '25P02';
}

/** The time limit of a command is over. */
class Late extends Error {
  override readonly name = 'Late';
}

/** Waits for a step until the deadline; later outcomes are ignored. */
function before<Answer>(deadline: number, step: Promise<Answer>): Promise<Answer> {
  return withTimeout(step, Math.max(0, deadline - performance.now()), () => new Late());
}

/** Whether the server has replied that the transaction is rolled back. */
function isRefusal(error: unknown): boolean {
  return sqlState(error) !== undefined && postgresqlErrorClass(error) !== 'away';
}

/** SQLSTATEs after which the same transaction may succeed: deadlock, lock timeout, serialization failure. */
const passing: ReadonlySet<string | undefined> = new Set(['40P01', '55P03', '40001']);

function isPassing(error: unknown): boolean {
  if (error instanceof BoardError || error instanceof QueryError) return false;
  return passing.has(sqlState(error)) || isLostConnection(error);
}

/** Milliseconds before a transaction is repeated, at first and at most. */
const pauseMs = { first: 10, most: 250 };

function commandDatabase(
  begin: Begin,
  limitMs: number,
  close: () => Promise<void>,
): CommandDatabase {
  const semaphore = new Semaphore(writers);

  async function attempt<Answer>(work: Work<Answer>, deadline: number): Promise<Answer> {
    if (performance.now() >= deadline) throw new Late();
    const beginning = begin();
    let lease: Lease;
    try {
      lease = await before(deadline, beginning);
    } catch (error) {
      if (error instanceof Late) beginning.then((late) => late.abandon(error)).catch(() => {});
      throw error;
    }
    let committing = false;
    let failure: Remembering | undefined;
    let lockTimeout = '0';
    try {
      const left = String(Math.max(1, Math.ceil(deadline - performance.now() - grace)));
      const db = remembering(lease.db);
      failure = db;
      const { rows } = await before(
        deadline,
        db.executeSql(settingsText, [left, String(lockTimeoutMs), String(limitMs + grace)]),
      );
      const [found] = rows as { readonly lock_timeout?: string }[];
      lockTimeout = found?.lock_timeout ?? lockTimeout;
      const answer = await before(deadline, work({ db, session: sessionOnDatabase(() => db) }));
      committing = true;
      await before(deadline, lease.commit());
      return answer;
    } catch (reason) {
      const error = isAborted(reason) ? (failure?.first ?? reason) : reason;
      await lease.abandon(error);
      // The host has set for how long to wait.
      if (lockTimeout !== '0' && sqlState(error) === '55P03') throw readTimeout(limitMs, error);
      if (!committing || isRefusal(error)) throw error;
      throw new BoardError('OUTCOME_UNKNOWN', { cause: error });
    }
  }

  async function untilDone<Answer>(work: Work<Answer>, deadline: number): Promise<Answer> {
    for (let pause = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.most)) {
      try {
        return await attempt(work, deadline);
      } catch (error) {
        if (error instanceof Late) throw readTimeout(limitMs, error);
        if (!isPassing(error) || performance.now() + pause > deadline) throw error;
        await sleep(pause * (0.5 + Math.random()));
      }
    }
  }

  return {
    transaction: (work) => {
      const deadline = performance.now() + limitMs;
      return withTimeout(
        semaphore.run(() => untilDone(work, deadline), limitMs + grace, readTimeout),
        limitMs + grace,
        readTimeout,
      );
    },
    close,
  };
}

/** Transactions on a pool owned by the board, opened at the first command. */
export function ownCommandDatabase(
  driver: PgDriver,
  config: pg.PoolConfig,
  limitMs: number,
): CommandDatabase {
  let pool: pg.Pool | undefined;
  const opened = (): pg.Pool => {
    pool ??= openPool(driver, { ...poolConfig(config), max: writers });
    return pool;
  };
  const begin: Begin = () => poolBegin(opened())();
  return commandDatabase(begin, limitMs, async () => pool && endPool(pool));
}

/** Transactions on a pool of the host, which stays open. */
export function borrowedCommandDatabase(pool: pg.Pool, limitMs: number): CommandDatabase {
  return commandDatabase(poolBegin(pool), limitMs, () => Promise.resolve());
}

/** Transactions on the database of an instance, looked up for each, because an instance may be started later. */
export function instanceCommandDatabase(
  database: () => PgBossDatabase,
  limitMs: number,
): CommandDatabase {
  return commandDatabase(instanceBegin(database), limitMs, () => Promise.resolve());
}
