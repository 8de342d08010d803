/**
 * The order of enums whose family orders them by the positions of their members, but compares them as text. Comparisons
 * by order are written as lists, which an index serves: a comparison of positions would not use it.
 */

import { type OperatorRow, type PlanValue, cursorInvalid } from '../../../rules/index.ts';
import type { FieldDescriptor } from '../../../schema/index.ts';
import { type Bind, type Dialect, type ListOperand, binderOf } from '../dialect.ts';
import type { PhysicalColumn } from '../physical.ts';
import { type Slot, type Sql, type StatementInputs, join } from '../sql-text.ts';

/** Number of positions in a list beyond those of known members, for members that the schema does not have yet. */
const sparePositions = 8;

/** The `members` of a column: those of an enum type that gives the field its order. */
export function nativeMembers(
  dialect: Dialect,
  sqlType: string,
  { portableOrderField }: FieldDescriptor,
  members: readonly string[] | undefined,
): Pick<PhysicalColumn, 'members'> {
  const gives = members !== undefined && members.length > 0 && portableOrderField === undefined;
  return gives && dialect.isEnumType(sqlType) ? { members } : {};
}

/** Whether the family orders the column by position, but compares it as text. */
function isComparedAsText({ enumPosition, isEnumType }: Dialect, column: PhysicalColumn): boolean {
  return enumPosition !== null && column.kind === 'enum' && isEnumType(column.sqlType);
}

/** The stored members of a column in the order of the database; `null` if its comparisons need no list. */
export function listedMembers(
  dialect: Dialect,
  column: PhysicalColumn,
  { enumValues }: FieldDescriptor,
  bind: Bind,
): readonly PlanValue[] | null {
  if (!isComparedAsText(dialect, column)) return null;
  return column.members ?? enumValues?.map((member) => bind(member) as PlanValue) ?? null;
}

type OrderedRow = Extract<OperatorRow, { readonly comparison: 'order' | 'range' }>;

/** The members that satisfy a comparison by order, as the list of a membership. */
export function membersInOrder(
  column: PhysicalColumn,
  members: readonly PlanValue[],
  row: OrderedRow,
  operand: (inputs: StatementInputs) => readonly unknown[],
): ListOperand {
  const read = (inputs: StatementInputs): readonly PlanValue[] => {
    const [at = -1, end = -1] = operand(inputs).map((value) => members.indexOf(value as PlanValue));
    if (at < 0) return [];
    if (row.comparison === 'range') return members.slice(at, end + 1);
    const inclusive = row.sql.endsWith('=');
    return row.sql.startsWith('>')
      ? members.slice(inclusive ? at : at + 1)
      : members.slice(0, inclusive ? at + 1 : at);
  };
  return { column, length: members.length, read, bind: (value) => value };
}

/**
 * An order by positions: how cursors contain it, and the conditions that compare with it. Members are compared as text:
 * with a condition `column = 'text'` beside them, MySQL takes the text for the position. Members that the database has
 * and the schema does not, because they were appended later, are compared by position. The empty text is the database's
 * own value for an invalid one, which precedes all members; where it is a member, its rows have the place of that member.
 */
export class PositionOrder {
  readonly #dialect: Dialect;
  readonly #position: (column: string) => string;
  readonly #members: readonly PlanValue[];
  /** The members, and the empty text before them unless it is one. */
  readonly #texts: readonly PlanValue[];
  /** Precedes a position in a cursor; no member begins with it. */
  readonly #mark: string;

  /** The order of a column; `null` if the family compares the column as it orders it. */
  static of(
    dialect: Dialect,
    column: PhysicalColumn,
    field: FieldDescriptor,
  ): PositionOrder | null {
    const members = listedMembers(dialect, column, field, binderOf(dialect, column, 'never'));
    const { enumPosition } = dialect;
    return members && enumPosition ? new PositionOrder(dialect, enumPosition, members) : null;
  }

  private constructor(
    dialect: Dialect,
    position: (column: string) => string,
    members: readonly PlanValue[],
  ) {
    this.#dialect = dialect;
    this.#position = position;
    this.#members = members;
    this.#texts = members.includes('') ? members : ['', ...members];
    let mark = '#';
    while (members.some((member) => String(member).startsWith(mark))) mark += '#';
    this.#mark = mark;
  }

  /** The value that a cursor contains: the member, or the position of one that the schema does not have. */
  selected(column: string): Sql {
    return [
      `case when ${column} in (`,
      this.#listed(),
      `) then ${column} else concat('${this.#mark}', ${this.#position(column)}) end`,
    ];
  }

  /** Selects the rows at a position. */
  equal(column: string, read: ReadPosition): Sql {
    const text: Slot = { read: (inputs) => (this.#isKnown(read(inputs)) ? read(inputs) : null) };
    const position = this.#number(read, (value) => value);
    return [`(${column} = `, text, ` or (${column} = `, position, this.#andUnknown(column)];
  }

  /** Selects the rows beyond a position, or from it on if `inclusive`. */
  beyond(column: string, read: ReadPosition, direction: 'asc' | 'desc', inclusive: boolean): Sql {
    const all = this.#texts;
    const listed = (inputs: StatementInputs): readonly PlanValue[] => {
      const value = read(inputs);
      const at = this.#isKnown(value) ? all.lastIndexOf(value) : all.length;
      if (direction === 'asc') return all.slice(inclusive ? at : at + 1);
      return all.slice(0, inclusive ? at + 1 : at);
    };
    const texts = all.map((_, index): Slot => ({
      read: (inputs) => listed(inputs)[index] ?? null,
    }));
    const last = this.#members.length;
    const positions = Array.from({ length: sparePositions }, (_, index) => {
      const distance = inclusive ? index : index + 1;
      return this.#number(
        read,
        (value) => {
          if (direction === 'asc') return value + distance;
          return value - distance > last ? value - distance : noPosition;
        },
        direction === 'asc' ? last + 1 + index : noPosition,
      );
    });
    return [
      `(${column} in (`,
      join(texts, ', '),
      `) or (${column} in (`,
      join(positions, ', '),
      ')',
      this.#andUnknown(column),
    ];
  }

  #isKnown(value: PlanValue): boolean {
    return this.#texts.includes(value);
  }

  #listed(): Sql {
    return join(
      this.#texts.map((value): Slot => ({ read: () => value })),
      ', ',
    );
  }

  #andUnknown(column: string): Sql {
    return [` and ${column} not in (`, this.#listed(), ')))'];
  }

  /** A number made of the position of a member that the schema does not have; `known` for other members. */
  #number(read: ReadPosition, of: (position: number) => number, known = noPosition): Sql {
    const slot: Slot = {
      read: (inputs) => {
        const value = read(inputs);
        if (this.#isKnown(value)) return known;
        const text = String(value);
        const position = text.startsWith(this.#mark) ? Number(text.slice(this.#mark.length)) : NaN;
        // A member that has been renamed since the cursor was made.
        if (!Number.isSafeInteger(position)) throw cursorInvalid();
        return of(position);
      },
    };
    return this.#dialect.operand(positionColumn, slot);
  }
}

/** Reads the stored value at which a page begins. */
export type ReadPosition = (inputs: StatementInputs) => PlanValue;

const noPosition = -1;

const positionColumn: PhysicalColumn = {
  path: '',
  name: '',
  kind: 'bigint',
  storage: 'native',
  sqlType: 'bigint',
};
