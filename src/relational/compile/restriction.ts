/** Compiles the conditions that every row of a model meets. */

import type { LoweringContext, ModelContext } from './model-context.ts';
import { columnSql } from './sql-names.ts';
import { type Sql, join } from './sql-text.ts';

/** The model's restrictions for an alias; `null` where it has none. */
export function restrictionSql(
  context: LoweringContext,
  model: ModelContext,
  alias: string,
): Sql | null {
  const { restrictions = [] } = model.physical;
  if (restrictions.length === 0) return null;
  return join(
    restrictions.map((restriction): Sql => {
      const column = columnSql(context, alias, restriction.column);
      if ('isNull' in restriction) return `${column} is null`;
      const values = restriction.values.map((value): Sql => ({ read: () => value }));
      return [`${column} in (`, join(values, ', '), ')'];
    }),
    ' and ',
  );
}
