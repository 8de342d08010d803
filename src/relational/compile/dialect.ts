/** Where database families differ: every difference has a name here and a value in `dialects/`. */

import type { DatabaseFamily, OrderTerm, PlanValue, Rounding } from '../../rules/index.ts';
import type { FieldKind } from '../../schema/index.ts';
import type { StorageClass } from './held-forms.ts';
import type { PhysicalColumn, StorageForm } from './physical.ts';
import type { Slot, Sql } from './sql-text.ts';

/** Turns a canonical value into what the driver binds for a comparison with one column. */
export type Bind = (value: PlanValue) => unknown;

/** A list operand: how many values, where the list is when a request binds it, and how to bind one. */
export interface ListOperand {
  readonly column: PhysicalColumn;
  readonly length: number;
  readonly read: (inputs: Parameters<Slot['read']>[0]) => readonly PlanValue[];
  readonly bind: Bind;
}

/** One database family. */
export interface Dialect {
  readonly family: DatabaseFamily;
  quote(identifier: string): string;
  placeholder(index: number): string;
  /** Whether placeholders are numbered, so that one parameter can stand in several places. */
  readonly numberedPlaceholders: boolean;
  /** How one value of the column is bound; `rounding` where the column cannot hold the value exactly. */
  binder(column: PhysicalColumn, rounding: Rounding): Bind;
  /** A bound value beside a column, cast where the family would otherwise misjudge its type. */
  operand(column: PhysicalColumn, slot: Slot): Sql;
  /** `expression` is in (or not in) the list. */
  membership(expression: Sql, list: ListOperand, negated: boolean): Sql;
  /** What of a list's length changes the statement. */
  listShape(length: number): string;
  /** Case-sensitive literal substring; `pattern` makes what the slot binds of a term of that `form`. */
  contains(expression: Sql, slot: Slot, column: PhysicalColumn | null, form: PatternForm): Sql;
  pattern(term: string): string;
  /** What of a term changes the statement. */
  patternForm(term: string): PatternForm;
  /** An order term; `nullable` says whether nulls can occur. */
  orderBy(expression: Sql, term: Pick<OrderTerm, 'direction' | 'nulls'>, nullable: boolean): Sql;
  /** Whether row comparisons `(a, b) > (x, y)` use an index. */
  readonly comparesRows: boolean;
  /** What stands before a list of rows in `(a, b) in (...)`. */
  readonly rowListPrefix: '' | 'values ';
  /**
   * Whether a limit is a parameter. SQLite reads a small literal as a reason to sort instead of walking the
   * index of the order; the others plan better when they know the number.
   */
  readonly bindsLimit: boolean;
  /** How a condition through a `many` relation is tested, per statement: the fastest form differs. */
  readonly existential: { readonly page: ExistentialForm; readonly count: ExistentialForm };
  /**
   * Most relations in the subqueries of one statement that the planner may turn into joins. MySQL and MariaDB search
   * the orders of such joins exhaustively: seconds for a few filters through three relations each.
   */
  readonly maxSemijoinRelations: number;
  /** A column in a select list, cast where the driver would lose digits. */
  select(expression: Sql, column: PhysicalColumn): Sql;
  /** Whether decimals of more than 15 digits compare exactly. */
  readonly exactDecimals: boolean;
  /** The class of a column's type. */
  storageClass(sqlType: string): StorageClass;
  /** How a column of the type holds a kind; `undefined` where it cannot. A type of class `other` is not doubted. */
  storageOf(sqlType: string, kind: FieldKind): StorageForm | undefined;
  /** Whether a column with a numeric type of its own keeps whole numbers and flags as they are. */
  readonly keepsWholeDecimals: boolean;
  /** Whether the type `integer` has 64 bits. */
  readonly wideIntegers: boolean;
  /** Whether a driver can prepare statements under a name, which the server keeps planned. */
  readonly namedStatements: boolean;
  /** The container that qualifies the name of a table. */
  readonly qualifier: 'schema' | 'database';
}

/** `long`: longer than the family's patterns may be. */
export type PatternForm = 'usual' | 'long';

/**
 * `exists`: correlated `EXISTS`. `in`: `key IN (SELECT ...)`. `scalar`: `(SELECT 1 ... LIMIT 1) IS NOT
 * NULL`, which no optimizer turns into a join.
 */
export type ExistentialForm = 'exists' | 'in' | 'scalar';

/** How one value is bound beside the column: by its codec, where something stands between field and column. */
export function binderOf(dialect: Dialect, column: PhysicalColumn, rounding: Rounding): Bind {
  const { codec } = column;
  return codec ? (value) => codec.bind(value) : dialect.binder(column, rounding);
}

/** Escapes a LIKE pattern for `ESCAPE '!'`, the one form that means the same everywhere. */
export function likePattern(term: string): string {
  return `%${term.replaceAll(/[!%_]/g, '!$&')}%`;
}
