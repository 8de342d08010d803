/** Which database family a DataSource belongs to, and how its driver's rows are selected. */

import type { DataSource } from 'typeorm';
import type { DatabaseFamily } from '../../rules/index.ts';
import { configurationError } from '../../schema/index.ts';
import { type Dialect, type RowChannel, mysql, postgresql, sqlite } from '../relational/index.ts';

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

export const dialects: Record<DatabaseFamily, Dialect> = { postgresql, mysql, sqlite };

/**
 * How columns are selected. pg and mysql2 make Dates of instants, which drops microseconds, and let the host decide
 * how they give dates, decimals and large integers; as text these come as they are, whatever was decided.
 */
export const channels: Record<DatabaseFamily, RowChannel> = {
  postgresql: {
    named: true,
    select: (expression, { kind, sqlType, codec }) => {
      if (codec) return expression;
      if (kind === 'datetime' && sqlType.includes('with time zone')) {
        return ['cast(', expression, " at time zone 'UTC' as text)"];
      }
      const asText =
        kind === 'datetime' || kind === 'date' || kind === 'decimal' || kind === 'bigint';
      return asText ? ['cast(', expression, ' as text)'] : expression;
    },
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
