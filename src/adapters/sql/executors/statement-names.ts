/** Names of prepared statements, whose plans PostgreSQL keeps for the lifetime of a connection. */

import type { StatementText } from '../../../relational/index.ts';

/** Number of runs before a statement gets a name. */
const runsBeforeName = 3;
/** Largest number of names, because every connection needs memory for each. Further statements run unnamed. */
const maxNames = 500;

const runs = new WeakMap<StatementText, number>();
const names = new WeakMap<StatementText, string>();
let given = 0;

/** The name of a recurring statement; `undefined` for one whose best plan depends on its values. */
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
