/** The SQL dialect of MySQL and MariaDB. */

import type { PlanValue } from '../../../rules/index.ts';
import { isHeldInJson, kindRow } from '../../../schema/index.ts';
import {
  type Dialect,
  type OwnProbes,
  type ListOperand,
  likePattern,
  padded,
  writtenList,
} from '../../compile/dialect.ts';
import { heldForms, storageClassOf } from '../../compile/values/held-forms.ts';
import { doubleSum } from '../../compile/values/double-sum.ts';
import { formExpression, textForms, wholeRanges } from '../../compile/values/json-member.ts';
import type { JsonMember, PhysicalColumn } from '../../compile/physical.ts';
import { type Slot, type Sql, join, textSlot } from '../../compile/sql-text.ts';
import { uuidGroups } from '../../compile/values/uuid-bytes.ts';
import { hasMembers } from './arrays.ts';
import { fitDecimal, operandScale } from './decimal-operand.ts';

/**
 * A bigint or decimal column compared with a text would be compared as a double, so the value is cast. A decimal holds
 * negative values and those of unsigned columns, which a cursor may contain.
 */
function operand(column: PhysicalColumn, slot: Slot): Sql {
  if (column.kind === 'bigint') {
    return ['cast(', slot, isUnsigned(column) ? ' as decimal(20))' : ' as signed)'];
  }
  if (column.kind === 'decimal')
    return ['cast(', slot, ` as decimal(65, ${operandScale(column)}))`];
  if (column.kind === 'float' && column.numbersAsText) return ['(', textSlot(slot), ' + 0e0)'];
  return slot;
}

/** The number that a column in single precision holds for a value; one that it does not hold stays as it is. */
function inSingle(value: number): number {
  const single = Math.fround(value);
  return Number.isFinite(single) && (single !== 0 || value === 0) ? single : value;
}

/**
 * Strict sessions refuse the text of a date without year, month or day, but accept its digits as a number. A whole number
 * is compared exactly as a number.
 */
function bindStored({ kind, member }: PhysicalColumn, text: PlanValue): unknown {
  if (member) return text;
  if (kind === 'integer') return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  if (kind !== 'date' && kind !== 'datetime') return text;
  // As a number, the year 0000 would be that of a date with two digits.
  const digits = /^(?!0000-(?!00-00))([0-9-]{10})(?:[ T]([0-9:]{8})(?:\.0*)?)?$/.exec(String(text));
  return digits ? Number(`${digits[1]}${digits[2] ?? ''}`.replaceAll(/[-:]/g, '')) : text;
}

const isUnsigned = ({ sqlType }: PhysicalColumn): boolean => /unsigned/i.test(sqlType);

/** Types of columns that hold more than 32 bits with a sign. */
const wideType = /^(?:bigint|int.* unsigned)/i;

/**
 * Unsigned numbers beyond 31 or 63 bits, truth values that are other numbers, dates that do not exist, members of enums
 * that the schema does not have, and text with NUL.
 */
function holds(column: PhysicalColumn, text: string): boolean {
  const { kind, sqlType } = column;
  if (kind === 'bigint') return isUnsigned(column) && /^[1-9][0-9]{18,19}$/.test(text);
  // Drivers may read a number beyond 2^53 as its neighbour, which could not continue a walk.
  if (kind === 'integer') {
    const isWhole = /^-?[1-9][0-9]{9,15}$/.test(text);
    return isWhole && wideType.test(sqlType) && Number.isSafeInteger(Number(text));
  }
  if (kind === 'boolean') return /^-?[0-9]{1,3}$/.test(text);
  if (kind === 'enum') return true;
  if (kind === 'string') return text.includes('\0') && text.isWellFormed();
  if (kind !== 'date' && kind !== 'datetime') return false;
  // No number that is compared with a date is an error.
  return typeof bindStored(column, text) === 'number' || isOfYearZero(kind, text);
}

