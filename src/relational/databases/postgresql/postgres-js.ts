/** Ends statements of postgres.js, which can send a cancel request by itself. */

import type { RunStoppable } from '../../read/stop.ts';

/** The part of `sql` that is used; inside a transaction it has no `reserve`. */
interface Sql {
  unsafe(...given: unknown[]): Query;
  reserve?(): Promise<Sql & { release(): void }>;
}

interface Query {
  cancel(): Promise<void>;
}

/** How statements run on `sql`; `undefined` for other objects. */
export function stoppablePostgresJs(target: object): RunStoppable | undefined {
  if (typeof target !== 'function' || !('unsafe' in target)) return undefined;
  const sql = target as unknown as Sql;
  return async (stop, _text, statement) => {
    // Without a connection of its own, the next statement could already run when the cancel request arrives.
    const reserved = await sql.reserve?.();
    const on = reserved ?? sql;
    let query: Query | undefined;
    const unsafe = (...given: unknown[]) => (query = on.unsafe(...given));
    try {
      return await stop.during(
        async () => query?.cancel(),
        () => statement({ unsafe }),
      );
    } finally {
      reserved?.release();
    }
  };
}
