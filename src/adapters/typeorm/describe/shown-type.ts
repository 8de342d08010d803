/** The values that a column with a transformer shows: they decide the kind of the field and the input of the transformer. */

import type { ColumnOptions } from 'typeorm';
import type { FieldKind } from '../../../schema/index.ts';

/** A type of property that has a kind. */
export type ShownType = 'number' | 'string' | 'boolean' | 'bigint' | 'date';

/** A column as decorators and metadata describe it. */
export interface TransformedColumn {
  readonly transformer: ColumnOptions['transformer'];
  /** The property's own type, where the compiler emitted it. */
  readonly designType: unknown;
}

const byDesign: ReadonlyMap<unknown, ShownType> = new Map<unknown, ShownType>([
  [Number, 'number'],
  [String, 'string'],
  [Boolean, 'boolean'],
  [BigInt, 'bigint'],
  [Date, 'date'],
]);

/** The property's own type as the compiler emitted it; `undefined` where it did not. */
export function designTypeOf(target: unknown, property: string): unknown {
  const { getMetadata } = Reflect as {
    getMetadata?: (key: string, prototype: object, property: string) => unknown;
  };
  if (typeof target !== 'function') return undefined;
  return getMetadata?.('design:type', target.prototype as object, property);
}

/**
 * The type of the shown values: for a column of numbers that of the value that the transformer makes of 1, else that of
 * the property; `undefined` where neither tells it.
 */
export function shownType(stored: FieldKind, column: TransformedColumn): ShownType | undefined {
  const made = shownOf(stored, 1, column);
  if (made instanceof Date) return 'date';
  const found = [...byDesign.values()].find((type) => type === typeof made);
  return found ?? byDesign.get(column.designType);
}

/** Whether TypeORM passes a number of the kind as text to transformers, by kind of number. */
const isText: ReadonlyMap<FieldKind, boolean> = new Map<FieldKind, boolean>([
  ['integer', false],
  ['float', false],
  ['bigint', true],
  ['decimal', true],
]);

/** A number as the transformer shows it; `undefined` where it has no form for it, and for columns of other kinds. */
function shownOf(
  stored: FieldKind,
  number: number,
  { transformer = [] }: TransformedColumn,
): unknown {
  const asText = isText.get(stored);
  if (asText === undefined) return undefined;
  try {
    return [transformer]
      .flat()
      .reduceRight<unknown>((value, { from }) => from(value), asText ? String(number) : number);
  } catch {
    return undefined;
  }
}

const kindByType = {
  number: 'float',
  string: 'string',
  boolean: 'boolean',
  bigint: 'bigint',
  date: 'datetime',
} as const satisfies { [type in ShownType]: FieldKind };

/** The kind of a field whose column, of kind `stored`, has a transformer: one whose requests take the shown values. */
export function shownKind(stored: FieldKind, column: TransformedColumn): FieldKind {
  const isWhole = stored === 'integer' || stored === 'bigint';
  if (!isWhole && stored !== 'string') return stored;
  // A transformer may change the type alone, as `Number` does for the text of a number of 64 bits.
  const isSame = [1, 7].every((each) => String(shownOf(stored, each, column)) === String(each));
  const type = isSame ? undefined : shownType(stored, column);
  return type === undefined ? stored : kindByType[type];
}