/** Whether a text is a date of the year 0000, which MySQL stores and requests cannot name. It has no leap day. */
function isOfYearZero(kind: 'date' | 'datetime', text: string): boolean {
  if (!text.startsWith('0000-')) return false;
  const inYearOne = `0001${text.slice(4)}`;
  const canonical = kind === 'date' ? inYearOne : `${inYearOne.replace(' ', 'T')}Z`;
  return kindRow(kind).coerce(canonical) !== undefined;
}

/** Longest list whose values are parameters of their own: a prepared statement has at most 65,535. */
const longestList = 16_384;

/** Lists are padded to a power of two, so that lists of similar length share a statement; long ones are not. */
const written = (length: number): number =>
  length === 0 || length > longestList ? length : padded(length);

/** A long list of whole numbers as one parameter. Text would need the collation of its column here. */
function isOneParameter({ column: { kind }, length }: ListOperand): boolean {
  return length > longestList && (kind === 'integer' || kind === 'bigint');
}

/** Geometries as GeoJSON, bits as a number, bytes in base64, everything else as its text. */
function opaqueJson(expression: Sql, sqlType: string): Sql {
  const type = sqlType.toLowerCase();
  if (/geom|point|linestring|polygon/.test(type))
    return ['cast(st_asgeojson(', expression, ') as char)'];
  if (/^json\b/.test(type)) return ['cast(', expression, ' as char)'];
  if (/^bit\b/.test(type)) return ['cast(', expression, ' + 0 as char)'];
  if (/blob|binary|^vector/.test(type)) {
    return ['json_quote(replace(to_base64(', expression, "), '\\n', ''))"];
  }
  return ['json_quote(cast(', expression, ' as char))'];
}

/** Numbers that the type of decimal operands holds. */
const mostDecimal = '1e35';

/** The value at a path. MariaDB keeps JSON as text and reads numbers from it, MySQL has the type `json`. */
function jsonMember({ kind }: PhysicalColumn, { keys, of }: JsonMember, json: string): string {
  const value = keys.length > 0 ? `json_extract(${json}, '$.${keys.join('.')}')` : json;
  const text = `json_unquote(${value})`;
  const when = (types: string, then: string): string => {
    const typed = `case when json_type(${value}) in (${types}) then ${then} end`;
    // A text column may hold anything; functions fail on what is not JSON.
    return /^json$/i.test(of.sqlType) ? typed : `case when json_valid(${json}) then ${typed} end`;
  };
  if (kindRow(kind).items) return when(`'ARRAY'`, value);
  if (kind === 'boolean') return when(`'BOOLEAN'`, `${text} = 'true'`);
  if (kind === 'integer' || kind === 'bigint' || kind === 'decimal') {
    const number = `cast(${text} as decimal(65, 30))`;
    const range = wholeRanges[kind];
    const fits = range
      ? `${number} between ${range[0]} and ${range[1]} and ${number} = truncate(${number}, 0)`
      : `abs(${text} + 0e0) < ${mostDecimal}`;
    return when(
      `'INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL'`,
      `case when ${fits} then ${number} end`,
    );
  }
  // As bytes: the order of code points, without a collation's rules for case and trailing spaces.
  const bytes = `cast(${text} as binary)`;
  const form = formExpression(kind);
  if (!form) return when(`'STRING'`, bytes);
  // The end of a pattern is before a line break, too.
  const fits = `${text} regexp '${form}' and char_length(${text}) = ${textForms[kind]?.length}`;
  return when(`'STRING'`, `case when ${fits} then ${bytes} end`);
}

const expressionTypes: Dialect['expressionTypes'] = {
  string: 'text',
  integer: 'int',
  bigint: 'bigint',
  decimal: 'decimal',
  float: 'double',
  boolean: 'tinyint(1)',
  date: 'date',
  datetime: 'datetime(6)',
};

/** As bytes, texts compare by code points: an expression may have the collation of the connection. */
function expression(sql: string, { kind }: PhysicalColumn): string {
  if (kind === 'string') return `cast(convert(${sql} using utf8mb4) as binary)`;
  return kind === 'integer' || kind === 'bigint' ? `cast(${sql} as signed)` : `(${sql})`;
}

