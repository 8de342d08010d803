/** Waits for works side by side, and not for those that keep the others waiting. */

import { timeouts } from '../timeouts.ts';

/** How a work ended. */
export type Arrival<Result> = { readonly value: Result } | { readonly error: unknown };

/**
 * How each work ended, in their order; `null` for those that had not ended in time. The first has `firstMs` of the
 * board's timeouts, the others `othersMs` once one has succeeded.
 */
export function arrivals<Result>(
  works: readonly Promise<Result>[],
): Promise<(Arrival<Result> | null)[]> {
  const { firstMs, othersMs } = timeouts();
  return new Promise((resolve) => {
    const ended: (Arrival<Result> | null)[] = works.map(() => null);
    let open = works.length;
    let hurried = false;
    const finish = (): void => {
      clearTimeout(timer);
      resolve([...ended]);
    };
    let timer = setTimeout(finish, firstMs);
    const end = (index: number, arrival: Arrival<Result>): void => {
      ended[index] = arrival;
      open -= 1;
      if (open === 0) {
        finish();
      } else if ('value' in arrival && !hurried) {
        hurried = true;
        clearTimeout(timer);
        timer = setTimeout(finish, othersMs);
      }
    };
    for (const [index, work] of works.entries()) {
      work.then(
        (value) => end(index, { value }),
        (error: unknown) => end(index, { error }),
      );
    }
    if (open === 0) finish();
  });
}
