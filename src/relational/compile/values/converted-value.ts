/** Values of requests for a column with a codec: the host's conversion may refuse them, or make what no column holds. */

import {
  type PlanValue,
  type ResolvedCondition,
  type Rounding,
  valueInvalid,
} from '../../../rules/index.ts';
import { type FieldKind, type KindRow, fieldKindRow, kindRow } from '../../../schema/index.ts';
import { unsignedMark } from '../../column-kinds.ts';
import type { Bind, Dialect } from '../dialect.ts';
import type { ColumnCodec, PhysicalColumn } from '../physical.ts';

/**
 * Binds values of a condition through the codec of its column.
 *
 * @throws {QueryError} FILTER_VALUE_INVALID, when a value is bound, for one that the codec does not convert to a value of
 * the column
 */
export function convertedBinder(
  dialect: Dialect,
  column: PhysicalColumn,
  codec: ColumnCodec,
  { path, row }: ResolvedCondition,
  rounding: Rounding,
): Bind {
  const { kind, sqlType } = column;
  const { coerce } =
    kind === 'integer' && dialect.wideIntegers
      ? kindRow('bigint')
      : fieldKindRow({ kind, ...unsignedMark(kind, sqlType) });
  return (value) => {
    const stored = held(column, converted(codec, value), coerce, rounding);
    if (stored === undefined) throw valueInvalid(path, row.name, 'a value that the column shows');
    return stored;
  };
}

/** The stored form of a value; `undefined` where the host's function throws. */
function converted(codec: ColumnCodec, value: PlanValue): unknown {
  try {
    return codec.bind(value);
  } catch {
    return undefined;
  }
}

const whole: ReadonlySet<FieldKind> = new Set(['integer', 'bigint']);
/** Kinds whose texts are stored as requests write them. */
const plain: ReadonlySet<FieldKind> = new Set(['integer', 'bigint', 'decimal', 'float', 'uuid']);

/** The value as the column may hold it; `undefined` where it holds none, and a comparison would be an error. */
function held(
  { kind, members }: PhysicalColumn,
  value: unknown,
  coerce: KindRow['coerce'],
  rounding: Rounding,
): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'number') {
    const number = whole.has(kind) ? wholeNumber(value, rounding) : value;
    const isHeld = whole.has(kind) ? coerce(String(number)) !== undefined : Number.isFinite(number);
    return isHeld ? number : undefined;
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value;
  if (typeof value !== 'string' && typeof value !== 'bigint') return value;
  const text = String(value);
  const isDated = kind === 'date' || kind === 'datetime';
  const fits =
    (!members || members.includes(text)) &&
    (!plain.has(kind) || coerce(text) !== undefined) &&
    (!isDated || !Number.isNaN(Date.parse(text)));
  return fits ? value : undefined;
}

/** The whole number of a value, which is the nearest one where the host's arithmetic was not exact: 2.55 * 100. */
function wholeNumber(value: number, rounding: Rounding): number | undefined {
  const nearest = Math.round(value);
  const isInexact = Math.abs(value - nearest) <= Math.abs(value) * 4 * Number.EPSILON;
  if (isInexact) return nearest;
  if (rounding === 'never') return undefined;
  return rounding === 'up' ? Math.ceil(value) : Math.floor(value);
}
