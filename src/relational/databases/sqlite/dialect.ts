/** The SQL dialect of SQLite. */

import type { PlanValue, Rounding } from '../../../rules/index.ts';
import type { Bind, Dialect, PatternForm } from '../../compile/dialect.ts';
import { type StorageClass, heldForms } from '../../compile/held-forms.ts';
import type { PhysicalColumn, StorageForm } from '../../compile/physical.ts';
import type { Slot, Sql } from '../../compile/sql-text.ts';
import { onGrid } from './value-grid.ts';

/** SQLite limits a pattern to 50,000 bytes, and a character takes up to three. */
const patternForm = (term: string): PatternForm => (term.length > 16_000 ? 'long' : 'usual');

/** A GLOB pattern is case-sensitive and literal except for `*`, `?` and `[`, which brackets make literal. */
function globPattern(term: string): string {
  return `*${term.replaceAll(/[*?[]/g, '[$&]')}*`;
}

/**
 * An instant as the milliseconds that the column holds. An instant between two milliseconds is rounded, because a
 * double cannot hold microseconds in years far from 1970.
 */
function epoch(value: PlanValue, rounding: Rounding): number {
  const text = String(value);
  const floor = Date.parse(`${text.slice(0, 23)}Z`);
  if (text.length === 24) return floor;
  if (rounding === 'up') return floor + 1;
  // No stored number equals a half.
  return rounding === 'down' ? floor : floor + 0.5;
}

/** The stored text of an instant, from the canonical `YYYY-MM-DDTHH:MM:SS.sssZ`. */
const spellings: Readonly<Partial<Record<StorageForm, (iso: string) => string>>> = {
  'blank-text': (iso) => iso.replace('T', ' ').slice(0, -1),
  'short-text': (iso) => iso.replace('T', ' ').replace(/(?:\.000)?Z$/, ''),
  'offset-text': (iso) => `${iso.slice(0, -1)}+00:00`,
};

/** An instant as the millisecond text that the column holds; an instant between two milliseconds is rounded. */
function isoText(value: PlanValue, rounding: Rounding): string {
  const text = String(value);
  if (text.length === 24) return text;
  const floor = `${text.slice(0, 23)}Z`;
  if (rounding === 'up') {
    // The year 10000 is written with a sign, which sorts before every digit; a colon sorts after them.
    return new Date(Date.parse(floor) + 1).toISOString().replace(/^\+01/, ':');
  }
  // No stored text equals one with microseconds.
  return rounding === 'down' ? floor : text;
}

function textBinder(storage: StorageForm, rounding: Rounding): Bind {
  const spell = spellings[storage];
  return spell ? (value) => spell(isoText(value, rounding)) : (value) => isoText(value, rounding);
}

function binder(column: PhysicalColumn, rounding: Rounding): Bind {
  switch (column.kind) {
    case 'boolean':
      return (value) => (value ? 1 : 0);
    case 'decimal':
      if (column.storage === 'numeric-text') return (value) => value;
      return (value) => onGrid(String(value), rounding);
    case 'datetime':
      if (column.storage === 'epoch-seconds') return (value) => epoch(value, rounding) / 1000;
      if (column.storage === 'epoch-milliseconds') return (value) => epoch(value, rounding);
      return textBinder(column.storage, rounding);
    case 'string':
    case 'uuid':
    case 'enum':
    case 'integer':
    case 'bigint':
    case 'date':
    case 'json':
    case 'binary':
      return (value) => value;
  }
}

/** A 64-bit integer is text in a plan and a number in JSON. */
function asJson({ kind }: PhysicalColumn, value: unknown): string {
  return kind === 'bigint' ? String(value) : JSON.stringify(value);
}

/**
 * Drivers bind a JavaScript number as a double, and comparing each row's integer with a double is slower than with an
 * integer; a 64-bit integer is bound as text. The cast of a parameter is evaluated once.
 */
function operand({ kind }: PhysicalColumn, slot: Slot): Sql {
  const isWhole = kind === 'integer' || kind === 'bigint' || kind === 'boolean';
  return isWhole ? ['cast(', slot, ' as integer)'] : slot;
}

/** SQLite's own rules of column affinity, in its order. */
function affinityOf(sqlType: string): StorageClass {
  const type = sqlType.toLowerCase();
  if (type.includes('int')) return 'integer';
  if (/char|clob|text/.test(type)) return 'text';
  return type.includes('blob') || type === '' ? 'blob' : 'other';
}

export const sqlite: Dialect = {
  family: 'sqlite',
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  placeholder: () => '?',
  numberedPlaceholders: false,
  binder,
  bindStored: (_column, text) => text,
  operand,
  membership: (expression, { column, read, bind }, negated) => [
    expression,
    negated ? ' not in' : ' in',
    ' (select value from json_each(',
    {
      read: (inputs) =>
        `[${read(inputs)
          .map((value) => asJson(column, bind(value)))
          .join()}]`,
    },
    '))',
  ],
  listShape: () => '',
  contains: (expression, slot, _column, form) =>
    form === 'long' ? ['instr(', expression, ', ', slot, ') > 0'] : [expression, ' glob ', slot],
  pattern: (term) => (patternForm(term) === 'long' ? term : globPattern(term)),
  patternForm,
  orderBy: (expression, { direction, nulls }, nullable) => {
    const usual = direction === 'asc' ? 'first' : 'last';
    return [expression, ` ${direction}`, nullable && nulls !== usual ? ` nulls ${nulls}` : ''];
  },
  comparesRows: true,
  rowListPrefix: 'values ',
  bindsLimit: true,
  existential: { page: 'exists', count: 'in' },
  maxSemijoinRelations: Infinity,
  isEnumType: () => false,
  enumPosition: null,
  select: (expression, { kind }) =>
    kind === 'bigint' ? ['cast(', expression, ' as text)'] : expression,
  exactDecimals: false,
  storageClass: affinityOf,
  storageOf: (sqlType, kind) => {
    const affinity = affinityOf(sqlType);
    if (affinity !== 'other') return heldForms[affinity][kind];
    // A column with numeric affinity stores text as well; JSON by name is text. Instants have no usual form there.
    if (kind === 'json') return 'json-text';
    return kind === 'datetime' ? undefined : 'native';
  },
  keepsWholeDecimals: true,
  wideIntegers: true,
  namedStatements: false,
  qualifier: 'database',
};
