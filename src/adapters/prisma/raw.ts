/** SQL through the client's own raw channel: rows as objects, some types as Prisma's own. */

import type { DatabaseFamily } from '../../rules/index.ts';
import type { RowChannel, StatementInputs, StatementText } from '../relational/index.ts';
import { bind, rowArrays } from '../relational/index.ts';
import type { PrismaClientLike } from './client.ts';

type Rows = readonly (readonly unknown[])[];

/** Instants come as `Date`, cut to milliseconds, and 64-bit integers need no detour where text will do. */
const selects: { readonly [F in DatabaseFamily]: NonNullable<RowChannel['select']> } = {
  postgresql: (expression, { kind }) =>
    kind === 'datetime' || kind === 'date' || kind === 'decimal'
      ? ['cast(', expression, ' as text)']
      : expression,
  mysql: (expression, { kind }) =>
    kind === 'datetime' || kind === 'date' || kind === 'decimal' || kind === 'bigint'
      ? ['cast(', expression, ' as char)']
      : expression,
  sqlite: (expression, { kind }) =>
    kind === 'datetime' || kind === 'bigint' ? ['cast(', expression, ' as text)'] : expression,
};

/** The channel of a family. */
export function rawChannel(family: DatabaseFamily): RowChannel {
  return { named: true, select: selects[family] };
}

/** Runs SQL with values and gives its rows as arrays. */
export async function queryRaw(
  client: PrismaClientLike,
  text: string,
  values: readonly unknown[],
): Promise<Rows> {
  const rows = await client.$queryRawUnsafe(text, ...values);
  return rowArrays(rows as readonly object[]);
}

/** Runs a compiled statement. */
export function runStatement(
  client: PrismaClientLike,
  statement: StatementText,
  inputs: StatementInputs,
): Promise<Rows> {
  return queryRaw(client, statement.text, bind(statement, inputs));
}
