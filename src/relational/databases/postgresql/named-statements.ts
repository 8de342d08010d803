/**
 * Decides whether statements on a connection of `pg` are prepared under a name. A prepared statement belongs to one
 * connection of the server: behind a pooler that changes it between transactions, such as PgBouncer, the name may be
 * unknown or taken. The two statements of a page, rows and count, run in one round trip where both have names.
 */

import { codeOf, errorCauses } from '../../../lib/index.ts';
import type { StatementText } from '../../compile/sql-text.ts';
import { processOf } from './foreign.ts';
import { isOutdated } from './errors.ts';
import type { Rows, RunPair } from '../../read/executor.ts';
import { type NamedRun, once } from './round-trip.ts';
import { textHash } from '../../../rules/index.ts';

/** The part of a client of `pg` that is used. */
export interface NamingClient {
  query(text: string): Promise<unknown>;
}

/** The part of a pool of `pg` that is used. */
interface NamingPool {
  readonly totalCount: number;
  connect(lend: (error: Error | undefined, client: LentClient | undefined) => void): void;
}

interface LentClient extends NamingClient {
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
  release(): void;
}

const ignore = (): void => undefined;

/** How a pool or a client of `pg` lends a client; `undefined` for a connection of another driver. */
export function lendingOf(connection: object): LendClient | undefined {
  if ('totalCount' in connection && 'connect' in connection) {
    return (work) => onPool(connection as NamingPool, work);
  }
  return 'connection' in connection
    ? (work) => work(connection as object as NamingClient)
    : undefined;
}

function onPool(pool: NamingPool, work: Parameters<LendClient>[0]): Promise<void> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (!client) {
        reject(error ?? new Error('The pool returned no connection.'));
        return;
      }
      // The pool listens to idle connections only; the statement fails with the same error.
      client.on('error', ignore);
      const release = (): void => {
        client.off('error', ignore);
        client.release();
      };
      work(client).finally(release).then(resolve, reject);
    });
  });
}

/** Runs work on a connected client. */
type LendClient = (work: (client: NamingClient) => Promise<void>) => Promise<void>;

/** Statements of a connection before it is worth a further one to find out where it leads. */
const runsBeforeProbe = 10;

/** Reads the server's process. */
export const processQuery = 'select pg_backend_pid() as pid';

/** invalid_sql_statement_name: no such statement; duplicate_prepared_statement. */
const refusals: ReadonlySet<string | undefined> = new Set(['26000', '42P05']);

/** The names of the statements on one pool or client. */
export class NamedStatements {
  readonly #names: StatementNames;
  readonly #lend: LendClient | undefined;
  /** `undefined` until it is known. */
  #isAllowed: boolean | undefined;
  #runs = 0;

  /**
   * `setting` is the host's; without one, statements are named where the connection leads to the server itself. A pooler
   * reports another process than the server has. A driver without `lend` decides about names by itself.
   */
  constructor(names: StatementNames, setting: boolean | undefined, lend: LendClient | undefined) {
    this.#names = names;
    this.#isAllowed = setting ?? (lend ? undefined : true);
    this.#lend = lend;
  }

  /** Counts a run and returns the name for a run by the driver; `undefined` if that is unnamed. */
  nameFor(statement: StatementText): string | undefined {
    return this.#isAllowed ? this.#names.nameFor(statement) : undefined;
  }

  /** The name for a round trip; `undefined` if the statement runs unnamed. */
  known(statement: StatementText): string | undefined {
    return this.#isAllowed ? this.#names.known(statement) : undefined;
  }

  /**
   * Counts a run. Returns a promise when it is time to find out where the connection leads: a client waits for it, and
   * a pool does not. It never rejects.
   */
  counted(): Promise<void> | undefined {
    if (this.#isAllowed !== undefined) return undefined;
    this.#runs += 1;
    return this.#runs === runsBeforeProbe ? this.#probe() : undefined;
  }

  async #probe(): Promise<void> {
    try {
      await this.#lend?.(async (client) => {
        const { rows } = (await client.query(processQuery)) as { rows: readonly { pid: number }[] };
        this.#isAllowed ??= rows[0]?.pid === processOf(client);
      });
    } catch {
      // The connection has failed, so the next one is asked later.
      this.#runs = 0;
    }
  }

  /**
   * Whether the statement failed because of its name, and would not without. It gets another name where its plan was
   * outdated; where the connection does not keep names, statements are no longer named.
   */
  isRefusal(error: unknown, statement: StatementText): boolean {
    if (isOutdated(error)) {
      this.#names.retire(statement);
      return true;
    }
    if (!errorCauses(error).some((cause) => refusals.has(codeOf(cause)))) return false;
    this.#isAllowed = false;
    return true;
  }
}

