/** The default kind of each SQL type. */

import { type FieldKind, type ItemKind, arrayOf } from '../schema/index.ts';

/**
 * Kind by SQL type, without length and in lower case. Columns of other types are opaque, unless the declaration gives a
 * kind to a type that only the host knows. Unsigned types that hold more than 31 bits are `bigint`.
 */
export const columnKinds = {
  int: 'integer',
  integer: 'integer',
  int2: 'integer',
  int4: 'integer',
  smallint: 'integer',
  mediumint: 'integer',
  tinyint: 'integer',
  'smallint unsigned': 'integer',
  'mediumint unsigned': 'integer',
  'tinyint unsigned': 'integer',
  serial: 'integer',
  serial4: 'integer',
  smallserial: 'integer',
  year: 'integer',

  bigint: 'bigint',
  int8: 'bigint',
  bigserial: 'bigint',
  serial8: 'bigint',
  'int unsigned': 'bigint',
  'integer unsigned': 'bigint',
  'bigint unsigned': 'bigint',

  numeric: 'decimal',
  decimal: 'decimal',
  'decimal unsigned': 'decimal',

  real: 'float',
  float: 'float',
  float4: 'float',
  float8: 'float',
  double: 'float',
  'double precision': 'float',
  'float unsigned': 'float',
  'double unsigned': 'float',

  boolean: 'boolean',
  bool: 'boolean',

  text: 'string',
  citext: 'string',
  varchar: 'string',
  'character varying': 'string',
  char: 'string',
  character: 'string',
  nvarchar: 'string',
  nchar: 'string',
  clob: 'string',
  tinytext: 'string',
  mediumtext: 'string',
  longtext: 'string',

  uuid: 'uuid',
  enum: 'enum',

  date: 'date',
  datetime: 'datetime',
  timestamp: 'datetime',
  timestamptz: 'datetime',
  'timestamp with time zone': 'datetime',
  'timestamp without time zone': 'datetime',

  json: 'json',
  jsonb: 'json',

  bytea: 'binary',
  blob: 'binary',
  tinyblob: 'binary',
  mediumblob: 'binary',
  longblob: 'binary',
  binary: 'binary',
  varbinary: 'binary',
} as const satisfies { [type: string]: FieldKind };

type ColumnKinds = typeof columnKinds;

/** The type without its length and its padding: `numeric(10, 2)` is `numeric`. */
type Bare<Type extends string> = Type extends `${infer Name} zerofill`
  ? Bare<Name>
  : Type extends `${infer Name}(${string})${infer Rest}`
    ? `${Name}${Rest}`
    : Type;

/** The kind of an SQL type as the compiler knows it. */
export type KindOfType<Type extends string> = Type extends `${infer Item}[]`
  ? KindOfType<Item> extends infer Kind extends ItemKind
    ? `${Kind}[]`
    : 'opaque'
  : Lowercase<Type> extends 'tinyint(1)'
    ? 'boolean'
    : Bare<Lowercase<Type>> extends infer Name extends keyof ColumnKinds
      ? ColumnKinds[Name]
      : 'opaque';

const kinds: ReadonlyMap<string, FieldKind> = new Map(Object.entries(columnKinds));

/** Types that hold no other kind than `opaque`; a type that is not known may be the host's own. */
const opaqueTypes =
  /^(?:array|time|timetz|interval|inet|cidr|macaddr8?|point|line|lseg|box|path|polygon|circle|bit|varbit|money|ts(?:vector|query|range)|tstzrange|(?:int[48]|num|date)(?:multi)?range|xml|set|vector|halfvec|geometry|geography|linestring|multi\w+|geometrycollection)\b/;

/** The kind of an SQL type; `undefined` where the type is not known. */
export function kindOfType(type: string): FieldKind | undefined {
  const lower = type.toLowerCase();
  if (lower.endsWith('[]')) return arrayOf(kindOfType(lower.slice(0, -2)));
  if (lower === 'tinyint(1)') return 'boolean';
  if (opaqueTypes.test(lower)) return 'opaque';
  return kinds.get(lower.replace(/\([^)]*\)/, '').replace(/ zerofill$/, ''));
}

/** The mark of a field of this kind in an unsigned column of MySQL or MariaDB; empty where the kind holds every value. */
export function unsignedMark(kind: FieldKind, type: string): { readonly unsigned?: true } {
  const whole = /^(int|integer|bigint)\b.* unsigned\b/i.exec(type)?.[1]?.toLowerCase();
  if (whole === undefined || kind !== (whole === 'bigint' ? 'bigint' : 'integer')) return {};
  return { unsigned: true };
}
