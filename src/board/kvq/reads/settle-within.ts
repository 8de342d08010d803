/** Waits for works side by side, and not for those that keep the others waiting. */

/** How a work ended. */
export type Arrival<Result> = { readonly value: Result } | { readonly error: unknown };

/** How long is waited, in milliseconds. */
export interface Patience {
  /** For all of them. */
  readonly overall: number;
  /** For the rest, once one has succeeded. */
  readonly afterFirst: number;
}

/** How each work ended, in their order; `null` for those that had not ended in time. */
export function arrivals<Result>(
  works: readonly Promise<Result>[],
  { overall, afterFirst }: Patience,
): Promise<(Arrival<Result> | null)[]> {
  return new Promise((resolve) => {
    const ended: (Arrival<Result> | null)[] = works.map(() => null);
    let open = works.length;
    let hurried = false;
    const finish = (): void => {
      clearTimeout(timer);
      resolve([...ended]);
    };
    let timer = setTimeout(finish, overall);
    const end = (index: number, arrival: Arrival<Result>): void => {
      ended[index] = arrival;
      open -= 1;
      if (open === 0) {
        finish();
      } else if ('value' in arrival && !hurried) {
        hurried = true;
        clearTimeout(timer);
        timer = setTimeout(finish, afterFirst);
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
