/** The default kind of each TypeORM column type. */

import type { ColumnType } from 'typeorm';
import type { FieldKind } from '../../schema/index.ts';

/**
 * Kind by type name, in the spellings of all three families. Types that are absent (floating point, times, intervals,
 * sets, points, network addresses, text that ignores case) have no kind, because they have no exact JSON form, or no
 * order, that is the same in every database.
 */
const kindByName: ReadonlyMap<string, FieldKind> = new Map<string, FieldKind>([
  ...kindFor('string', [
    'varchar',
    'character varying',
    'nvarchar',
    'varying character',
    'national varchar',
    'char',
    'character',
    'nchar',
    'native character',
    'national char',
    'text',
    'tinytext',
    'mediumtext',
    'longtext',
    'clob',
  ]),
  ...kindFor('uuid', ['uuid']),
  ...kindFor('enum', ['enum', 'simple-enum']),
  ...kindFor('integer', [
    'int',
    'int2',
    'int4',
    'integer',
    'smallint',
    'tinyint',
    'mediumint',
    'year',
  ]),
  ...kindFor('bigint', ['bigint', 'int8', 'int64']),
  ...kindFor('decimal', ['decimal', 'numeric', 'dec', 'fixed']),
  ...kindFor('boolean', ['boolean', 'bool']),
  ...kindFor('date', ['date']),
  ...kindFor('datetime', [
    'datetime',
    'timestamp',
    'timestamptz',
    'timestamp with time zone',
    'timestamp without time zone',
  ]),
  ...kindFor('json', ['json', 'jsonb', 'simple-json', 'simple-array']),
  ...kindFor('binary', [
    'blob',
    'tinyblob',
    'mediumblob',
    'longblob',
    'bytea',
    'binary',
    'varbinary',
  ]),
]);

function kindFor(kind: FieldKind, names: readonly string[]): [string, FieldKind][] {
  return names.map((name) => [name, kind]);
}

/** The declared type of a column, which is known without a driver. */
export interface TypedColumn {
  readonly type: ColumnType | undefined;
  readonly unsigned?: boolean | undefined;
  readonly isArray?: boolean | undefined;
  /** The property's own type, where the compiler emitted it. */
  readonly designType?: unknown;
}

/** The kind of a column by its type, or the reason why it has none. */
export function kindOfColumn(column: TypedColumn): FieldKind | { readonly refused: string } {
  const { type, designType, isArray, unsigned } = column;
  if (isArray) return { refused: 'arrays have no kind' };
  if (type === undefined) return { refused: 'the column has no type' };
  const kind = typeof type === 'string' ? kindByName.get(type) : kindOfClass(type);
  if (!kind) {
    const name = typeof type === 'string' ? type : (type as { name?: string }).name;
    return { refused: `the column type ${name} has no kind` };
  }
  if (kind !== 'integer') return kind;
  if (designType === Boolean) return 'boolean';
  if (unsigned && (type === Number || type === 'int' || type === 'integer')) {
    return { refused: 'unsigned int holds numbers beyond 32 bits, which kind integer refuses' };
  }
  return kind;
}

function kindOfClass(type: unknown): FieldKind | undefined {
  if (type === String) return 'string';
  if (type === Number) return 'integer';
  if (type === Boolean) return 'boolean';
  if (type === Date) return 'datetime';
  const isBytes =
    typeof type === 'function' && (type === Uint8Array || type.prototype instanceof Uint8Array);
  return isBytes ? 'binary' : undefined;
}
