/** The row format of the client's raw queries: rows as objects, some types as Prisma's own. */

import type { DatabaseFamily } from '../../rules/index.ts';
import { type RowChannel, families } from '../../relational/index.ts';
import { familyFacts } from './family-facts.ts';

/** The row format of a family. */
export function rawChannel(family: DatabaseFamily): RowChannel {
  const { asText, textType, jsonText } = familyFacts[family];
  const { dialect } = families[family];
  return {
    named: true,
    typedColumns: true,
    // An instant stored as a number is returned as a `Date` in milliseconds, which is its full precision; bytes as bytes.
    select: (expression, column) => {
      const { kind, storage } = column;
      if (storage === 'json-number' && jsonText) return jsonText(expression);
      if (kind === 'opaque' || storage === 'single') return dialect.select(expression, column);
      const isRead = storage === 'epoch-milliseconds' || storage === 'uuid-bytes';
      return asText.has(kind) && !isRead ? ['cast(', expression, ` as ${textType})`] : expression;
    },
  };
}
