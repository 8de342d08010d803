/** The differences between database families in SQL: each has a name here and a value in `databases/<name>`. */

import type {
  DatabaseFamily,
  OrderTerm,
  PlanValue,
  Rounding,
  TextPlace,
} from '../../rules/index.ts';
import type { ComputedKind, FieldKind } from '../../schema/index.ts';
import type { StorageClass } from './values/held-forms.ts';
import type { ArrayOperand } from './values/array-members.ts';
import { isoText } from './values/json-member.ts';
import type { PositionForm } from './order/other-class.ts';
import type { JsonMember, PhysicalColumn, StorageForm } from './physical.ts';
import { type Slot, type Sql, join } from './sql-text.ts';
import { isUuidBytes, uuidBytes } from './values/uuid-bytes.ts';

/** Converts a canonical value to the driver's value for a comparison with one column. */
export type Bind = (value: PlanValue) => unknown;

/** The text of a position for a value of a driver that the usual text, which is shown, would not find again. */
export type OtherText = (value: unknown, usual: string) => string | undefined;

/** A list operand: its length, how to read the list from the inputs, and how to bind one member. */
export interface ListOperand {
  readonly column: PhysicalColumn;
  readonly length: number;
  readonly read: (inputs: Parameters<Slot['read']>[0]) => readonly PlanValue[];
  readonly bind: Bind;
}

/** A list with each of its members as an operand, the last as often as `count` exceeds its length. */
export function writtenList(
  { operand }: Pick<Dialect, 'operand'>,
  expression: Sql,
  { column, read, bind }: ListOperand,
  negated: boolean,
  count: number,
): Sql {
  const members = Array.from({ length: count }, (_, index) =>
    operand(column, {
      read: (inputs) => {
        const list = read(inputs);
        const value = list[Math.min(index, list.length - 1)];
        return value === undefined ? null : bind(value);
      },
    }),
  );
  return [expression, negated ? ' not in (' : ' in (', join(members, ', '), ')'];
}

/** The next power of two, so that lists of similar length share a statement. */
export const padded = (length: number): number => 2 ** Math.ceil(Math.log2(length));

/** The forms of a page with conditions on the rows themselves. */
export interface OwnProbes {
  /** The conditions for which there are two forms: all of them, or those on a part of a text, which no index serves. */
  readonly of: 'all' | 'patterns';
  /** Rows that meet such a condition, up to which they are sorted instead of being looked for along the order. */
  readonly few: number;
  /** A condition that many rows meet: an index serves it only together with the order. Values of a list have no order. */
  met(condition: Sql, isList: boolean): Sql;
  /** A condition on the rows of a scope, or behind a position, that no index serves. */
  unserved(condition: Sql, isPosition: boolean): Sql;
  /** An order term on a column that no index serves. */
  unread(term: Sql, column: PhysicalColumn): Sql;
  /** A table of a WITH clause, and the keyword: several parts of the statement read it, and its rows are looked for once. */
  named(table: string, rows: Sql): Sql;
}

