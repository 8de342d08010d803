/** Ends statements of a pool of `mariadb` by KILL QUERY on a further connection. */

import type { ControlConnection } from '../../read/time-limit.ts';
import type { RunStoppable } from '../../read/execution.ts';

/** The part of a connection that is used. */
interface Connection {
  readonly threadId: number | null;
  query(sql: string): Promise<unknown>;
  release(): Promise<void>;
}

/** The part of a pool that is used. */
interface Pool {
  getConnection(): Promise<Connection>;
}

/** How statements run on a pool of `mariadb`; `undefined` for other objects. */
export function stoppableMariadb(
  target: object,
  open: () => Promise<ControlConnection>,
): RunStoppable | undefined {
  if (!('getConnection' in target)) return undefined;
  const pool = target as Pool;
  const control = new Control(open);
  return async (stop, _text, statement) => {
    const lent = await pool.getConnection();
    let isKilled = false;
    const cancel = () => {
      isKilled = true;
      return control.kill(lent.threadId);
    };
    try {
      return await stop.during(cancel, () => statement(lent));
    } finally {
      // A statement that had already ended leaves the mark of its end on the session; an empty one takes it off.
      if (isKilled) await lent.query('do 0').catch(() => undefined);
      await lent.release();
    }
  };
}

/** A connection that is open while there is something to kill. Statements are killed one after the other. */
class Control {
  readonly #open: () => Promise<ControlConnection>;
  #connection: Promise<ControlConnection> | undefined;
  #waiting = 0;

  constructor(open: () => Promise<ControlConnection>) {
    this.#open = open;
  }

  async kill(threadId: number | null): Promise<void> {
    if (threadId === null) return;
    this.#waiting += 1;
    const opened = (this.#connection ??= this.#open());
    try {
      await (await opened).run(`kill query ${threadId}`);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) {
        this.#connection = undefined;
        await opened.then((connection) => connection.close()).catch(() => undefined);
      }
    }
  }
}
