/** The SQL dialect of PostgreSQL. */

import type { Dialect } from '../../compile/dialect.ts';
import { heldForms, storageClassOf } from '../../compile/held-forms.ts';
import type { PhysicalColumn } from '../../compile/physical.ts';
import type { Slot } from '../../compile/sql-text.ts';

/** Casts to the widest type of the kind, so that a legal value never overflows a narrower column type. */
function cast(column: PhysicalColumn): string {
  if (column.kind === 'integer' && !/^(integer|int|int4|serial)$/i.test(column.sqlType)) {
    return '::int4';
  }
  if (column.kind === 'bigint' && !/^(bigint|int8|bigserial)$/i.test(column.sqlType)) {
    return '::int8';
  }
  return '';
}

const isText = (column: PhysicalColumn | null) =>
  column === null || /^(text|varchar|character varying)/i.test(column.sqlType);

export const postgresql: Dialect = {
  family: 'postgresql',
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  placeholder: (index) => `$${index}`,
  numberedPlaceholders: true,
  binder: () => (value) => value,
  bindStored: (_column, text) => text,
  operand: (column, slot) => [slot, cast(column)],
  membership: (expression, { column, read: values, bind }, negated) => {
    const type = cast(column);
    // Values are bound unchanged, except through a codec.
    const read: Slot['read'] = column.codec ? (inputs) => values(inputs).map(bind) : values;
    return [
      expression,
      negated ? ' <> all(' : ' = any(',
      { read },
      type === '' ? ')' : `${type}[])`,
    ];
  },
  listShape: () => '',
  contains: (expression, slot, column) => [
    isText(column) ? expression : ['cast(', expression, ' as text)'],
    ' like ',
    slot,
  ],
  // Uses the default escape: an ESCAPE clause would be evaluated for every row of a generic plan.
  pattern: (term) => `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`,
  patternForm: () => 'usual',
  orderBy: (expression, { direction, nulls }, nullable) => {
    const usual = direction === 'asc' ? 'last' : 'first';
    return [expression, ` ${direction}`, nullable && nulls !== usual ? ` nulls ${nulls}` : ''];
  },
  comparesRows: true,
  rowListPrefix: '',
  bindsLimit: false,
  existential: { page: 'exists', count: 'exists' },
  maxSemijoinRelations: Infinity,
  // The name of an enum type is the host's.
  isEnumType: (sqlType) => storageClassOf(sqlType) === 'other',
  enumPosition: null,
  select: (expression) => expression,
  exactDecimals: true,
  storageClass: storageClassOf,
  storageOf: (sqlType, kind) => {
    const storageClass = storageClassOf(sqlType);
    return storageClass === 'other' ? 'native' : heldForms[storageClass][kind];
  },
  keepsWholeDecimals: false,
  wideIntegers: false,
  namedStatements: true,
  qualifier: 'schema',
};
