/** The SQL dialect of SQLite, which stores decimals as doubles: a double keeps every decimal of 15 digits. */

import type { PlanValue, Rounding, TextPlace } from '../../../rules/index.ts';
import { type FieldKind, isHeldInJson, kindRow } from '../../../schema/index.ts';
import {
  type Bind,
  type Dialect,
  type OwnProbes,
  type PatternForm,
  binderOf,
  likePattern,
  padded,
  placed,
  writtenList,
} from '../../compile/dialect.ts';
import { type StorageClass, heldForms } from '../../compile/values/held-forms.ts';
import { hasAmong } from '../../compile/values/array-members.ts';
import { isoText, textForms, wholeRanges } from '../../compile/values/json-member.ts';
import type { PositionForm } from '../../compile/order/other-class.ts';
import type { JsonMember, PhysicalColumn, StorageForm } from '../../compile/physical.ts';
import { type Slot, type Sql, join, textSlot } from '../../compile/sql-text.ts';
import { isUuidBytes, uuidGroups } from '../../compile/values/uuid-bytes.ts';
import { boundOther, isOther, otherTextOf } from './other-values.ts';
import { expression, expressionTypes } from './expressions.ts';

/** SQLite limits a pattern to 50,000 bytes, and a character takes up to three. */
const patternForm = (term: string): PatternForm => (term.length > 16_000 ? 'long' : 'usual');

