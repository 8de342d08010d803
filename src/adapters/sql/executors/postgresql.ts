/** Runs statements on `pg`: a Pool, a client acquired from a pool, or a Client. */

import {
  type Bounds,
  NamedStatements,
  type NamingClient,
  type Rows,
  StatementNames,
  type StatementText,
  type Stop,
  families,
  ColumnParsers,
  between,
  haveNames,
  inOneTrip,
  lendingOf,
  lent,
  oneTrip,
  ownTransaction,
  savepoint,
  type TypeParsers,
} from '../../../relational/index.ts';
import type { SqlExecutor } from './executor.ts';

/** Parsers of a query's columns, in the form that `pg` takes. */
interface PgTypes {
  getTypeParser(type: number): (text: string) => unknown;
}

const asText = (text: string): string => text;

type Parser = (text: string) => unknown;

/** Parses bytes as `bytea_output` writes them: `\x` and hexadecimal digits, or text with octal escapes. */
function bytes(text: string): Uint8Array {
  if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex');
  const unescaped = text.replaceAll(/\\(\\|[0-7]{3})/g, (_, escaped: string) =>
    escaped === '\\' ? escaped : String.fromCharCode(Number.parseInt(escaped, 8)),
  );
  return Buffer.from(unescaped, 'latin1');
}

/** By type OID: boolean, bytea, int2, int4, json, jsonb. */
const parsers: ReadonlyMap<number, Parser> = new Map<number, Parser>([
  [16, (text) => text === 't'],
  [17, bytes],
  [21, Number],
  [23, Number],
  [114, JSON.parse],
  [3802, JSON.parse],
]);

/** The same parsers, `null` for values that are their texts. */
const exactParser: TypeParsers = (type) => parsers.get(type) ?? null;

/** Each query has its own parsers, because a host can change the parsers of all connections. */
export const exactTypes: PgTypes = { getTypeParser: (type) => parsers.get(type) ?? asText };

/** The part of a `Client` that is used. */
export interface PgClient extends NamingClient {
  query(query: string): Promise<unknown>;
  query(query: PgQuery): Promise<{ rows: unknown[] }>;
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
  release?(broken?: boolean): void;
  getTransactionStatus?(): string | null;
}

/** The part of a `Pool` that is used. */
export interface PgPool {
  readonly totalCount: number;
  readonly idleCount?: number;
  query(query: PgQuery): Promise<{ rows: unknown[] }>;
  connect(lend: (error: Error | undefined, client: PgClient | undefined) => void): void;
}

interface PgQuery {
  readonly text: string;
  readonly values: unknown[];
  readonly rowMode?: 'array';
  readonly types: PgTypes;
  readonly name?: string | undefined;
}

/** The names on plain connections and Knex. */
export const statementNames = new StatementNames(500);

const exactColumns = new ColumnParsers(exactParser);

/** Names of a statement: for a round trip, and for a run by the driver. */
interface Named {
  readonly known?: string | undefined;
  readonly name?: string | undefined;
}

/** Runs a statement, in one round trip without Describe where it has a name. */
function send(
  on: object,
  { text }: StatementText,
  values: readonly unknown[],
  { known, name }: Named,
): Promise<Rows> {
  const trip = oneTrip(on, [{ name: known, text, values }], exactColumns);
  const ordinary = () => {
    const types = exactTypes;
    const query = { text, values: values as unknown[], rowMode: 'array', types, name } as const;
    return (on as PgClient).query(query).then(({ rows }) => rows as Rows);
  };
  return trip ? trip.then((results) => results?.[0] ?? ordinary()) : ordinary();
}

function query(
  target: PgPool | PgClient,
  names: NamedStatements,
  statement: StatementText,
  values: readonly unknown[],
  stop: Stop | undefined,
): Promise<Rows> {
  const { text } = statement;
  const stoppable = stop && families.postgresql.timeLimit.stoppable(target);
  const run = (named: Named) => {
    const on = (client: object) => send(client, statement, values, named);
    return stoppable ? stoppable(stop, () => text, on) : on(target);
  };
  const name = names.nameFor(statement);
  const known = names.known(statement);
  if (known === undefined) return run({});
  return run({ known, name }).catch((error: unknown) => {
    // A failed statement has ended the transaction that it ran in.
    if (!names.isRefusal(error, statement) || isInTransaction(target)) throw error;
    return run({});
  });
}

