/** SQL through the client's own raw channel: rows as objects, some types as Prisma's own. */

import type { DatabaseFamily } from '../../rules/index.ts';
import type { FieldKind } from '../../schema/index.ts';
import type { RowChannel } from '../../relational/index.ts';

/** What the raw channel would cut, round or misread comes as text. */
const asText: { readonly [F in DatabaseFamily]: ReadonlySet<FieldKind> } = {
  // Instants and days would come as `Date`, in milliseconds.
  postgresql: new Set<FieldKind>(['datetime', 'date', 'decimal']),
  // Text of a binary collation is taken for bytes before Prisma 7; cast, it has the connection's collation.
  mysql: new Set<FieldKind>(['datetime', 'date', 'decimal', 'bigint', 'string', 'uuid', 'enum']),
  sqlite: new Set<FieldKind>(['datetime', 'bigint']),
};

const textTypes = { postgresql: 'text', mysql: 'char', sqlite: 'text' } as const;

/** The channel of a family. */
export function rawChannel(family: DatabaseFamily): RowChannel {
  return {
    named: true,
    // An instant kept as a number is a `Date` to the millisecond, which is all that it holds.
    select: (expression, { kind, storage }) =>
      asText[family].has(kind) && storage !== 'epoch-milliseconds'
        ? ['cast(', expression, ` as ${textTypes[family]})`]
        : expression,
  };
}