/** Whether both statements have names already. */
export function haveNames(
  names: NamedStatements | undefined,
  first: StatementText,
  second: StatementText,
): boolean {
  return names?.known(first) !== undefined && names.known(second) !== undefined;
}

/**
 * Runs two statements in this order. Returns `undefined` where they are to run one after the other: no name or no
 * client of `pg`, or a failure that does not occur without names. `trip` sends them on a client, `lend` calls its
 * argument with a connected client, and `again` tells whether the connection can be used after a failed statement, as it
 * cannot in a transaction.
 */
export async function inOneTrip(
  names: NamedStatements,
  runs: RunPair,
  trip: (
    client: object,
    runs: readonly NamedRun[],
  ) => Promise<readonly Rows[] | undefined> | undefined,
  lend: <T>(send: (client: object) => Promise<T> | T) => Promise<T>,
  again: boolean,
): Promise<readonly [Rows, Rows] | undefined> {
  const named = runs.map(({ statement, values }) => ({
    name: names.known(statement),
    text: statement.text,
    values,
  }));
  try {
    const results = await lend((client) => trip(client, named));
    return results as readonly [Rows, Rows] | undefined;
  } catch (error) {
    const refused = runs.filter(({ statement }) => names.isRefusal(error, statement));
    if (refused.length === 0 || !again) throw error;
    return undefined;
  }
}

/** Number of runs before a statement gets a name. */
const runsBeforeName = 3;

/**
 * Names for statements that recur. A name is made from the text of its statement: where several processes share the
 * connections of a pooler, a name never stands for the statement of another process.
 */
export class StatementNames {
  readonly #runs = new WeakMap<StatementText, number>();
  readonly #names = new WeakMap<StatementText, string>();
  /** How many names a statement has lost. */
  readonly #retired = new WeakMap<StatementText, number>();
  readonly #most: number;
  /** The first names. */
  readonly #lasting = new Set<string>();

  /** `most` is the number of names for drivers that never close a statement, whose connections need memory for each. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * The statement's name, without counting a run; `undefined` while it has none. For runs that close the statements of
   * other names: a client can invent any number of them.
   */
  known(statement: StatementText): string | undefined {
    return this.#names.get(statement);
  }

  /** Counts a run and returns the statement's name, if it has one and it is one of the first. */
  nameFor(statement: StatementText): string | undefined {
    const name = this.#names.get(statement) ?? this.#counted(statement);
    return name !== undefined && this.#lasting.has(name) ? name : undefined;
  }

  /**
   * Counts a run of a statement without a name, and names it. The name of one whose best plan depends on its values is that
   * of a round trip only, which does not keep it.
   */
  #counted(statement: StatementText): string | undefined {
    const runs = (this.#runs.get(statement) ?? 0) + 1;
    this.#runs.set(statement, runs);
    if (runs <= runsBeforeName) return undefined;
    const edition = this.#retired.get(statement) ?? 0;
    const suffix = edition === 0 ? '' : `_${edition}`;
    const name = `sluice_${textHash(statement.text)}_${statement.text.length}${suffix}`;
    if (statement.slots.some(({ steersPlan }) => steersPlan)) {
      this.#names.set(statement, `${name}${once}`);
      return undefined;
    }
    this.#names.set(statement, name);
    if (this.#lasting.size < this.#most) this.#lasting.add(name);
    return name;
  }

  /** Takes the statement's name back. It gets another one when it recurs, since connections know the first. */
  retire(statement: StatementText): void {
    // Several requests may have failed with the same name.
    if (!this.#names.delete(statement)) return;
    this.#runs.delete(statement);
    this.#retired.set(statement, (this.#retired.get(statement) ?? 0) + 1);
  }
}
