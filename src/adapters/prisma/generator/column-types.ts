/** The kind and the column type of each Prisma type, by provider. */

import type { FieldKind } from '../../../schema/index.ts';

/** The providers whose families Sluice serves. */
export type ServedProvider = 'postgresql' | 'mysql' | 'sqlite';

/** Kind by Prisma's scalar type. */
export const kindByType: Readonly<{ [type: string]: FieldKind }> = {
  String: 'string',
  Boolean: 'boolean',
  Int: 'integer',
  BigInt: 'bigint',
  Decimal: 'decimal',
  Float: 'float',
  DateTime: 'datetime',
  Json: 'json',
  Bytes: 'binary',
};

/** Kind by scalar and native type where it differs from that of the scalar. */
export const kindByNativeType: Readonly<{ [types: string]: FieldKind }> = {
  'String.Uuid': 'uuid',
  'String.Inet': 'opaque',
  'String.Xml': 'opaque',
  'String.Bit': 'opaque',
  'String.VarBit': 'opaque',
  'Int.Oid': 'bigint',
  'Int.UnsignedInt': 'bigint',
  'Decimal.Money': 'opaque',
  'DateTime.Date': 'date',
  'DateTime.Time': 'opaque',
  'DateTime.Timetz': 'opaque',
};

/** Column type of a scalar without a native type. */
const defaults: { readonly [P in ServedProvider]: { readonly [type: string]: string } } = {
  postgresql: {
    String: 'text',
    Boolean: 'boolean',
    Int: 'integer',
    BigInt: 'bigint',
    Float: 'double precision',
    Decimal: 'numeric(65, 30)',
    DateTime: 'timestamp(3)',
    Json: 'jsonb',
    Bytes: 'bytea',
  },
  mysql: {
    String: 'varchar(191)',
    Boolean: 'tinyint(1)',
    Int: 'int',
    BigInt: 'bigint',
    Float: 'double',
    Decimal: 'decimal(65, 30)',
    DateTime: 'datetime(3)',
    Json: 'json',
    Bytes: 'longblob',
  },
  sqlite: {
    String: 'text',
    Boolean: 'boolean',
    Int: 'integer',
    BigInt: 'bigint',
    Float: 'real',
    Decimal: 'decimal',
    DateTime: 'datetime',
    Json: 'jsonb',
    Bytes: 'blob',
  },
};

/** Native types whose SQL name is not their lower-case name. */
const spelled: { readonly [P in ServedProvider]: { readonly [nativeType: string]: string } } = {
  postgresql: {
    Decimal: 'numeric',
    ByteA: 'bytea',
    JsonB: 'jsonb',
    DoublePrecision: 'double precision',
  },
  mysql: {
    UnsignedInt: 'int unsigned',
    UnsignedBigInt: 'bigint unsigned',
    UnsignedSmallInt: 'smallint unsigned',
    UnsignedMediumInt: 'mediumint unsigned',
    UnsignedTinyInt: 'tinyint unsigned',
  },
  sqlite: {},
};

/** The column type of a field as the database writes it. */
export function sqlTypeOf(
  provider: ServedProvider,
  type: string,
  nativeType: readonly [name: string, parameters: readonly string[]] | null | undefined,
): string {
  if (!nativeType) return defaults[provider][type] ?? 'text';
  const [name, parameters] = nativeType;
  const spelling = spelled[provider][name] ?? name.toLowerCase();
  return parameters.length === 0 ? spelling : `${spelling}(${parameters.join(', ')})`;
}
