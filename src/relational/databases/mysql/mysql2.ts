/** Ends statements of `mysql2` by KILL QUERY, on a connection of its own outside the pool. */

import { type RunStoppable, inTurn } from '../../read/stop.ts';

/** The part of a connection that is used. */
interface Connection {
  readonly threadId: number | null;
  readonly config: object;
  readonly stream: { destroy(): void };
  pause(): void;
  resume(): void;
  destroy(): void;
  on(event: 'error', listener: () => void): unknown;
  execute(sql: string, values: unknown[], answer: Answer): unknown;
  query(sql: string, answer: Answer): unknown;
  /** The running command, with its values in the text. */
  readonly _command?: { readonly sql?: string } | null;
  /** Commands that wait for the running one. */
  readonly _commands?: { readonly length: number };
}

type Answer = (error: Error | null, rows: unknown) => void;

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
  const core = 'connection' in target ? target.connection : target;
  const isConnection = typeof core === 'object' && core !== null && '_command' in core;
  return isConnection ? onConnection(target, core as Connection) : undefined;
}

function onPool(pool: PromisePool): RunStoppable {
  return async (stop, text, statement) => {
    const lent = await pool.getConnection();
    try {
      return await stop.during(
        () => cancel(lent.connection, text),
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
  const sql = connection._command?.sql;
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
  if (connection._commands?.length) return false;
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

  constructor({ constructor, config }: Connection) {
    // A connection that belongs to a pool is given the pool first.
    const given = constructor.length === 2 ? [null, { config }] : [{ config }];
    this.#open = () => Reflect.construct(constructor, given) as Connection;
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
