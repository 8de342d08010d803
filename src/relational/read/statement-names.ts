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

  /** Counts a run of a statement without a name, and names it; `undefined` for one whose best plan depends on its values. */
  #counted(statement: StatementText): string | undefined {
    const runs = (this.#runs.get(statement) ?? 0) + 1;
    this.#runs.set(statement, runs);
    if (runs <= runsBeforeName) return undefined;
    if (statement.slots.some(({ steersPlan }) => steersPlan)) return undefined;
    const edition = this.#retired.get(statement) ?? 0;
    const suffix = edition === 0 ? '' : `_${edition}`;
    const name = `sluice_${textHash(statement.text)}_${statement.text.length}${suffix}`;
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
