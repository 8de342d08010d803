/** Names of prepared statements, whose plans PostgreSQL keeps for the lifetime of a connection. */

import type { StatementText } from '../compile/sql-text.ts';

/** Number of runs before a statement gets a name. */
const runsBeforeName = 3;

let last = 0;

/** Names for statements that recur. Names are unique in the process. */
export class StatementNames {
  readonly #runs = new WeakMap<StatementText, number>();
  readonly #names = new WeakMap<StatementText, string>();
  readonly #most: number;
  #given = 0;

  /** Gives at most `most` names, because every connection needs memory for each. Further statements run unnamed. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a run and returns the statement's name; `undefined` for one whose best plan depends on its values. */
  nameFor(statement: StatementText): string | undefined {
    const known = this.#names.get(statement);
    if (known !== undefined) return known;
    const runs = (this.#runs.get(statement) ?? 0) + 1;
    this.#runs.set(statement, runs);
    if (runs <= runsBeforeName || this.#given >= this.#most) return undefined;
    if (statement.slots.some(({ steersPlan }) => steersPlan)) return undefined;
    this.#given += 1;
    last += 1;
    const name = `sluice_${last}`;
    this.#names.set(statement, name);
    return name;
  }
}
