/**
 * The time by the clock of the server. Ages and times told from now are those of the board, whose jobs have their times
 * from its side; the clock of a browser may be wrong by hours.
 */

/** A `Date` header tells whole seconds. */
const stepMs = 1_000;

/** Milliseconds by which the clock of the server is ahead of the browser's. */
let ahead = 0;

export const serverNow = (): number => Date.now() + ahead;

/**
 * Learns from the `Date` of an answer. The clock moves by no more than the answer proves, so that it stands still while
 * answers agree, whatever time they have taken.
 *
 * @param asked when the answer was asked for, by the clock of the browser
 */
export function learnTime(date: string | null, asked: number): void {
  const time = Date.parse(date ?? '');
  if (Number.isNaN(time)) return;
  ahead = Math.min(Math.max(ahead, time - Date.now()), time + stepMs - asked);
}
