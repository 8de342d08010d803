/** Every kind that a column of a type can hold. */

import { kinds } from '../../schema/index.ts';
import type { FieldKind } from '../../schema/index.ts';
import type { Dialect } from './dialect.ts';

const everyKind: readonly FieldKind[] = [...kinds.values()].map(({ kind }) => kind);

/** What a numeric type keeps as it is beside decimals, where the family allows it. */
const wholeKinds: readonly FieldKind[] = ['integer', 'bigint', 'boolean'];

/**
 * The kinds that a column can hold. A type of its own (`uuid`, `timestamp`, `jsonb`) holds its own kind; a type that has
 * no kind holds whichever the host says.
 */
export function heldKindsOf(
  dialect: Dialect,
  sqlType: string,
  own: FieldKind | undefined,
): ReadonlySet<FieldKind> {
  if (own && dialect.storageClass(sqlType) === 'other') {
    return new Set([own, ...(own === 'decimal' && dialect.keepsWholeDecimals ? wholeKinds : [])]);
  }
  return new Set(everyKind.filter((kind) => dialect.storageOf(sqlType, kind) !== undefined));
}
