/** Names of prepared statements, which PostgreSQL keeps planned for as long as a connection lives. */

import type { StatementText } from '../../../relational/index.ts';

/** Runs before a statement gets a name. */
const runsBeforeName = 3;
/** Names that are given out: every connection keeps memory for each. Statements after that run unnamed. */
const maxNames = 500;

const runs = new WeakMap<StatementText, number>();
const names = new WeakMap<StatementText, string>();
let given = 0;

/** The name of a statement that has recurred; `undefined` for one that is better planned with its values. */
export function statementName(statement: StatementText): string | undefined {
  const known = names.get(statement);
  if (known !== undefined) return known;
  const count = (runs.get(statement) ?? 0) + 1;
  runs.set(statement, count);
  if (count <= runsBeforeName || given >= maxNames) return undefined;
  if (statement.slots.some(({ steersPlan }) => steersPlan)) return undefined;
  given += 1;
  const name = `sluice_sql_${given}`;
  names.set(statement, name);
  return name;
}
