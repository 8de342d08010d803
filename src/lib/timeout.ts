/** Limits how long a promise is waited for. */

/** The work did not settle in time. */
export class TimeoutError extends Error {
  override readonly name: string = 'TimeoutError';
  readonly milliseconds: number;

  constructor(milliseconds: number, options?: ErrorOptions) {
    super(`There was no answer within ${milliseconds} ms.`, options);
    this.milliseconds = milliseconds;
  }
}

/** Makes the error of a time limit. */
export type TimeoutFactory = (milliseconds: number) => Error;

export const timeoutError: TimeoutFactory = (milliseconds) => new TimeoutError(milliseconds);

/**
 * Settles as the work does, or rejects after so many milliseconds. The work itself is not stopped; its outcome is
 * then ignored.
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
