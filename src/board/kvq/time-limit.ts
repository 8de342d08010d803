/** Bounds how long the board waits for a datastore. */

/** The datastore did not answer in time. */
export class StoreTimeout extends Error {
  override readonly name = 'StoreTimeout';
}

/** The result of `work`, or {@link StoreTimeout} after `milliseconds`. What is under way is not stopped. */
export async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new StoreTimeout('The datastore did not answer in time.')),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
