/** Waits for several promises, and only briefly for the rest once one has succeeded. */

import { TimeoutError } from '../../../lib/index.ts';

/** How a promise settled. */
export type Settled<Result> = { readonly value: Result } | { readonly error: unknown };

/** Time limits in milliseconds. */
interface SettleLimits {
  /** Until the first has succeeded. */
  readonly firstMs: number;
  /** For the others, after the first has succeeded. */
  readonly othersMs: number;
}

/** The settled results in order; a `TimeoutError` for those that did not settle in time. */
export function settleWithin<Result>(
  promises: readonly Promise<Result>[],
  { firstMs, othersMs }: SettleLimits,
): Promise<Settled<Result>[]> {
  return new Promise((resolve) => {
    const settled: (Settled<Result> | undefined)[] = promises.map(() => undefined);
    let pending = promises.length;
    let hasFirst = false;
    const finish = (): void => {
      clearTimeout(timer);
      // An error takes a while to make, and is hardly ever needed.
      resolve(settled.map((outcome) => outcome ?? { error: new TimeoutError(firstMs) }));
    };
    let timer = setTimeout(finish, firstMs);
    const settle = (index: number, outcome: Settled<Result>): void => {
      settled[index] = outcome;
      pending -= 1;
      if (pending === 0) {
        finish();
      } else if ('value' in outcome && !hasFirst) {
        hasFirst = true;
        clearTimeout(timer);
        timer = setTimeout(finish, othersMs);
      }
    };
    for (const [index, promise] of promises.entries()) {
      promise.then(
        (value) => settle(index, { value }),
        (error: unknown) => settle(index, { error }),
      );
    }
    if (pending === 0) finish();
  });
}
