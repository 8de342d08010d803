/** The default kind of each TypeORM column type. */

import type { ColumnType } from 'typeorm';
import { type FieldKind, arrayOf } from '../../../schema/index.ts';
import { kindOfType } from '../../../relational/index.ts';

/** Kind of the types that are TypeORM's own, and of spellings that have no kind elsewhere. */
const ownKinds: ReadonlyMap<unknown, FieldKind> = new Map<unknown, FieldKind>([
  [String, 'string'],
  [Number, 'integer'],
  [Boolean, 'boolean'],
  [Date, 'datetime'],
  ['varying character', 'string'],
  ['national varchar', 'string'],
  ['native character', 'string'],
  ['national char', 'string'],
  ['simple-enum', 'enum'],
  ['int64', 'bigint'],
  ['dec', 'decimal'],
  ['fixed', 'decimal'],
  ['simple-json', 'json'],
  ['simple-array', 'json'],
]);

/** The declared type of a column, which is known without a driver. */
interface TypedColumn {
  readonly type: ColumnType;
  readonly isArray?: boolean | undefined;
  /** The property's own type, where the compiler emitted it. */
  readonly designType?: unknown;
}

/**
 * The kind of a column by its type, of an array that of its members with `[]`. Columns of types without a kind (times, intervals, sets, points, network
 * addresses) are opaque: shown, but not filtered and not sorted.
 */
export function kindOfColumn({ type, designType, isArray }: TypedColumn): FieldKind {
  if (isArray) return arrayOf(kindOfColumn({ type, designType }));
  const kind =
    ownKinds.get(type) ?? (typeof type === 'string' ? kindOfType(type) : kindOfBytes(type));
  return kind === 'integer' && designType === Boolean ? 'boolean' : (kind ?? 'opaque');
}

function kindOfBytes(type: unknown): FieldKind | undefined {
  const isBytes =
    typeof type === 'function' && (type === Uint8Array || type.prototype instanceof Uint8Array);
  return isBytes ? 'binary' : undefined;
}
