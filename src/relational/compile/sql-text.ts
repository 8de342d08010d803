/** SQL under construction: text with slots for the values that each request binds. */

import type { PlanValue } from '../../rules/index.ts';

/** The values of one execution. */
export interface StatementInputs {
  /** Values of the predicate's conditions, in the order of the tree. */
  readonly conditions: readonly (PlanValue | readonly PlanValue[])[];
  /** Values of the scopes' conditions, by model, in the order of the tree. */
  readonly scopes: { readonly [model: string]: StatementInputs['conditions'] };
  /** Values of the conditions on children of included relations, in the order of the projection and of each tree. */
  readonly children: StatementInputs['conditions'];
  /** Values of the keyset position. */
  readonly position: readonly (PlanValue | null)[];
  readonly offset: number;
  /** Values of the parts of a merged page. */
  readonly parts: readonly PlanValue[];
  /** Keys of the parent rows of an include, one tuple each. */
  readonly keys: readonly (readonly unknown[])[];
}

/** A position in a statement where one value is bound. */
export interface Slot {
  readonly read: (inputs: StatementInputs) => unknown;
  /** Whether the best plan depends on the value, as with a pattern that may match everything or nothing. */
  readonly steersPlan?: true;
}

/** A fragment of SQL. */
export type Sql = string | Slot | readonly Sql[];

/** Complete SQL with the slots of its parameters, in parameter order. */
export interface StatementText {
  /** SQL with the placeholders of the driver. */
  readonly text: string;
  /** The values of the placeholders, in order: constants, or parts of a plan. */
  readonly slots: readonly Slot[];
}

/** The fragment for whose values a plan is made anew. A slot that stands in it several times stays one. */
export function steering(sql: Sql): Sql {
  const marked = new Map<Slot, Slot>();
  const walk = (piece: Sql): Sql => {
    if (typeof piece === 'string') return piece;
    if (!('read' in piece)) return piece.map(walk);
    const known = marked.get(piece) ?? { ...piece, steersPlan: true as const };
    marked.set(piece, known);
    return known;
  };
  return walk(sql);
}

/** A slot whose numbers are bound as text. */
export const textSlot = ({ read, ...slot }: Slot): Slot => ({
  ...slot,
  read: (inputs) => numberText(read(inputs)),
});

/** The text of a number; any other value as it is. */
export const numberText = (value: unknown): unknown =>
  typeof value === 'number' ? String(value) : value;

/** Largest number of parameters that the parts of one statement repeat: SQLite accepts 32,766, and MySQL 65,535. */
export const maxRepeated = 16_384;

/** How many values a fragment binds where each occurrence of a parameter is one. */
export function slotCount(sql: Sql): number {
  if (typeof sql === 'string') return 0;
  return 'read' in sql ? 1 : sql.reduce((sum: number, part) => sum + slotCount(part), 0);
}

/** Joins fragments with a separator. */
export function join(pieces: readonly Sql[], separator: string): Sql {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]));
}

/**
 * Flattens SQL to text. With `numbered` placeholders (`$1`), a slot that occurs several times is bound once; otherwise
 * it is bound at each occurrence.
 */
export function render(
  sql: Sql,
  placeholder: (index: number) => string,
  numbered: boolean,
): StatementText {
  const slots: Slot[] = [];
  const positions = new Map<Slot, number>();
  let text = '';
  const walk = (piece: Sql) => {
    if (typeof piece === 'string') {
      text += piece;
    } else if ('read' in piece) {
      const known = numbered ? positions.get(piece) : undefined;
      if (known === undefined) positions.set(piece, slots.push(piece));
      text += placeholder(known ?? slots.length);
    } else {
      for (const part of piece) walk(part);
    }
  };
  walk(sql);
  return { text, slots };
}

/** The parameter values of one execution. A slot that follows itself, as in `a < ? or a = ?`, is read once. */
export function bind({ slots }: StatementText, inputs: StatementInputs): unknown[] {
  let last: Slot | undefined;
  let value: unknown;
  return slots.map((slot) => {
    if (slot !== last) {
      value = slot.read(inputs);
      last = slot;
    }
    return value;
  });
}