/** A GLOB pattern is case-sensitive and literal except for `*`, `?` and `[`, which brackets make literal. */
function globPattern(term: string, place: TextPlace): string {
  return placed(term.replaceAll(/[*?[]/g, '[$&]'), '*', place);
}

/** The condition that a text has another at a place, without a pattern; the wanted text is a parameter. */
function hasText(text: Sql, wanted: Sql, place: TextPlace): Sql {
  if (place === 'anywhere') return ['instr(', text, ', ', wanted, ') > 0'];
  const start = place === 'start' ? '1, ' : '-';
  return ['substr(', text, ', ', start, 'length(', wanted, ')) = ', wanted];
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

function textBinder(storage: StorageForm, rounding: Rounding): Bind {
  const spell = spellings[storage];
  return spell ? (value) => spell(isoText(value, rounding)) : (value) => isoText(value, rounding);
}

/** The text of infinity is converted by the affinity of the column, like that of every number. */
function bindStored({ kind }: PhysicalColumn, value: PlanValue): unknown {
  const text = String(value);
  return boundOther(text) ?? (kind === 'float' ? text.replace('Infinity', '9e999') : value);
}

/**
 * Values with their storage class, whole numbers of more than 32 bits, truth values that are other numbers, infinities, and
 * any text of an instant or an enum.
 */
function holds({ kind }: PhysicalColumn, text: string): boolean {
  if (isOther(text)) return true;
  if (kind === 'integer' || kind === 'boolean') {
    return /^-?[0-9]{1,16}$/.test(text) && Number.isSafeInteger(Number(text));
  }
  if (kind === 'float') return /^-?Infinity$/.test(text);
  return kind === 'date' || kind === 'datetime' || kind === 'enum';
}

function binder({ kind, storage }: PhysicalColumn, rounding: Rounding): Bind {
  if (kind === 'boolean') return (value) => (value ? 1 : 0);
  if (kind === 'decimal' && storage !== 'numeric-text') {
    return (value) => onGrid(String(value), rounding);
  }
  if (kind !== 'datetime') return (value) => value;
  if (storage === 'epoch-seconds') return (value) => epoch(value, rounding) / 1000;
  if (storage === 'epoch-milliseconds') return (value) => epoch(value, rounding);
  return textBinder(storage, rounding);
}

/**
 * A 64-bit integer is text in a plan and a number in JSON, and drivers may give any integer key as a bigint. A double
 * beyond 2^53 is written with an exponent, without which it would be the whole number of its digits.
 */
function asJson({ kind }: PhysicalColumn, value: unknown): string {
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('hex').toUpperCase()}"`;
  if (kind === 'bigint' || typeof value === 'bigint') return String(value);
  const isDouble = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isDouble ? Number(value).toExponential() : JSON.stringify(value);
}

/**
 * A parameter whose value the planner does not see; the sign changes no value. SQLite plans a statement anew at each run
 * after it has looked at one, which takes as long as a short page: at every limit, at every pattern, and with the samples
 * of `analyze` (`SQLITE_ENABLE_STAT4`) at every comparison. Only the patterns of texts that start with
 * another are seen, because an index serves them.
 */
const unseen = (slot: Slot): Sql => ['+', slot];

const isWhole = ({ kind }: PhysicalColumn): boolean =>
  kind === 'integer' || kind === 'bigint' || kind === 'boolean';

/** Whether a column's numbers are doubles that are bound as text. */
const isRealText = ({ kind, storage, numbersAsText }: PhysicalColumn): boolean =>
  numbersAsText === true &&
  (kind === 'float' || (kind === 'decimal' && storage !== 'numeric-text'));

/** Without affinity, as a parameter is. */
const realOfText = (slot: Slot): Sql => ['+cast(', textSlot(slot), ' as real)'];

/**
 * Drivers bind a JavaScript number as a double, and comparing each row's integer with a double is slower than with an
 * integer; a 64-bit integer is bound as text. The cast of a parameter is evaluated once.
 */
function operand(column: PhysicalColumn, slot: Slot): Sql {
  if (isRealText(column)) return realOfText(slot);
  // An index on an expression serves operands without affinity only, which the sign removes.
  const isColumn = !column.member && !column.expression;
  return isWhole(column) ? [isColumn ? 'cast(' : '+cast(', slot, ' as integer)'] : slot;
}

/** The operand at which a page begins; a value that is not of the column's kind keeps its class. */
function positionOperand(column: PhysicalColumn, slot: Slot, form: PositionForm): Sql {
  if (form === 'whole') return ['+cast(', slot, ' as integer)'];
  if (form === 'number' && column.numbersAsText) return realOfText(slot);
  const isCast = form === 'kind' && (isWhole(column) || isRealText(column));
  return isCast ? operand(column, slot) : unseen(slot);
}

/**
 * Texts and bytes stay as they are, and precede no text. Numbers that a double or the text of a cast would round are
 * quoted, which is exact.
 */
function selectPosition(
  value: string,
  column: PhysicalColumn,
  isKey: boolean,
  isTyped: boolean,
): Sql | undefined {
  if (!mayRound(column, isKey)) return undefined;
  const others = `when ${value} < '' then quote(${value}) else ${value} end`;
  // A typed row refuses what is not of the type of its first values, and makes truth values of numbers.
  const isText = /^(?:boolean|decimal|float)$/.test(column.kind);
  if (isTyped) return isText ? `case ${others}` : undefined;
  if (column.kind === 'bigint') {
    return `case when ${value} = cast(${value} as integer) then cast(${value} as text) ${others}`;
  }
  const most = Number.MAX_SAFE_INTEGER;
  return `case when ${value} between ${-most} and ${most} then ${value} ${others}`;
}

/**
 * Whether a column's numbers are often beyond those that drivers keep exact. Keys of 32 bits, by which most pages are
 * read, are spared the expression, and so are texts: pages at such numbers in them are refused.
 */
function mayRound({ kind, member, storage }: PhysicalColumn, isKey: boolean): boolean {
  if (member) return false;
  if (kind === 'datetime') return storage.startsWith('epoch-');
  if (storage !== 'native') return false;
  return kind === 'integer' ? !isKey : /^(?:bigint|boolean|decimal|float)$/.test(kind);
}

/** SQLite's own rules of column affinity, in its order. */
function affinityOf(sqlType: string): StorageClass {
  const type = sqlType.toLowerCase();
  if (type.includes('int')) return 'integer';
  if (/char|clob|text/.test(type)) return 'text';
  return type.includes('blob') || type === '' ? 'blob' : 'other';
}

/** A JSON value as its kind, null where it does not fit, from the SQL of its value and of its type. */
function fittingValue(kind: FieldKind, value: string, type: string): string {
  const when = (types: string, then: string): string =>
    `case when ${type} in (${types}) then ${then} end`;
  if (kindRow(kind).items) return when(`'array'`, value);
  if (kind === 'boolean') return when(`'true', 'false'`, value);
  // As doubles, whole numbers beyond 2^53 have one place in the order, and Prisma keeps fractions after a whole number.
  if (kind === 'decimal') {
    const fits = `${value} between ${-Number.MAX_VALUE} and ${Number.MAX_VALUE}`;
    return when(`'integer', 'real'`, `case when ${fits} then cast(${value} as real) end`);
  }
  if (kind === 'integer' || kind === 'bigint') {
    const [least, most] = wholeRanges[kind] ?? [];
    const fits = `${value} >= ${least} and ${value} <= ${most} and ${value} = cast(${value} as integer)`;
    return when(`'integer', 'real'`, `case when ${fits} then cast(${value} as integer) end`);
  }
  const form = textForms[kind]?.replaceAll('d', '[0-9]');
  return when(`'text'`, form ? `case when ${value} glob '${form}' then ${value} end` : value);
}

/** The value at a path. A column may hold anything, and functions fail on what is not JSON. */
function jsonMember({ kind }: PhysicalColumn, { keys, of }: JsonMember, column: string): string {
  const json = of.storage === 'json-blob' ? `cast(${column} as text)` : column;
  const at = `'${['$', ...keys].join('.')}'`;
  const value = `json_extract(${json}, ${at})`;
  const fitting = fittingValue(kind, value, `json_type(${json}, ${at})`);
  return `case when json_valid(${json}) then ${fitting} end`;
}

/** The part of a 64-bit integer of which a sum over any rows has 64 bits. */
const half = '1000000000';

/**
 * A sum never fails: beyond 64 bits, SQLite refuses that of integers, but not their multiplication. Doubles are summed to
 * the 15 digits that they keep of decimals, so that 0.1 and 0.2 are 0.3. Columns of decimals hold whole numbers as well, of
 * which a typed row would make all.
 */
function aggregate(type: 'sum' | 'min' | 'max', value: string, { kind }: PhysicalColumn): string {
  const usual = `${type}(${value})`;
  if (kind === 'float' || (kind === 'decimal' && type !== 'sum')) return `cast(${usual} as real)`;
  if (type !== 'sum') return usual;
  if (kind === 'bigint') return `sum(${value} / ${half}) * ${half} + sum(${value} % ${half})`;
  if (kind !== 'decimal') return usual;
  return `case when count(${value}) > 0 then cast(printf('%.15g', sum(${value})) as real) end`;
}

/**
 * Longest list that is written out: the planner knows the number of its values, and each row is compared with them in half
 * the time. Longer ones are one parameter.
 */
const mostWritten = 8;

const isWritten = (column: PhysicalColumn, length: number): boolean =>
  length > 0 && length <= mostWritten && column.kind !== 'binary' && !isUuidBytes(column);

const unserved = (condition: Sql): Sql => ['case when ', condition, ' then 1 end'];

/**
 * Rows are sorted in less time than those between the rows of a page are read: of five million, a page of twenty along the
 * order reads 20,000 for 5,000 that meet a condition.
 */
const ownProbes: OwnProbes = {
  of: 'all',
  few: 5000,
  met: (condition, isList) => (isList ? unserved(condition) : ['likely(', condition, ')']),
  unserved,
  unread: (term) => ['+', term],
  named: (table, rows) => [`with ${table} as (`, rows, ')'],
};

export const sqlite: Dialect = {
  family: 'sqlite',
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  placeholder: () => '?',
  numberedPlaceholders: false,
  binder,
  bindStored,
  holds,
  operand,
  positionOperand,
  selectPosition,
  otherText: (column) => otherTextOf(column, () => binderOf(sqlite, column, 'never')),
  membership: (expression, list, negated) => {
    const { column, length, read, bind } = list;
    if (isWritten(column, length)) {
      return writtenList(sqlite, expression, list, negated, padded(length));
    }
    return [
      // JSON holds no bytes.
      column.kind === 'binary' || isUuidBytes(column) ? ['hex(', expression, ')'] : expression,
      negated ? ' not in' : ' in',
      ' (select value from json_each(',
      {
        read: (inputs) =>
          `[${read(inputs)
            .map((value) => asJson(column, bind(value)))
            .join()}]`,
      },
      '))',
    ];
  },
  listShape: (length) => (length > 0 && length <= mostWritten ? String(padded(length)) : ''),
  contains: (expression, slot, _column, form, place) =>
    form === 'long'
      ? hasText(expression, slot, place)
      : [expression, ' glob ', place === 'start' ? slot : unseen(slot)],
  pattern: (term, place) => (patternForm(term) === 'long' ? term : globPattern(term, place)),
  // LIKE ignores the case of ASCII letters unless a pragma says otherwise, and finds no bytes; so do both sides in lower case,
  // in twice the time.
  containsFolded: (expression, slot, _column, form, place) =>
    form === 'long'
      ? hasText(['lower(', expression, ')'], ['lower(', slot, ')'], place)
      : [
          ["case when 'A' like 'a' escape '!' and typeof(", expression, ") = 'text' then "],
          [expression, ' like ', slot, " escape '!' else lower(", expression],
          [') like lower(', slot, ") escape '!' end"],
        ],
  foldedPattern: (term, place) => (patternForm(term) === 'long' ? term : likePattern(term, place)),
  prefixClass: '',
  patternForm,
  orderBy: (expression, { direction, nulls }, nullable) => {
    const usual = direction === 'asc' ? 'first' : 'last';
    return [expression, ` ${direction}`, nullable && nulls !== usual ? ` nulls ${nulls}` : ''];
  },
  splitsNulls: null,
  movesNulls: true,
  comparesRows: true,
  maxPositionBytes: Infinity,
  rowListPrefix: 'values ',
  limit: (count) => unseen({ read: () => count }),
  probes: { own: ownProbes, few: 'in', walked: 'exists', gate: 'limit' },
  looksUpLate: { deep: true, through: false, behind: false, scoped: true },
  hasLateral: false,
  unionPart: (select) => ['select * from (', select, ')'],
  existential: { page: 'exists', count: 'in' },
  indexesForeignKeys: false,
  losesJoinedSemijoins: false,
  maxSemijoinRelations: Infinity,
  isEnumType: () => false,
  enumPosition: null,
  enumText: null,
  expressionTypes,
  expression,
  aggregate,
  select: (expression, { kind, sqlType }) =>
    kind === 'bigint' || (kind === 'decimal' && sqlType === 'bigint')
      ? ['cast(', expression, ' as text)']
      : expression,
  hasMembers: (array, list, isAll) => {
    const value = fittingValue(list.column.kind, 'item.value', 'item.type');
    const items = { from: ['json_each(', array.sql, ') as item'], value };
    return hasAmong(sqlite, items, array, list, isAll);
  },
  arrayLength: ({ sql }) => ['json_array_length(', sql, ')'],
  // Drivers would round a number of 64 bits.
  selectMember: (expression, { kind }) =>
    kind === 'bigint' ? ['cast(', expression, ' as text)'] : expression,
  jsonMember: (column, member, json) => jsonMember(column, member, json),
  uuidText: (bytes) => join(uuidGroups(['lower(hex(', bytes, '))']), ' || '),
  exactDecimals: false,
  hasMicroseconds: () => false,
  inMilliseconds: (expression) => expression,
  storageClass: affinityOf,
  storageOf: (sqlType, kind) => {
    if (kind === 'opaque') return 'native';
    if (kindRow(kind).items)
      return isHeldInJson(kind) ? sqlite.storageOf(sqlType, 'json') : undefined;
    const affinity = affinityOf(sqlType);
    if (affinity !== 'other') return heldForms[affinity][kind];
    // A column with numeric affinity stores text as well; JSON by name is text. Instants have no usual form there.
    if (kind === 'json') return 'json-text';
    return kind === 'datetime' ? undefined : 'native';
  },
  keepsWholeDecimals: true,
  // Alone in its key, a column of exactly this type is the number of the row.
  keyKeepsNull: (sqlType, isWholeKey) => !(isWholeKey && /^integer$/i.test(sqlType)),
  wideIntegers: true,
  truths: ['0', '1'],
  namedStatements: false,
  qualifier: 'database',
};

const digitsKept = 15;

/** The digits of a number between its first and its last that is not zero. */
const significant = (text: string): string =>
  text.replace(/e.*/, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');

/**
 * A number that compares with every stored decimal of at most 15 digits as the exact value does. A value of more digits
 * is a double if it is the text of one, as computed values are shown. Any other lies between two decimals of 15 digits
 * and is rounded to one; where no stored value may equal it, the largest double represents it, which no column contains
 * and which JSON can carry.
 */
export function onGrid(text: string, rounding: Rounding): number {
  const digits = significant(text);
  const nearest = Number(text);
  if (digits.length <= digitsKept || digits === significant(String(nearest))) return nearest;
  if (rounding === 'never') return Number.MAX_VALUE;
  const negative = text.startsWith('-');
  return Number(neighbour(text, (rounding === 'up') !== negative));
}

/** The 15-digit decimal next to the value, away from zero or towards it. */
function neighbour(text: string, awayFromZero: boolean): string {
  const negative = text.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const digits = whole + fraction;
  const leading = digits.length - digits.replace(/^0+/, '').length;
  const kept = BigInt(digits.slice(leading, leading + digitsKept));
  const mantissa = awayFromZero ? kept + 1n : kept;
  const exponent = whole.length - leading - digitsKept;
  return `${negative ? '-' : ''}${mantissa}e${exponent}`;
}
