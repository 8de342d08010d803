/**
 * Decides whether statements on a connection of `pg` are prepared under a name. A prepared statement belongs to one
 * connection of the server: behind a pooler that changes it between transactions, such as PgBouncer, the name may be
 * unknown or taken.
 */

import { codeOf, errorCauses } from '../../../lib/index.ts';
import type { StatementText } from '../../compile/sql-text.ts';
import type { StatementNames } from '../../read/statement-names.ts';
import { processOf } from './foreign.ts';
import { isOutdated } from './outdated.ts';

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
