/** Which database family a DataSource belongs to, and how its driver's rows are selected. */

import type { DataSource } from 'typeorm';
import type { DatabaseFamily } from '../../rules/index.ts';
import { configurationError } from '../../schema/index.ts';
import type { PhysicalColumn, RowChannel, SelectColumn } from '../../relational/index.ts';
import { mysql, sqlite } from '../../relational/index.ts';

const families: ReadonlyMap<string, DatabaseFamily> = new Map([
  ['postgres', 'postgresql'],
  ['mysql', 'mysql'],
  ['mariadb', 'mysql'],
  ['better-sqlite3', 'sqlite'],
  ['sqlite', 'sqlite'],
  ['sqljs', 'sqlite'],
]);

/**
 * The family of a DataSource, by the type of its options.
 *
 * @throws QueryError `SOURCE_CONFIGURATION_INVALID` for a type of another family
 */
export function familyOf({ options: { type } }: DataSource): DatabaseFamily {
  const family = families.get(type);
  if (family) return family;
  throw configurationError(
    `A DataSource of type ${type} is not supported; use one of ${[...families.keys()].join(', ')}.`,
  );
}

const isInstant = ({ kind, sqlType, codec }: PhysicalColumn): boolean =>
  kind === 'datetime' && !codec && sqlType.includes('with time zone');

const postgresqlText: SelectColumn = (expression, { kind, codec }) => {
  const asText =
    !codec && (kind === 'datetime' || kind === 'date' || kind === 'decimal' || kind === 'bigint');
  return asText ? ['cast(', expression, ' as text)'] : expression;
};

/**
 * How columns are selected. pg and mysql2 make Dates of instants, which drops microseconds, and let the host decide
 * how they give dates, decimals and large integers; as text these come as they are, whatever was decided.
 */
export const channels: Record<DatabaseFamily, RowChannel> = {
  postgresql: {
    named: true,
    select: (expression, column) =>
      isInstant(column)
        ? ['cast(', expression, " at time zone 'UTC' as text)"]
        : postgresqlText(expression, column),
    // What is shown of an instant are milliseconds, which a Date has.
    selectSkipping: (expression, column) =>
      isInstant(column) ? expression : postgresqlText(expression, column),
  },
  mysql: {
    named: true,
    select: (expression, column) => {
      const { kind, codec } = column;
      if (codec) return expression;
      const asText = kind === 'datetime' || kind === 'date' || kind === 'decimal';
      return asText ? ['cast(', expression, ' as char)'] : mysql.select(expression, column);
    },
  },
  sqlite: {
    named: true,
    select: (expression, column) => (column.codec ? expression : sqlite.select(expression, column)),
  },
};