/** How rows and count run on one connection, in one round trip where both have names. */
function pairs(
  target: PgPool | PgClient,
  names: NamedStatements,
): Required<Pick<SqlExecutor, 'runsBoth' | 'runBoth'>> {
  const stoppable = families.postgresql.timeLimit.stoppable(target);
  return {
    runsBoth: (first, second) => stoppable !== undefined && haveNames(names, first, second),
    runBoth: async (runs, stop) =>
      stoppable &&
      inOneTrip(
        names,
        runs,
        (client, named) => oneTrip(client, named, exactColumns),
        (send) => stoppable(stop, () => runs[0].statement.text, send),
        !isInTransaction(target),
      ),
  };
}

/** Whether a client may be in a transaction; older versions of `pg` do not report it. */
function isInTransaction(target: PgPool | PgClient): boolean {
  if ('totalCount' in target) return false;
  return target.getTransactionStatus?.() !== 'I';
}

/** An executor on a pool: each statement runs on any free connection. */
export function pgPoolExecutor(pool: PgPool, named: boolean | undefined): SqlExecutor {
  const names = new NamedStatements(statementNames, named, lendingOf(pool));
  return {
    family: 'postgresql',
    concurrent: true,
    server: pool,
    stops: families.postgresql.timeLimit.stoppable(pool) !== undefined,
    hasTwoFree: () => (pool.idleCount ?? 2) >= 2,
    ...pairs(pool, names),
    run: (statement, values, stop) => {
      void names.counted();
      return query(pool, names, statement, values, stop);
    },
    transaction: async (body) => {
      const client = await lent<PgClient>(pool, ignore);
      let broken = false;
      try {
        return await between(
          (text) => client.query(text),
          ownTransaction,
          () => body(clientExecutor(client, names, pool)),
        );
      } catch (error) {
        broken = client.getTransactionStatus?.() !== 'I';
        throw error;
      } finally {
        if (!broken) client.off('error', ignore);
        client.release?.(broken);
      }
    },
  };
}

/** The running statement fails with the same error. */
const ignore = (): void => undefined;

/** A savepoint inside the host's transaction, or a transaction where the host has none. */
async function boundsOn(client: PgClient): Promise<Bounds> {
  const status = client.getTransactionStatus?.();
  if (status) return status === 'I' ? ownTransaction : savepoint;
  // Older versions of `pg` do not report the transaction status; outside of a transaction, a savepoint fails without
  // effect.
  return client.query('savepoint sluice; release savepoint sluice').then(
    () => savepoint,
    () => ownTransaction,
  );
}

/** An executor on one connection. While it has an open transaction, other statements wait for its end. */
export function pgClientExecutor(client: PgClient, named: boolean | undefined): SqlExecutor {
  const names = new NamedStatements(statementNames, named, lendingOf(client));
  return clientExecutor(client, names, client);
}

function clientExecutor(client: PgClient, names: NamedStatements, server: object): SqlExecutor {
  let open: Promise<void> | undefined;
  const { runsBoth, runBoth } = pairs(client, names);
  return {
    family: 'postgresql',
    concurrent: false,
    server,
    stops: families.postgresql.timeLimit.stoppable(client) !== undefined,
    runsBoth,
    runBoth: async (...given) => {
      while (open) await open;
      return runBoth(...given);
    },
    run: async (statement, values, stop) => {
      const probe = client === server ? names.counted() : undefined;
      if (probe) await probe;
      while (open) await open;
      return query(client, names, statement, values, stop);
    },
    transaction: async (body) => {
      while (open) await open;
      const running = boundsOn(client).then((bounds) =>
        between(
          (text) => client.query(text),
          bounds,
          () => body(clientExecutor(client, names, server)),
        ),
      );
      open = running.then(ignore, ignore).finally(() => (open = undefined));
      return running;
    },
  };
}
