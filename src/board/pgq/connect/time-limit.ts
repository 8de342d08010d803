/** A limit on the board's side, for ways to PostgreSQL that the server does not limit in full. */

import { QueryError } from '../../../schema/index.ts';

/** What a read fails with that did not come to its end in time. */
export function lateRead(milliseconds: number, cause?: unknown): QueryError {
  return new QueryError(
    'QUERY_TIMEOUT',
    `The read took longer than ${milliseconds} ms.`,
    { timeoutMs: milliseconds },
    { cause },
  );
}

/** Fails when the time is over. The work itself goes on; whatever comes of it is dropped. */
export async function limited<Answer>(
  work: Promise<Answer>,
  milliseconds: number,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(lateRead(milliseconds));
    }, milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
