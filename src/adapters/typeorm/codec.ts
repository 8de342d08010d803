/** The way through a column's transformers, and through TypeORM's own form of lists. */

import type { DataSource } from 'typeorm';
import type { PlanValue } from '../../rules/index.ts';
import { kindRow } from '../../schema/index.ts';
import type { FieldKind } from '../../schema/index.ts';
import type { ColumnCodec } from '../../relational/index.ts';
import type { ColumnMetadata } from './metadata-types.ts';

/** Whether something stands between what the column holds and what the property is. */
export function hasCodec(column: ColumnMetadata): boolean {
  return column.transformer !== undefined || column.type === 'simple-array';
}

/**
 * The codec of a column, by TypeORM's own driver, so that transformers see what they see in TypeORM. What a
 * transformer gives is shown in its JSON form, whatever the kind of the column.
 */
export function codecOf(
  { driver }: DataSource,
  column: ColumnMetadata,
  kind: FieldKind,
): ColumnCodec {
  const metadata = column;
  const asProperty = propertyForm(column, kind);
  return {
    bind: (value) => driver.preparePersistentValue(asProperty(value), metadata) as unknown,
    read: (stored) => jsonForm(driver.prepareHydratedValue(stored, metadata)),
  };
}

/** A canonical value as the property holds it, which is what a transformer's `to` expects. */
function propertyForm(column: ColumnMetadata, kind: FieldKind): (value: PlanValue) => unknown {
  const type = designTypeOf(column);
  if (type === Number) return Number;
  if (type === Date || (kind === 'datetime' && type !== String))
    return (value) => new Date(String(value));
  if (type === BigInt) return (value) => BigInt(value);
  return (value) => value;
}

function designTypeOf({ target, embeddedMetadata, propertyName }: ColumnMetadata): unknown {
  const { getMetadata } = Reflect as {
    getMetadata?: (key: string, prototype: object, property: string) => unknown;
  };
  const owner: unknown = embeddedMetadata?.type ?? target;
  if (typeof owner !== 'function') return undefined;
  return getMetadata?.('design:type', owner.prototype as object, propertyName);
}

/** Dates, 64-bit integers and bytes as text, as their kinds show them; all else as it is. */
function jsonForm(value: unknown): unknown {
  if (value === undefined) return null;
  if (value instanceof Date) return kindRow('datetime').present(value);
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? kindRow('binary').present(value) : value;
}
