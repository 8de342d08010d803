/** Determines every kind that a column type can hold. */

import { isHeldInJson, kinds } from '../../../schema/index.ts';
import type { FieldKind } from '../../../schema/index.ts';
import type { Dialect } from '../dialect.ts';

const everyKind: readonly FieldKind[] = [...kinds.values()].map(({ kind }) => kind);

/** Kinds other than decimal that a numeric type stores unchanged, where the family allows it. */
const wholeKinds: readonly FieldKind[] = ['integer', 'bigint', 'boolean'];

/**
 * The kinds that a column can hold; every column can be opaque. A dedicated type (`uuid`, `timestamp`, `jsonb`) holds its
 * own kind; an unknown type holds the kind that the host declares.
 */
export function heldKindsOf(
  dialect: Dialect,
  sqlType: string,
  own: FieldKind | undefined,
): ReadonlySet<FieldKind> {
  if (own && dialect.storageClass(sqlType) === 'other') {
    const whole = own === 'decimal' && dialect.keepsWholeDecimals ? wholeKinds : [];
    const arrays = own === 'json' ? everyKind.filter(isHeldInJson) : [];
    return new Set([own, 'opaque', ...whole, ...arrays]);
  }
  return new Set(everyKind.filter((kind) => dialect.storageOf(sqlType, kind) !== undefined));
}
