/** The conditions of a plan on one table as text, for statements that no list query can say. */

import {
  type Customized,
  type Executor,
  type StatementText,
  relationalSource,
  render,
} from '../../relational/index.ts';
import type { SqlCustomize } from './customize.ts';
import type { SqlExecutor } from './executors/executor.ts';
import type { SqlSource } from './source.ts';

/** A text with its values. */
export interface ConditionText {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Sends the conditions of a statement in its place; its placeholders are numbered behind `offset` others. */
function conditionsAlone(offset: number) {
  return ({
    context: { dialect },
    statement: { parts },
  }: Customized<SqlExecutor, SqlCustomize>): StatementText => {
    const { where, joins } = parts;
    if (where === null || joins.length > 0) throw new TypeError('Conditions are on one table.');
    const placeholder = (at: number): string => dialect.placeholder(at + offset);
    return render(where, placeholder, dialect.numberedPlaceholders);
  };
}

/** The source, which sends the conditions of its statements alone; for plans with a `customize`. */
export function conditionSource<Row, Model>(
  { model, describe, execute }: SqlSource<Row, Model>,
  offset = 0,
): SqlSource<Row, Model> {
  return relationalSource({ model, describe, execute, customized: conditionsAlone(offset) });
}

/** The conditions of the one statement that a read sends, which is not sent. */
export async function conditionsOf<Row, Model>(
  source: SqlSource<Row, Model>,
  read: (source: SqlSource<Row, Model>) => Promise<unknown>,
  offset: number,
): Promise<ConditionText> {
  const sent: ConditionText[] = [];
  const execute: SqlExecutor = {
    ...source.execute,
    concurrent: false,
    stops: true,
    run: ({ text }, values) => {
      sent.push({ text, values });
      return [];
    },
    transaction: (body: (inner: Executor) => Promise<never>) => body(execute),
  };
  await read(conditionSource({ ...source, execute }, offset));
  const [statement] = sent;
  if (!statement || sent.length > 1) throw new TypeError('Conditions are those of one statement.');
  return statement;
}
