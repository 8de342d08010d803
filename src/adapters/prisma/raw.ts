/** How columns are selected through the client's raw channel: rows as objects, some types as Prisma's own. */

import type { DatabaseFamily } from '../../rules/index.ts';
import type { RowChannel } from '../../relational/index.ts';
import { familyFacts } from './family-facts.ts';

/** The channel of a family. */
export function rawChannel(family: DatabaseFamily): RowChannel {
  const { asText, textType } = familyFacts[family];
  return {
    named: true,
    // An instant kept as a number is a `Date` to the millisecond, which is all that it holds.
    select: (expression, { kind, storage }) =>
      asText.has(kind) && storage !== 'epoch-milliseconds'
        ? ['cast(', expression, ` as ${textType})`]
        : expression,
  };
}