/** The SQL dialect of one database family. */
export interface Dialect {
  readonly family: DatabaseFamily;
  quote(identifier: string): string;
  placeholder(index: number): string;
  /** Whether placeholders are numbered, so that one parameter can occur several times. */
  readonly numberedPlaceholders: boolean;
  /**
   * Returns the function that binds a value of the column; `rounding` applies where the column cannot hold the value
   * exactly.
   */
  binder(column: PhysicalColumn, rounding: Rounding): Bind;
  /** Binds stored text that is not a value of the kind, such as `infinity`; it is compared with the column. */
  bindStored(column: PhysicalColumn, text: PlanValue): unknown;
  /**
   * Whether a text of a cursor, which clients can forge, is one that the column may hold although it is not a value of
   * the kind, and that the family compares with the column without an error.
   */
  holds(column: PhysicalColumn, text: string): boolean;
  /** A bound value that is compared with a column, cast where the family would otherwise choose a wrong type. */
  operand(column: PhysicalColumn, slot: Slot): Sql;
  /** The same of a value at which a page begins; it should not change the plan. Default: `operand`. */
  positionOperand?(column: PhysicalColumn, slot: Slot, form: PositionForm): Sql;
  /**
   * The same of a key, which a planner also compares with the columns that equal it, whatever their type is; `undefined` for
   * kinds that do not compare alike in every type. Default: the family finds these columns by the key alone.
   */
  keyOperand?(column: PhysicalColumn, slot: Slot): Sql | undefined;
  /**
   * How positions contain values that are not of the kind of their column, which `bindStored` and `holds` read again.
   * Default: columns hold values of their kind, and what `holds` describes.
   */
  otherText?(column: PhysicalColumn): OtherText;
  /**
   * An order value in a select list, as text where drivers would round it, and only as text where `isTyped` says that all
   * values of a column have one type; `undefined` where the column itself is exact. Default: it always is.
   */
  selectPosition?(
    expression: string,
    column: PhysicalColumn,
    isKey: boolean,
    isTyped: boolean,
  ): Sql | undefined;
  /** `expression` is in (or not in) the list. */
  membership(expression: Sql, list: ListOperand, negated: boolean): Sql;
  /** The part of the statement's shape that depends on the length of a list. */
  listShape(length: number): string;
  /**
   * Case-sensitive search for a literal text at a place; the slot binds the result of `pattern` for a term of form `form`.
   */
  contains(
    expression: Sql,
    slot: Slot,
    column: PhysicalColumn | null,
    form: PatternForm,
    place: TextPlace,
  ): Sql;
  pattern(term: string, place: TextPlace): string;
  /** The same search in upper or lower case, as the family folds case; the slot binds the result of `foldedPattern`. */
  containsFolded(
    expression: Sql,
    slot: Slot,
    column: PhysicalColumn,
    form: PatternForm,
    place: TextPlace,
  ): Sql;
  foldedPattern(term: string, place: TextPlace): string;
  /** The part after a column of an index that finds texts that start with another; empty where any index does. */
  readonly prefixClass: '' | ' text_pattern_ops';
  /** The part of the statement's shape that depends on a search term. */
  patternForm(term: string): PatternForm;
  /** An order term; `nullable` tells whether nulls can occur. */
  orderBy(expression: Sql, term: Pick<OrderTerm, 'direction' | 'nulls'>, nullable: boolean): Sql;
  /**
   * The test for null of a column of a joined row that may be absent, where `is null` is also true of other values.
   * Default: `is null`.
   */
  isNullOfJoined?(expression: Sql, column: PhysicalColumn): Sql;
  /**
   * The place of nulls in an ascending index, where LIMIT takes an expression and a part with a limit of zero is not run:
   * pages that have nulls elsewhere are read in two parts. `null` where both parts of a page are read to its end.
   */
  readonly splitsNulls: 'first' | 'last' | null;
  /** Whether an index serves orders that have nulls elsewhere than it has. */
  readonly movesNulls: boolean;
  /** Whether row comparisons `(a, b) > (x, y)` use an index. */
  readonly comparesRows: boolean;
  /** Largest number of bytes of the texts at which a page begins: servers limit the size of a statement. */
  readonly maxPositionBytes: number;
  /** The keyword before a list of rows in `(a, b) in (...)`. */
  readonly rowListPrefix: '' | 'values ';
  /**
   * The number of rows in a limit. SQLite takes a small literal as a reason to sort instead of reading the index in
   * order; the other families plan better when they know the number.
   */
  limit(count: number): Sql;
  /**
   * The forms of a page with conditions through relations, where the planner chooses one without regard to the limit: in
   * the part that begins with the rows that meet a condition, and in the part along the order; and how a part is left out:
   * by a limit of zero, or by a joined table without rows, which the planner reads first. `null` where the planner weighs
   * the limit.
   */
  readonly probes: {
    readonly own: OwnProbes;
    readonly few: ExistentialForm;
    readonly walked: ExistentialForm;
    readonly gate: 'table' | 'limit';
  } | null;
  /**
   * Where the keys of a page are found first, and its rows by these: deep in a list; where the order begins in another
   * table, so that no index has it; behind a position among rows whose field equals a value, where MySQL reads such an
   * index from the value on instead of the position, unless the index alone has all that is read; and in a scope whose index
   * has another order, because SQLite sorts whole rows.
   */
  readonly looksUpLate: {
    readonly deep: boolean;
    readonly through: boolean;
    readonly behind: boolean;
    readonly scoped: boolean;
  };
  /** Whether a table of a FROM clause can depend on one before it. */
  readonly hasLateral: boolean;
  /** A part of a union, which has an order and a limit of its own. */
  unionPart(select: Sql): Sql;
  /** The form of a condition through a `many` relation, per statement, because the fastest form differs. */
  readonly existential: { readonly page: ExistentialForm; readonly count: ExistentialForm };
  /** Whether the columns of each foreign key have an index, so that a subquery for each row reads only rows of its own. */
  readonly indexesForeignKeys: boolean;
  /**
   * Whether a condition through relations may not be turned into a join inside the condition of an outer join. MySQL 9
   * then loses conditions of the inner join, and shows rows that the subquery excludes.
   */
  readonly losesJoinedSemijoins: boolean;
  /**
   * Largest number of relations in the subqueries of one statement that the planner may turn into joins. MySQL and
   * MariaDB search the orders of such joins exhaustively, which takes seconds for a few filters through three relations
   * each.
   */
  readonly maxSemijoinRelations: number;
  /** Whether a type is an enum type of the database, which orders its members by their positions. */
  isEnumType(sqlType: string): boolean;
  /**
   * The position of an enum's value as a number, from 1 on, where the family compares enums as text; `null` where it
   * compares them by position, or has none.
   */
  readonly enumPosition: ((column: string) => string) | null;
  /** The text of an enum's value, which is ordered as it is compared; `null` where `enumPosition` is. */
  readonly enumText: ((column: string) => string) | null;
  /** A column in a select list, cast where the driver would lose digits. */
  select(expression: Sql, column: PhysicalColumn): Sql;
  /**
   * The value of a json column at a path, which may be empty; null where it is missing or does not fit the kind of the
   * column.
   */
  jsonMember(column: PhysicalColumn, member: JsonMember, json: string): Sql;
  /** A value that `jsonMember` has made, in a select list: of the type that columns of the kind have. */
  selectMember(expression: Sql, column: PhysicalColumn): Sql;
  /**
   * A condition that one index on the whole json column serves, true where the value at the path equals the operand;
   * it is AND-ed to the comparison. `undefined` where the family has no such index.
   */
  jsonContains?(
    column: PhysicalColumn,
    member: JsonMember,
    json: string,
    read: Slot['read'],
  ): Sql | undefined;
  /** Whether an array has a member among the values of a list, or all of them as members; not true without an array. */
  hasMembers(array: ArrayOperand, list: ListOperand, isAll: boolean): Sql;
  /**
   * The column of an inverted index, with its operator class, which serves `hasMembers` and, of a path, `jsonContains`;
   * `undefined` where none serves the column. Default: the family has none.
   */
  membersIndex?(column: PhysicalColumn): string | undefined;
  /** The number of members of an array; null without one. */
  arrayLength(array: ArrayOperand): Sql;
  /** The type of the expressions of each kind that fields may compute. */
  readonly expressionTypes: Readonly<Record<ComputedKind, string>>;
  /** The expression of a computed field as a value of its kind, which compares and sorts as a column of the kind does. */
  expression(sql: string, column: PhysicalColumn): string;
  /** The value of such an expression in a select list. Default: the value itself. */
  shownExpression?(value: Sql, column: PhysicalColumn): Sql;
  /** The sum, the smallest or the greatest of the values of a column; null where there are none. */
  aggregate(type: 'sum' | 'min' | 'max', expression: string, column: PhysicalColumn): string;
  /** Whether decimals of more than 15 digits compare exactly. */
  readonly exactDecimals: boolean;
  /** Whether a column type stores instants with microseconds. */
  hasMicroseconds(sqlType: string): boolean;
  /** The text of a UUID that is held as bytes, in lower case. */
  uuidText(bytes: Sql): Sql;
  /** An instant without its microseconds. */
  inMilliseconds(expression: Sql): Sql;
  /** The storage class of a column type. */
  storageClass(sqlType: string): StorageClass;
  /** How a column of this type holds a kind; `undefined` where it cannot. Types of class `other` are not checked. */
  storageOf(sqlType: string, kind: FieldKind): StorageForm | undefined;
  /** Whether a numeric column stores whole numbers and booleans unchanged. */
  readonly keepsWholeDecimals: boolean;
  /** Whether a column of a primary key accepts null, unless it is declared `not null`. */
  keyKeepsNull(sqlType: string, isWholeKey: boolean): boolean;
  /** Whether the type `integer` has 64 bits. */
  readonly wideIntegers: boolean;
  /** The literals of false and true, where a planner does not see all values that are bound; `null` where it does. */
  readonly truths: readonly [string, string] | null;
  /** Whether drivers can prepare statements under a name, which keeps their plan on the server. */
  readonly namedStatements: boolean;
  /** The container that qualifies the name of a table. */
  readonly qualifier: 'schema' | 'database';
}

