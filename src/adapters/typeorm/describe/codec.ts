/** Codecs of columns with transformers or of type `simple-array`. */

import type { DataSource } from 'typeorm';
import type { PlanValue } from '../../../rules/index.ts';
import { kindRow, type FieldKind } from '../../../schema/index.ts';
import type { ColumnCodec } from '../../../relational/index.ts';
import type { ColumnMetadata } from './metadata-types.ts';
import { designTypeOf, shownType } from './shown-type.ts';

/** Whether TypeORM converts between the stored value of the column and the value of the property. */
export function hasCodec(column: ColumnMetadata): boolean {
  return column.transformer !== undefined || column.type === 'simple-array';
}

/**
 * The codec of a column, through the TypeORM driver, so that transformers receive the same values as in TypeORM. The
 * result of a transformer is returned in its JSON form, independently of the kind of the column, which is `stored`.
 */
export function codecOf(
  { driver }: DataSource,
  column: ColumnMetadata,
  kind: FieldKind,
  stored: FieldKind,
): ColumnCodec {
  const asProperty = propertyForm(column, kind, stored);
  return {
    bind: (value) => driver.preparePersistentValue(asProperty(value), column) as unknown,
    read: (value) => jsonForm(driver.prepareHydratedValue(value, column)),
  };
}

/** Converts canonical values to the type of the property, which the `to` of a transformer expects. */
function propertyForm(
  column: ColumnMetadata,
  kind: FieldKind,
  stored: FieldKind,
): (value: PlanValue) => unknown {
  const { transformer, embeddedMetadata, target, propertyName } = column;
  const designType = designTypeOf(embeddedMetadata?.type ?? target, propertyName);
  const type = shownType(stored, { transformer, designType });
  if (type === 'number') return Number;
  if (type === 'date' || (kind === 'datetime' && type !== 'string'))
    return (value) => new Date(String(value));
  if (type === 'bigint') return (value) => BigInt(value);
  return type === 'string' ? String : (value) => value;
}

/** Converts dates, 64-bit integers and bytes to strings as their kinds do; other values remain unchanged. */
function jsonForm(value: unknown): unknown {
  if (value === undefined) return null;
  if (value instanceof Date) return kindRow('datetime').present(value);
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? kindRow('binary').present(value) : value;
}
