/** The SQL dialect of PostgreSQL. */

import { type Bind, type Dialect, placed } from '../../compile/dialect.ts';
import { isArrayType, itemColumn } from '../../compile/values/array-members.ts';
import { heldForms, storageClassOf } from '../../compile/values/held-forms.ts';
import { doubleSum } from '../../compile/values/double-sum.ts';
import { formExpression, wholeRanges } from '../../compile/values/json-member.ts';
import type { JsonMember, PhysicalColumn } from '../../compile/physical.ts';
import {
  type FieldKind,
  configurationError,
  isHeldInJson,
  kindRow,
} from '../../../schema/index.ts';
import { type Slot, type Sql, join, numberText, textSlot } from '../../compile/sql-text.ts';
import { isFiner } from '../../compile/values/shown-instants.ts';
import { isUuidBytes, uuidGroups } from '../../compile/values/uuid-bytes.ts';
import { arrayLength, documentAt, hasMembers, jsonText, selectedArray } from './arrays.ts';
import { isBeyondRequests } from './beyond-requests.ts';

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

/** The type of a float whose text is bound; `undefined` where numbers are. */
function castText(column: PhysicalColumn): string | undefined {
  if (!column.numbersAsText || column.kind !== 'float') return undefined;
  return isSingle(column) ? 'float4' : 'float8';
}

const keyTypes: { readonly [kind in FieldKind]?: string } = {
  integer: 'int4',
  bigint: 'int8',
  uuid: 'uuid',
};

const isSingle = ({ sqlType }: PhysicalColumn): boolean => /^(?:real|float4)$/i.test(sqlType);

/** The nearest number that `real` accepts: it refuses others instead of rounding them. */
function singlePrecision(value: number): number | string {
  const single = Math.fround(value);
  return Number.isFinite(single) && (single !== 0 || value === 0) ? value : String(single);
}

/** Whether the type has patterns of its own. A cast would remove the blanks that pad a `char`, which lists show. */
const isText = (column: PhysicalColumn | null) =>
  column === null || /^(text|(?:bp|var)?char|character)\b/i.test(column.sqlType);

const asText = (expression: Sql, column: PhysicalColumn | null): Sql =>
  isText(column) ? expression : ['cast(', expression, ' as text)'];

/** Uses the default escape: an ESCAPE clause would be evaluated for every row of a generic plan. */
const backslashPattern: Dialect['pattern'] = (term, place) =>
  placed(term.replaceAll(/[\\%_]/g, '\\$&'), '%', place);

/** The numbers of type json that the type numeric may not hold. */
const vast = '.{250}|[eE][+-]?0*[1-9][0-9]{3}';

/** The value as a numeric, where it is a number; a whole number within the range of its kind. */
function jsonNumber(
  kind: FieldKind,
  typed: (type: string) => string,
  text: string,
  isBounded: boolean,
): string {
  const range = wholeRanges[kind];
  const number = `(${text})::numeric`;
  const fits = range
    ? `case when ${number} between ${range[0]} and ${range[1]} and ${number} = trunc(${number}) then ${number} end`
    : number;
  const held = isBounded ? fits : `case when (${text}) !~ '${vast}' then ${fits} end`;
  return `case when ${typed('number')} then ${held} end`;
}

/** Before an escape; a backslash that is escaped itself begins none. */
const start = '(?<!\\\\)((?:\\\\\\\\)*)';
const digits = '[0-9a-fA-F]';
const high = `\\\\u[dD][89abAB]${digits}{2}`;
const low = `\\\\u[dD][c-fC-F]${digits}{2}`;
/** NUL and the first half of a surrogate pair without the second, and the second half without the first. */
const unreadable = [
  `(?:\\\\u0000|${high}(?!${low}))`,
  `(?<!(?:^|[^\\\\])(?:\\\\\\\\)*${high})${low}`,
];

/**
 * A value of type json without the escapes at which every function of a path fails, wherever they are: U+FFFF, which no
 * text has, is in their place.
 */
function readable(json: string): string {
  const text = `${json}::text`;
  const replaced = unreadable.reduce(
    (from, escape) => `regexp_replace(${from}, '${start}${escape}', '\\1\\\\uffff', 'g')`,
    text,
  );
  return `case when ${text} not like '%\\\\u%' or ${text} !~ '\\\\u(0000|[dD][89a-fA-F])' then ${json} else ${replaced}::json end`;
}

