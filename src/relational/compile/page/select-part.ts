/** The rows of the root table that meet some conditions, as a part of a page. */

import { type Scope, joinsSql } from '../scope.ts';
import { tableSql } from '../sql-names.ts';
import { type Sql, join } from '../sql-text.ts';

/** Selects rows, whole unless `columns` are given; `tail` is their order and window, `before` tables that are read first. */
export function selectPart(
  { context, root, joins }: Scope,
  conditions: readonly Sql[],
  tail: Sql = '',
  columns?: readonly Sql[],
  before: readonly string[] = [],
): Sql {
  const alias = context.dialect.quote(root.alias);
  return [
    'select ',
    columns ? join(columns, ', ') : `${alias}.*`,
    ` from ${[...before, `${tableSql(context, root.model.physical.table)} as ${alias}`].join(' cross join ')}`,
    joinsSql(context, joins),
    conditions.length > 0 ? [' where ', join(conditions, ' and ')] : '',
    tail,
  ];
}
