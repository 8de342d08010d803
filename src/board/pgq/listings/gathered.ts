/** Several statements sent as one: one round trip, and one look at the database for all of them. */

import type { ReadDatabase, ReadSession } from '../connect/read-channel.ts';

type Row = readonly unknown[];

interface Prepared {
  execute(values: object): Promise<readonly Row[]>;
}

/** What statements are prepared with; what follows a query is Drizzle's own, and passed on as it came. */
interface Session {
  prepareQuery(query: { sql: string; params: unknown[] }, ...rest: unknown[]): Prepared;
}

interface Handle {
  readonly session: Session;
}

interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly rest: readonly unknown[];
  answer(rows: readonly Row[]): void;
  fail(error: unknown): void;
}

/**
 * The statements as parts of one; the first column says which part a row is of. No name of pg-boss's holds a
 * dollar sign, so that all there are stand before the places of values.
 */
function unionOf(asked: readonly Asked[]): { readonly text: string; readonly values: unknown[] } {
  const values: unknown[] = [];
  const parts = asked.map((one, part) => {
    const before = values.length;
    values.push(...one.values);
    const text = one.text.replaceAll(/\$(\d+)/g, (_whole, place) => `$${before + Number(place)}`);
    return `(select ${part} as part, part${part}.* from (${text}) as part${part})`;
  });
  return { text: parts.join(' union all '), values };
}

async function send(session: Session, asked: readonly Asked[]): Promise<void> {
  const { text, values } = unionOf(asked);
  const rest = asked[0]?.rest ?? [];
  try {
    const rows = await session.prepareQuery({ sql: text, params: values }, ...rest).execute({});
    const byPart = asked.map((): Row[] => []);
    for (const [part, ...row] of rows) byPart[Number(part)]?.push(row);
    for (const [part, one] of asked.entries()) one.answer(byPart[part] ?? []);
  } catch (error) {
    for (const one of asked) one.fail(error);
  }
}

/**
 * The session for so many statements that give the same columns, each run once and none after another's answer:
 * they are sent when the last of them is asked.
 */
export function gathered(session: ReadSession, statements: number): ReadSession {
  const handle = session.db as unknown as Handle;
  const asked: Asked[] = [];
  const gathering: Session = {
    prepareQuery: ({ sql }, ...rest) => ({
      execute: (values) =>
        new Promise((answer, fail) => {
          asked.push({ text: sql, values: Object.values(values), rest, answer, fail });
          if (asked.length === statements) void send(handle.session, asked.splice(0));
        }),
    }),
  };
  const db: Handle = Object.create(handle, { session: { value: gathering } });
  return { ...session, db: db as unknown as ReadDatabase, namedStatements: false };
}
