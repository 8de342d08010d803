/** Moves the clocks that programs read, `Date` and `performance.now()`; timers and servers go on as they do. */

import { afterFile } from './after-file.ts';

const RealDate = Date;
const realNow = performance.now.bind(performance);
let ahead = 0;
let back = 0;
/** The clocks of the machine while they are held. */
let held: { readonly date: number; readonly monotonic: number } | undefined;

class MovedDate extends RealDate {
  constructor(...given: readonly []) {
    super(...((given.length === 0 ? [MovedDate.now()] : given) as readonly []));
  }
  static override now(): number {
    return (held?.date ?? RealDate.now()) + ahead - back;
  }
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof RealDate;
  }
}

/** Lets so many milliseconds have passed, for the rest of the file. */
export function advanceClock(milliseconds: number): void {
  ahead += milliseconds;
  move();
}

/** Holds the clocks until the returned function is called, however long the machine takes. */
export function holdClock(): () => void {
  held = { date: RealDate.now(), monotonic: realNow() };
  move();
  return () => {
    held = undefined;
  };
}

function move(): void {
  globalThis.Date = MovedDate as DateConstructor;
  performance.now = () => (held?.monotonic ?? realNow()) + ahead;
}

/** Sets `Date` back by so many milliseconds, as a correction of the machine's clock does. */
export function turnClockBack(milliseconds: number): void {
  back += milliseconds;
  globalThis.Date = MovedDate as DateConstructor;
}

afterFile(() => {
  ahead = 0;
  back = 0;
  held = undefined;
  globalThis.Date = RealDate;
  performance.now = realNow;
});
