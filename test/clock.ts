/** Moves the clocks that programs read, `Date` and `performance.now()`; timers and servers go on as they do. */

import { afterFile } from './after-file.ts';

const RealDate = Date;
const realNow = performance.now.bind(performance);
let ahead = 0;

class MovedDate extends RealDate {
  constructor(...given: readonly []) {
    super(...((given.length === 0 ? [MovedDate.now()] : given) as readonly []));
  }
  static override now(): number {
    return RealDate.now() + ahead;
  }
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof RealDate;
  }
}

/** Lets so many milliseconds have passed, for the rest of the file: no clock goes back. */
export function advanceClock(milliseconds: number): void {
  ahead += milliseconds;
  globalThis.Date = MovedDate as DateConstructor;
  performance.now = () => realNow() + ahead;
}

afterFile(() => {
  ahead = 0;
  globalThis.Date = RealDate;
  performance.now = realNow;
});