/** The value at a path of a `json` or `jsonb` column. CASE keeps the server from casting what is not a number. */
function jsonMemberSql({ kind, path }: PhysicalColumn, member: JsonMember, stored: string): string {
  const { keys, of } = member;
  const type = /^jsonb?$/i.exec(of.sqlType)?.[0].toLowerCase();
  if (!type) {
    throw configurationError(
      `"${path}": typed paths need a json or jsonb column, not ${of.sqlType}; change the column or remove "paths".`,
      { path },
    );
  }
  const json = type === 'json' ? `(${readable(stored)})` : stored;
  // Without quotes, a member `null` of an array is null.
  const at = `'{${keys.map((key) => (/^null$/i.test(key) ? `"${key}"` : key)).join()}}'`;
  const text = `${json} #>> ${at}`;
  const typed = (name: string): string => `${type}_typeof(${json} #> ${at}) = '${name}'`;
  if (kindRow(kind).items) return `(case when ${typed('array')} then ${json} #> ${at} end)`;
  if (kind === 'boolean') return `case when ${typed('boolean')} then (${text})::boolean end`;
  if (kind === 'integer' || kind === 'bigint' || kind === 'decimal') {
    return `(${jsonNumber(kind, typed, text, type === 'jsonb')})`;
  }
  const form = formExpression(kind);
  const fits = form ? ` and (${text}) ~ '${form}'` : '';
  return `(case when ${typed('string')} then case when true${fits} then ${text} end end) collate "C"`;
}

const expressionTypes: Dialect['expressionTypes'] = {
  string: 'text',
  integer: 'int4',
  bigint: 'int8',
  decimal: 'numeric',
  float: 'float8',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamp with time zone',
};

/** Between types of instants, a cast would depend on the time zone of the session. */
function expression(sql: string, { kind, sqlType }: PhysicalColumn): string {
  if (kind === 'datetime') return `(${sql})`;
  return kind === 'string' ? `((${sql})::text collate "C")` : `((${sql})::${sqlType})`;
}

/** The server refuses a sum of finite doubles that is beyond doubles, but not infinity. */
function aggregate(type: 'sum' | 'min' | 'max', value: string, column: PhysicalColumn): string {
  if (type !== 'sum' || column.kind !== 'float') return `${type}(${value})`;
  // The sum of a column in single precision would have that precision.
  return isSingle(column) ? `sum(${value}::float8)` : doubleSum(value, "float8 'infinity'");
}

