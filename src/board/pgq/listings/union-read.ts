/** Combines several statements into one `union all`: one round trip and one database snapshot for all of them. */

import { type Rows, type SqlExecutor, plainStatement } from '../../../adapters/sql/index.ts';
import type { ReadSession } from '../connect/read-channel.ts';

/** A statement that waits for the others. */
interface Pending {
  readonly text: string;
  readonly values: readonly unknown[];
  resolve(rows: Rows): void;
  reject(error: unknown): void;
}

/**
 * The statements as members of a union; the first column is the index of the member. Names in pg-boss's tables do not
 * contain dollar signs, so every dollar sign belongs to a placeholder.
 */
function unionOf(pending: readonly Pending[]): {
  readonly text: string;
  readonly values: unknown[];
} {
  const values: unknown[] = [];
  const members = pending.map((one, index) => {
    const before = values.length;
    values.push(...one.values);
    const text = one.text.replaceAll(/\$(\d+)/g, (_all, place) => `$${before + Number(place)}`);
    return `(select ${index} as part, part${index}.* from (${text}) as part${index})`;
  });
  return { text: members.join(' union all '), values };
}

async function send(executor: SqlExecutor, pending: readonly Pending[]): Promise<void> {
  try {
    const { text, values } = unionOf(pending);
    const rows = await executor.run(plainStatement(text, values), values);
    const byMember = pending.map((): (readonly unknown[])[] => []);
    for (const [member, ...row] of rows) byMember[Number(member)]?.push(row);
    for (const [index, one] of pending.entries()) one.resolve(byMember[index] ?? []);
  } catch (error) {
    for (const one of pending) one.reject(error);
  }
}

/**
 * A session for a known number of statements with the same columns, each run once and independent of the other results.
 * They are sent together when the last one is run.
 */
export function unionSession(session: ReadSession, statements: number): ReadSession {
  const executor = session.connection;
  const pending: Pending[] = [];
  const connection: SqlExecutor = {
    ...executor,
    run: ({ text }, values) =>
      new Promise((resolve, reject) => {
        pending.push({ text, values, resolve, reject });
        if (pending.length === statements) void send(executor, pending.splice(0));
      }),
  };
  return { ...session, connection };
}