/** The text of bytes. */
const utf8 = (bytes: Sql): Sql => ['convert(', bytes, ' using utf8mb4)'];

/**
 * An order is walked by looking up each row, which takes as long as reading some fifty along the table: of a million rows,
 * 2,000 with a text are found and sorted in the time in which a walk finds twenty to fifty of them.
 */
const ownProbes: OwnProbes = {
  of: 'patterns',
  few: 2000,
  met: (condition) => condition,
  unserved: (condition, isPosition) =>
    isPosition ? ['coalesce(', condition, ', false)'] : condition,
  // As an expression, a value of these types would be a text, which has another order.
  unread: (term, { sqlType }) =>
    /^(?:enum|set)\b/i.test(sqlType) ? term : ['coalesce(', term, ', null)'],
  // MariaDB looks for the rows of such a table again in each part that reads it, but for those of a recursive one.
  named: (table, rows) => [
    `with /*M! recursive */${table} as (/*M!(*/`,
    rows,
    `/*M!) union all select * from ${table} where false*/)`,
  ],
};

/** Beyond doubles, the server shows a sum as 0 and compares it as infinity. */
const aggregate: Dialect['aggregate'] = (type, value, { kind }) =>
  type === 'sum' && kind === 'float'
    ? doubleSum(value, String(Number.MAX_VALUE))
    : `${type}(${value})`;