export const postgresql: Dialect = {
  family: 'postgresql',
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  placeholder: (index) => `$${index}`,
  numberedPlaceholders: true,
  binder: (column) =>
    isSingle(column) ? (value) => singlePrecision(Number(value)) : (value) => value,
  bindStored: (_column, text) => text,
  // An enum type refuses a text that is not a member; text holds any.
  holds: (column, text) =>
    isBeyondRequests(column.kind, text) ||
    (column.kind === 'enum' && isText(column) && !text.includes('\0')),
  operand: (column, slot) => {
    const float = castText(column);
    return float ? [textSlot(slot), `::text::${float}`] : [slot, cast(column)];
  },
  keyOperand: ({ kind }, slot) => {
    const type = keyTypes[kind];
    return type && [slot, `::${type}`];
  },
  membership: (expression, { column, read: values, bind }, negated) => {
    const type = cast(column);
    const float = castText(column);
    const isRewritten = column.codec !== undefined || isUuidBytes(column) || isSingle(column);
    const bound: Slot['read'] = isRewritten ? (inputs) => values(inputs).map(bind) : values;
    const read: Slot['read'] = float
      ? (inputs) => values(inputs).map((value) => numberText(bind(value)))
      : bound;
    const start = negated ? ' <> all(' : ' = any(';
    if (float) return [expression, start, { read }, `::text[]::${float}[])`];
    return [expression, start, { read }, type === '' ? ')' : `${type}[])`];
  },
  listShape: () => '',
  contains: (expression, slot, column) => [asText(expression, column), ' like ', slot],
  pattern: backslashPattern,
  // A trigram index on the column serves `ilike` as well as `like`.
  // The collation of values within JSON and of computed ones knows the case of ASCII letters alone.
  containsFolded: (expression, slot, column) => [
    column.member || column.expression
      ? ['(', expression, ') collate "default"']
      : asText(expression, column),
    ' ilike ',
    slot,
  ],
  foldedPattern: backslashPattern,
  prefixClass: ' text_pattern_ops',
  patternForm: () => 'usual',
  orderBy: (expression, { direction, nulls }, nullable) => {
    const usual = direction === 'asc' ? 'last' : 'first';
    return [expression, ` ${direction}`, nullable && nulls !== usual ? ` nulls ${nulls}` : ''];
  },
  splitsNulls: 'last',
  movesNulls: false,
  comparesRows: true,
  maxPositionBytes: Infinity,
  rowListPrefix: '',
  limit: String,
  probes: null,
  looksUpLate: { deep: true, through: false, behind: false, scoped: false },
  hasLateral: true,
  unionPart: (select) => ['(', select, ')'],
  existential: { page: 'exists', count: 'exists' },
  indexesForeignKeys: false,
  losesJoinedSemijoins: false,
  maxSemijoinRelations: Infinity,
  // The name of an enum type is the host's.
  isEnumType: (sqlType) => storageClassOf(sqlType) === 'other',
  enumPosition: null,
  enumText: null,
  membersIndex: (column) => {
    const { member, name } = column;
    const quoted = postgresql.quote(name);
    if (member) return /^jsonb$/i.test(member.of.sqlType) ? `${quoted} jsonb_path_ops` : undefined;
    const item = itemColumn(column);
    return isFiner(postgresql, item) || cast(item) !== '' ? undefined : quoted;
  },
  hasMembers: (array, list, isAll) => {
    const float = castText(list.column);
    const type = cast(list.column) && `${cast(list.column)}[]`;
    const casts = float ? { own: '', values: `::text[]::${float}[]` } : { own: type, values: type };
    const bind: Bind = float ? (value) => numberText(list.bind(value)) : list.bind;
    return hasMembers(postgresql, casts, array, { ...list, bind }, isAll);
  },
  arrayLength,
  select: (expression, column) => {
    const { kind } = column;
    if (kindRow(kind).items) return selectedArray(expression, column);
    return kind === 'opaque' ? ['to_json(', expression, ')::text'] : expression;
  },
  jsonMember: (column, member, json) => jsonMemberSql(column, member, json),
  selectMember: (expression, { kind }) =>
    kind in wholeRanges ? ['cast(', expression, ` as ${kind})`] : expression,
  jsonContains: (column, member, json, read) =>
    member.of.sqlType.toLowerCase() === 'jsonb' && column.kind !== 'datetime'
      ? [
          json,
          ' @> ',
          { read: (inputs) => documentAt(member.keys, jsonText(column, read(inputs))) },
          '::jsonb',
        ]
      : undefined,
  uuidText: (bytes) => join(uuidGroups(['encode(', bytes, ", 'hex')"]), ' || '),
  expressionTypes,
  expression,
  aggregate,
  exactDecimals: true,
  hasMicroseconds: (sqlType) => !/\( *[0-3] *\)/.test(sqlType),
  inMilliseconds: (expression) => ["date_trunc('milliseconds', ", expression, ')'],
  storageClass: storageClassOf,
  storageOf: (sqlType, kind) => {
    if (kind === 'opaque') return 'json-text';
    const { items } = kindRow(kind);
    if (items) {
      const isHeld = isArrayType(sqlType)
        ? postgresql.storageOf(sqlType.slice(0, -2), items) !== undefined
        : /^jsonb?$/i.test(sqlType) && isHeldInJson(kind);
      return isHeld ? 'json-text' : undefined;
    }
    const storageClass = storageClassOf(sqlType);
    return storageClass === 'other' ? 'native' : heldForms[storageClass][kind];
  },
  keepsWholeDecimals: false,
  keyKeepsNull: () => false,
  wideIntegers: false,
  truths: ['false', 'true'],
  namedStatements: true,
  qualifier: 'schema',
};
