/** The default kind of each SQL type. */

import type { FieldKind } from '../../schema/index.ts';

/**
 * Kind by SQL type, without length and in lower case. Types that are absent (floating point, intervals, arrays, times,
 * network addresses, custom types) have no kind, so a declaration must give one. Unsigned types that hold more than 31
 * bits are `bigint`.
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

  boolean: 'boolean',
  bool: 'boolean',

  text: 'string',
  varchar: 'string',
  'character varying': 'string',
  char: 'string',
  character: 'string',
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

/** The type without its length: `numeric(10, 2)` is `numeric`. */
type Bare<Type extends string> = Type extends `${infer Name}(${string})${infer Rest}`
  ? `${Name}${Rest}`
  : Type;

/** The kind of an SQL type as the compiler knows it; `never` where the type has none. */
export type KindOfType<Type extends string> =
  Lowercase<Type> extends 'tinyint(1)'
    ? 'boolean'
    : Bare<Lowercase<Type>> extends infer Name extends keyof ColumnKinds
      ? ColumnKinds[Name]
      : never;

const kinds: ReadonlyMap<string, FieldKind> = new Map(Object.entries(columnKinds));

/** The kind of an SQL type; `undefined` where it has none. */
export function kindOfType(type: string): FieldKind | undefined {
  const lower = type.toLowerCase();
  return lower === 'tinyint(1)' ? 'boolean' : kinds.get(lower.replace(/\([^)]*\)/, ''));
}
