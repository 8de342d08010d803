/** Caches prepared statements per session, shared by all sources of a registry and its tables. */

import type { SchemaRegistry } from '../../schema/index.ts';
import {
  ColumnParsers,
  type NamedRun,
  NamedStatements,
  type Rows,
  type RunPair,
  type RunStoppable,
  type SourceDescription,
  StatementNames,
  type StatementText,
  type Stop,
  haveNames,
  inOneTrip,
  lendingOf,
  oneTrip,
} from '../../relational/index.ts';
import { type DrizzleHandle, type PreparedStatement, prepareIn, sessionOf } from './foreign.ts';
import { connectionBehind, isPooled, isTransaction } from './session.ts';

interface Usage {
  name: string | undefined;
  /** The session that ran the statement last, and the statement prepared there. */
  session: object | undefined;
  prepared: PreparedStatement | undefined;
}

/** A description with the prepared statements of its sources. */
export class StatementCache {
  readonly describe: SourceDescription;
  readonly #usage = new WeakMap<StatementText, Usage>();
  readonly #names: StatementNames | undefined;
  readonly #setting: boolean | undefined;
  /** Columns of statements that run past Drizzle's own objects; by the parsers of the session. */
  #columns: ColumnParsers | undefined;
  /** By connection or pool. */
  readonly #named = new WeakMap<object, NamedStatements>();

  /** `namedStatements` is the setting of the host. */
  constructor(describe: SourceDescription, namedStatements: boolean | undefined) {
    this.describe = describe;
    this.#setting = namedStatements;
    const { dialect } = describe.context;
    this.#names = dialect.namedStatements ? new StatementNames(250) : undefined;
  }

  /**
   * Runs a statement in the handle's session, prepared under a name where that is of use. `send` receives a function
   * that runs it, on a client of its own where the statement can be ended.
   */
  run(
    handle: DrizzleHandle,
    statement: StatementText,
    values: readonly unknown[],
    send: (run: (client?: object) => Promise<Rows> | Rows) => Promise<Rows> | Rows,
  ): Promise<Rows> | Rows {
    const names = this.#namedOn(handle);
    const name = names?.nameFor(statement);
    const known = names?.known(statement);
    const prepared = this.#prepared(handle, statement, name);
    const on = (client?: object) =>
      (client &&
        this.#trip([prepared], client, [{ name: known, text: statement.text, values }])?.then(
          (results) => results?.[0] ?? prepared.run(values, client),
        )) ??
      prepared.run(values, client);
    if (!names) return send(on);
    const run = () => {
      if (known === undefined) return send(on);
      return Promise.resolve(send(on)).catch((error: unknown) => {
        // A failed statement has ended the transaction that it ran in.
        if (!names.isRefusal(error, statement) || isTransaction(handle)) throw error;
        const unnamed = this.#prepared(handle, statement, undefined);
        return send((client) => unnamed.run(values, client));
      });
    };
    const probe = names.counted();
    // Only a pool has another connection for the probe.
    return probe && !isPooled(handle) ? probe.then(run) : run();
  }

  /** Whether `runBoth` would run these statements in one round trip. */
  runsBoth(handle: DrizzleHandle, first: StatementText, second: StatementText): boolean {
    return haveNames(this.#namedOn(handle), first, second);
  }

  /** Runs two named statements in one round trip; `undefined` where they are to run one after the other. */
  async runBoth(
    handle: DrizzleHandle,
    runs: RunPair,
    stoppable: RunStoppable,
    stop: Stop,
  ): Promise<readonly [Rows, Rows] | undefined> {
    const names = this.#namedOn(handle);
    if (!names) return undefined;
    const prepared = runs.map(({ statement }) =>
      this.#prepared(handle, statement, names.nameFor(statement)),
    );
    return inOneTrip(
      names,
      runs,
      (client, named) => this.#trip(prepared, client, named),
      (send) => stoppable(stop, () => runs[0].statement.text, send),
      !isTransaction(handle),
    );
  }

  /** Runs named statements in one round trip; `undefined` for sessions of other drivers. */
  #trip(
    prepared: readonly PreparedStatement[],
    client: object,
    runs: readonly NamedRun[],
  ): Promise<readonly Rows[] | undefined> | undefined {
    const columns = prepared[0] && this.#columnsOf(prepared[0]);
    const trip = columns && oneTrip(client, runs, columns);
    if (trip) for (const [index, { values }] of runs.entries()) prepared[index]?.log?.(values);
    return trip;
  }

  #columnsOf({ parsers }: PreparedStatement): ColumnParsers | undefined {
    if (parsers) this.#columns ??= new ColumnParsers(parsers);
    return parsers && this.#columns;
  }

  #namedOn(handle: DrizzleHandle): NamedStatements | undefined {
    if (!this.#names) return undefined;
    const connection = connectionBehind(handle);
    let named = this.#named.get(connection);
    if (!named) {
      named = new NamedStatements(this.#names, this.#setting, lendingOf(connection));
      this.#named.set(connection, named);
    }
    return named;
  }

  /** The statement prepared in the handle's session. */
  #prepared(
    handle: DrizzleHandle,
    statement: StatementText,
    name: string | undefined,
  ): PreparedStatement {
    let usage = this.#usage.get(statement);
    if (!usage) {
      usage = { name: undefined, session: undefined, prepared: undefined };
      this.#usage.set(statement, usage);
    }
    const isPrepared = usage.session === sessionOf(handle) && usage.name === name;
    if (usage.prepared && isPrepared) return usage.prepared;
    const { family } = this.describe.context.dialect;
    const { text, slots } = statement;
    usage.name = name;
    usage.prepared = prepareIn(handle, family, text, slots.length, name);
    usage.session = sessionOf(handle);
    return usage.prepared;
  }
}

/** All that the statements of a registry depend on: tables and relations by name, and the settings of the database. */
interface CacheKey {
  readonly tables: object;
  readonly relations: object;
  readonly settings: object;
}

const caches = new WeakMap<
  SchemaRegistry,
  { readonly key: CacheKey; readonly cache: StatementCache }[]
>();

/** The cache of a registry and its tables; sources made per request share it. */
export function statementCache(
  registry: SchemaRegistry,
  key: CacheKey,
  make: () => StatementCache,
): StatementCache {
  let entries = caches.get(registry);
  if (!entries) {
    entries = [];
    caches.set(registry, entries);
  }
  const found = entries.find((entry) =>
    (['tables', 'relations', 'settings'] as const).every((part) =>
      hasSameMembers(entry.key[part], key[part]),
    ),
  );
  if (found) return found.cache;
  const cache = make();
  entries.push({ key, cache });
  // Limits the entries of a host that creates tables per request.
  if (entries.length > 20) entries.shift();
  return cache;
}

function hasSameMembers(left: object, right: object): boolean {
  const a = left as { readonly [key: string]: unknown };
  const b = right as { readonly [key: string]: unknown };
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
