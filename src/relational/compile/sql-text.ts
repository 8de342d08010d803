/** SQL under construction: text with slots for the values that each request binds. */

import type { PlanValue } from '../../rules/index.ts';

/** What one execution binds from. */
export interface StatementInputs {
  /** Values of the predicate's conditions, in the order of the tree. */
  readonly conditions: readonly (PlanValue | readonly PlanValue[])[];
  /** Values of the keyset position. */
  readonly position: readonly (PlanValue | null)[];
  readonly offset: number;
  /** Keys of the parent rows an include belongs to, one tuple each. */
  readonly keys: readonly (readonly unknown[])[];
}

/** A place for one bound value. */
export interface Slot {
  readonly read: (inputs: StatementInputs) => unknown;
  /** Whether a planner that sees the value plans much better: a pattern may match everything or nothing. */
  readonly steersPlan?: true;
}

/** A piece of SQL. */
export type Sql = string | Slot | readonly Sql[];

/** Finished SQL with the slots of its parameters, in parameter order. */
export interface StatementText {
  readonly text: string;
  readonly slots: readonly Slot[];
}

/** Pieces with a separator between them. */
export function join(pieces: readonly Sql[], separator: string): Sql {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]));
}

/**
 * Flattens SQL to text. `numbered` placeholders (`$1`) let one slot stand in several places and be bound
 * once; others are bound wherever they stand.
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

/** The parameters of one execution. */
export function bind(statement: StatementText, inputs: StatementInputs): unknown[] {
  return statement.slots.map((slot) => slot.read(inputs));
}
