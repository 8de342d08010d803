/** Names of prepared statements, whose plans PostgreSQL keeps for the lifetime of a connection. */

import { textHash } from '../../rules/index.ts';
import type { StatementText } from '../compile/sql-text.ts';

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
  #given = 0;

  /** Gives at most `most` names, because every connection needs memory for each. Further statements run unnamed. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The statement's name, without counting a run; `undefined` while it has none. */
  known(statement: StatementText): string | undefined {
    return this.#names.get(statement);
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
    const edition = this.#retired.get(statement) ?? 0;
    const suffix = edition === 0 ? '' : `_${edition}`;
    const name = `sluice_${textHash(statement.text)}_${statement.text.length}${suffix}`;
    this.#names.set(statement, name);
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
