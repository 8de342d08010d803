/** Ends statements of `mysql2` by KILL QUERY, on a connection of its own outside the pool. */

import {
  type Answer,
  type Connection,
  coreOf,
  hasWaiting,
  openBeside,
  runningText,
  tellsCommand,
} from './foreign.ts';
import { inTurn, type RunStoppable } from '../../read/execution.ts';

/** A connection with promises. */
interface PromiseConnection {
  readonly connection: Connection;
}

/** A pool with promises. */
interface PromisePool {
  getConnection(): Promise<PromiseConnection & { release(): void }>;
}

/** Milliseconds after which a server that does not answer is given up. */
const patienceMs = 5000;

/** How statements run on a pool or connection of `mysql2`; `undefined` for other objects. */
export function stoppableMysql2(target: object): RunStoppable | undefined {
  if ('getConnection' in target) return onPool(target as PromisePool);
  const core = coreOf(target);
  return tellsCommand(core) ? onConnection(target, core) : undefined;
}

function onPool(pool: PromisePool): RunStoppable {
  return async (stop, text, statement) => {
    const lent = await pool.getConnection();
    const { connection } = lent;
    const isTold = tellsCommand(connection);
    try {
      return await stop.during(
        async () => {
          if (isTold) await cancel(connection, text);
        },
        () => statement(lent),
      );
    } finally {
      lent.release();
    }
  };
}

function onConnection(target: object, core: Connection): RunStoppable {
  return (stop, text, statement) =>
    inTurn(core, () =>
      stop.during(
        () => cancel(core, text),
        () => statement(target),
      ),
    );
}

/**
 * Cancels the connection's statement. Until the server has answered, nothing is read from the connection, so no other
 * statement begins there. A statement that had already ended leaves the mark of its cancellation on the session, which
 * an empty statement takes off before others run.
 */
async function cancel(connection: Connection, text: () => string): Promise<void> {
  const { threadId } = connection;
  const sql = runningText(connection);
  // The text has its values in it where the statement has question marks.
  const [beginning = ''] = text().split('?', 1);
  if (threadId === null || !sql?.startsWith(beginning) || !isCleaned(connection)) return;
  connection.pause();
  try {
    await controlOf(connection).kill(threadId, sql);
  } catch (error) {
    // The request may still arrive, and must not find another statement.
    if (error === unanswered) connection.destroy();
    throw error;
  } finally {
    connection.resume();
  }
}

/** Connections on which an empty statement follows the running one. */
const cleaned = new WeakSet<Connection>();

/** Makes an empty statement follow the running one, unless the host's own statements already do. */
function isCleaned(connection: Connection): boolean {
  if (cleaned.has(connection)) return true;
  if (hasWaiting(connection)) return false;
  cleaned.add(connection);
  connection.query('do 0', () => cleaned.delete(connection));
  return true;
}

const unanswered = new Error('The server did not answer in time.');

const controls = new WeakMap<object, Control>();

/** All connections of a pool have the same settings object. */
function controlOf(connection: Connection): Control {
  const { config } = connection;
  const known = controls.get(config) ?? new Control(connection);
  controls.set(config, known);
  return known;
}

/** A connection with the settings of another one, open while there is something to kill. */
class Control {
  readonly #open: () => Connection;
  #connection: Connection | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(connection: Connection) {
    this.#open = openBeside(connection);
  }

  /** Kills the statement of a thread; statements are killed one after the other. */
  async kill(threadId: number, sql: string): Promise<void> {
    this.#waiting += 1;
    const turn = this.#last.then(() => this.#kill(threadId, sql));
    this.#last = turn.catch(() => undefined);
    try {
      await turn;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#close();
    }
  }

  async #kill(threadId: number, sql: string): Promise<void> {
    // Behind a load balancer, a thread with the same id on another server runs another statement. Columns of the
    // process list do not hold every character.
    const [beginning = ''] = /^[ -~\s]{0,2000}/.exec(sql) ?? [];
    const running = await this.#ask(
      `select id from information_schema.processlist where id = ? and left(info, ?) = ?`,
      [threadId, beginning.length, beginning],
    );
    if (Array.isArray(running) && running.length > 0) await this.#ask(`kill query ${threadId}`);
  }

  #ask(sql: string, values?: unknown[]): Promise<unknown> {
    const connection = (this.#connection ??= this.#connected());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#close();
        reject(unanswered);
      }, patienceMs);
      const answer: Answer = (error, rows) => {
        clearTimeout(timer);
        if (error) {
          this.#close();
          reject(error);
        } else {
          resolve(rows);
        }
      };
      if (values) connection.execute(sql, values, answer);
      else connection.query(sql, answer);
    });
  }

  #connected(): Connection {
    const connection = this.#open();
    // The running query fails with the same error.
    connection.on('error', () => undefined);
    return connection;
  }

  #close(): void {
    this.#connection?.destroy();
    this.#connection = undefined;
  }
}
