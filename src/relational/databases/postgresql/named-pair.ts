/** Runs the two statements of a page, rows and count, in one round trip of `pg`. */

import type { StatementText } from '../../compile/sql-text.ts';
import type { Rows } from '../../read/executor.ts';
import type { NamedStatements } from './named-statements.ts';
import type { NamedRun } from './round-trip.ts';

/** A statement with the values of one run. */
interface Run {
  readonly statement: StatementText;
  readonly values: readonly unknown[];
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
  runs: readonly [Run, Run],
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