/** `long`: longer than the family's pattern limit. */
export type PatternForm = 'usual' | 'long';

/**
 * `exists`: correlated `EXISTS`. `in`: `key IN (SELECT ...)`. `scalar`: `(SELECT 1 ... LIMIT 1) IS NOT NULL`, which no
 * optimizer turns into a join.
 */
export type ExistentialForm = 'exists' | 'in' | 'scalar';

/** Returns the function that binds a value of the column: the codec's, where the column has one, else the dialect's. */
export function binderOf(dialect: Dialect, column: PhysicalColumn, rounding: Rounding): Bind {
  const { codec } = column;
  if (column.member && column.kind === 'datetime') return (value) => isoText(value, rounding);
  if (isUuidBytes(column)) return uuidBytes;
  return codec ? (value) => codec.bind(value) : dialect.binder(column, rounding);
}

/** The test for null of a column of a row, which may be absent. */
export function isNullSql(
  dialect: Dialect,
  expression: Sql,
  column: PhysicalColumn,
  isOptional: boolean,
): Sql {
  const ofJoined = isOptional ? dialect.isNullOfJoined?.(expression, column) : undefined;
  return ofJoined ?? [expression, ' is null'];
}

/** Escapes a LIKE pattern for `ESCAPE '!'`, the only form with the same meaning in every family. */
export function likePattern(term: string, place: TextPlace): string {
  return placed(term.replaceAll(/[!%_]/g, '!$&'), '%', place);
}

/** An escaped term with the wildcard for any text on the sides where the place allows one. */
export function placed(term: string, any: '%' | '*', place: TextPlace): string {
  return `${place === 'start' ? '' : any}${term}${place === 'end' ? '' : any}`;
}