export const mysql: Dialect = {
  family: 'mysql',
  quote: (identifier) => `\`${identifier.replaceAll('`', '``')}\``,
  placeholder: () => '?',
  numberedPlaceholders: false,
  binder: (column, rounding) => {
    const { kind, storage } = column;
    if (storage === 'single') return (value) => inSingle(Number(value));
    if (kind === 'decimal') return (value) => fitDecimal(column, String(value), rounding);
    if (kind === 'boolean') return (value) => (value ? 1 : 0);
    if (kind === 'datetime') return (value) => String(value).replace('T', ' ').slice(0, -1);
    return (value) => value;
  },
  bindStored,
  holds,
  operand,
  membership: (expression, list, negated) => {
    const { column, length, read, bind } = list;
    if (length === 0) return negated ? '1 = 1' : '1 = 0';
    if (isOneParameter(list)) {
      return [
        expression,
        negated ? ' not in' : ' in',
        ' (select listed.v from json_table(',
        { read: (inputs) => `[${read(inputs).map(bind).join()}]` },
        `, '$[*]' columns (v ${isUnsigned(column) ? 'decimal(20)' : 'bigint'} path '$')) as listed)`,
      ];
    }
    return writtenList(mysql, expression, list, negated, written(length));
  },
  listShape: (length) => String(written(length)),
  contains: (expression, slot) => [expression, ' like ', slot, " escape '!'"],
  pattern: likePattern,
  containsFolded: (value, slot, { sqlType, member, expression: computed }) => [
    'lower(',
    // The text of MariaDB's type has the collation of the connection, and no rank above that of a value; bytes have no case.
    /^uuid$/i.test(sqlType) || member
      ? ['cast(', value, ' as char)']
      : computed
        ? utf8(value)
        : value,
    ') like lower(',
    slot,
    ") escape '!'",
  ],
  foldedPattern: likePattern,
  prefixClass: '',
  patternForm: () => 'usual',
  orderBy: (expression, { direction, nulls }, nullable) => {
    const usual = direction === 'asc' ? 'first' : 'last';
    if (!nullable || nulls === usual) return [expression, ` ${direction}`];
    return [
      expression,
      ` is null ${nulls === 'first' ? 'desc' : 'asc'}, `,
      expression,
      ` ${direction}`,
    ];
  },
  // In conditions, zero dates of required columns meet `is null`, although they are ordered as values.
  isNullOfJoined: (expression, { sqlType }) =>
    /^date(?:time)?\b/i.test(sqlType) ? [expression, ' <=> null'] : [expression, ' is null'],
  splitsNulls: null,
  movesNulls: false,
  comparesRows: false,
  // A statement has each text up to three times, in hexadecimal digits; 16 MiB is the smallest default limit.
  maxPositionBytes: 2_500_000,
  rowListPrefix: '',
  limit: String,
  probes: { own: ownProbes, few: 'exists', walked: 'scalar', gate: 'table' },
  looksUpLate: { deep: true, through: true, behind: true, scoped: false },
  hasLateral: false,
  unionPart: (select) => ['(', select, ')'],
  existential: { page: 'scalar', count: 'exists' },
  indexesForeignKeys: true,
  losesJoinedSemijoins: true,
  maxSemijoinRelations: 6,
  isEnumType: (sqlType) => /^enum\b/i.test(sqlType),
  enumPosition: (column) => `${column} + 0`,
  enumText: (column) => `concat(${column})`,
  select: (expression, { kind, storage, sqlType, codec }) => {
    if (kind === 'opaque') return opaqueJson(expression, sqlType);
    // As text, a number in single precision would have six digits, and one with ZEROFILL zeros before it.
    const zero = storage === 'single' ? '0e0' : /zerofill$/i.test(sqlType) && '0';
    const number: Sql = zero ? ['(', expression, ` + ${zero})`] : expression;
    // Drivers may read a number of 16 digits as its neighbour; its text, of at most 36 characters, determines it. MySQL cuts
    // the text of an expression at 23 characters, one short of a negative number, but not that of JSON.
    if (kind === 'float' && !codec) {
      return ['cast(/*!80000 cast(*/', number, '/*!80000 as json)*/ as char(70))'];
    }
    // MariaDB counts no sign in the length of a computed integer, and cuts its text in derived tables: 65 digits at most.
    if (kind === 'bigint') return ['cast(', number, ' as char(70))'];
    const isJson = kind === 'json' || kindRow(kind).items !== undefined;
    return isJson ? ['cast(', number, ' as char)'] : number;
  },
  jsonMember: (column, member, json) => jsonMember(column, member, json),
  selectMember: (expression, { kind }) => {
    if (kind in wholeRanges) return ['cast(', expression, ' as signed)'];
    return kind === 'boolean' || kind === 'decimal' ? expression : utf8(expression);
  },
  hasMembers: (array, list, isAll) => hasMembers(mysql, array, list, isAll),
  arrayLength: ({ sql }) => ['json_length(', sql, ')'],
  // As bytes, it is compared without the collation of the connection.
  uuidText: (bytes) => [
    'cast(concat(',
    join(uuidGroups(['lower(hex(', bytes, '))']), ', '),
    ') as binary)',
  ],
  expressionTypes,
  expression,
  shownExpression: (value, { kind }) => (kind === 'string' ? utf8(value) : value),
  aggregate,
  exactDecimals: true,
  hasMicroseconds: (sqlType) => /\([4-6]\)/.test(sqlType),
  inMilliseconds: (expression) => [
    ['(', expression, ' - interval microsecond('],
    [expression, ') % 1000 microsecond)'],
  ],
  storageClass: storageClassOf,
  storageOf: (sqlType, kind) => {
    if (kind === 'opaque') return 'json-text';
    const storageClass = storageClassOf(sqlType);
    if (kind === 'float' && /^float\b/i.test(sqlType)) return 'single';
    // Selected as text: drivers parse MySQL's JSON type, but not MariaDB's, which is a text type.
    if (kindRow(kind).items)
      return isHeldInJson(kind) ? mysql.storageOf(sqlType, 'json') : undefined;
    if (kind === 'json' && storageClass !== 'integer') return 'json-text';
    return storageClass === 'other' ? 'native' : heldForms[storageClass][kind];
  },
  keepsWholeDecimals: false,
  keyKeepsNull: () => false,
  wideIntegers: false,
  truths: null,
  namedStatements: false,
  qualifier: 'database',
};
