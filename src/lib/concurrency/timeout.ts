/** Limits the time that a promise is awaited. */

/** The work did not settle in time. */
export class TimeoutError extends Error {
  override readonly name: string = 'TimeoutError';
  readonly milliseconds: number;

  constructor(milliseconds: number, options?: ErrorOptions) {
    super(`There was no answer within ${milliseconds} ms.`, options);
    this.milliseconds = milliseconds;
  }
}

/** Creates the error of a time limit. */
export type TimeoutFactory = (milliseconds: number) => Error;

export const timeoutError: TimeoutFactory = (milliseconds) => new TimeoutError(milliseconds);

/**
 * Settles as the work does, or rejects after `milliseconds`. The work itself is not stopped; its later outcome is
 * ignored.
 *
 * @throws {Error} when the time is over: the error of `late`, a {@link TimeoutError} by default
 */
export async function withTimeout<Result>(
  work: Promise<Result>,
  milliseconds: number,
  late: TimeoutFactory = timeoutError,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late(milliseconds)), milliseconds);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
