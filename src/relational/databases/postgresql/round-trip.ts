/**
 * Runs named statements of `pg` in one round trip, as a query object that the client submits: all of them under one Sync,
 * and without Describe, since the types of their columns are known from the first run on the connection. Those that are
 * planned for their values are prepared and described at each run, without a name. A connection keeps the others that it
 * used last, and closes some as new ones come. The driver takes query objects by their
 * methods, which a wrapper of `query` loses when it copies their properties, and returns them, where a wrapper, as hosts
 * and instrumentation install them, may expect a promise.
 */

import { BoundedCache, oncePer, isThenable } from '../../../lib/index.ts';
import type { Rows } from '../../read/executor.ts';
import { isBinary } from './foreign.ts';

/** A statement with the values of one run. */
export interface NamedRun {
  /** Its name, which `once` ends where the server does not keep it; `undefined` where it has none. */
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Ends the names of statements that the server plans at each run, for its values, and does not keep. */
export const once = '_once';

/** A run in the form of the protocol. */
interface BoundRun {
  readonly name: string;
  /** The name under which the server keeps it; empty for none. */
  readonly kept: string;
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** Converts the text of a value; `null` where it stays as it is. */
type ParseText = ((text: string) => unknown) | null;

/** Gives the parser of a type by its OID. */
export type TypeParsers = (oid: number) => ParseText;

type Columns = readonly ParseText[];

type Callback = (error: Error | null, result?: TripResult) => void;

/** The connection that a client passes to the query objects that it submits. */
interface Connection {
  /** Joins the messages into one write. */
  readonly stream?: { cork?(): void; uncork?(): void };
  parse(statement: { readonly name: string; readonly text: string }): void;
  describe(part: { readonly type: 'S'; readonly name: string }): void;
  bind(run: { readonly statement: string; readonly values: readonly (string | null)[] }): void;
  execute(portal: object): void;
  close(part: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
}

/** The part of a client of `pg` that is used. */
interface Client {
  query(query: RoundTrip): unknown;
}

/** The most statements that a connection keeps: the server needs memory for each. */
const mostKept = 500;

/** The statements that a connection keeps. */
interface Kept {
  /** The types of their columns, by name. */
  readonly types: BoundedCache<string, readonly number[]>;
  /** The names of those that were not used for long, and are still to be closed. */
  readonly left: string[];
}

const keptBy = oncePer((_connection: object): Kept => ({
  types: new BoundedCache(mostKept),
  left: [],
}));

/** The parsers of columns, one object per meaning of types. */
export class ColumnParsers {
  /** The parsers of a statement's columns, of which these are the types. */
  readonly of: (types: readonly number[]) => Columns;

  constructor(parsers: TypeParsers) {
    this.of = oncePer((types) => types.map((oid) => parsers(oid)));
  }
}

/** Whether the client is the JavaScript client of `pg`, without pipelining and binary results. */
function runsRoundTrips(client: object): client is Client {
  const { connection, pipeline } = client as {
    readonly connection?: Partial<Connection>;
    readonly pipeline?: unknown;
  };
  return typeof connection?.describe === 'function' && !pipeline && !isBinary(client);
}

/**
 * Runs named statements in this order on a connected client. Returns `undefined`, without an effect, where the client is
 * of another driver, a statement has no name, or the driver writes a value in its own way, and a promise of `undefined`
 * where a wrapper of the client's `query` has lost the query object, which it is asked once. Rows are arrays.
 */
export function oneTrip(
  client: object,
  runs: readonly NamedRun[],
  parsers: ColumnParsers,
): Promise<readonly Rows[] | undefined> | undefined {
  if (!runsRoundTrips(client)) return undefined;
  const bound: BoundRun[] = [];
  for (const { name, text, values } of runs) {
    const texts = name === undefined ? undefined : protocolValues(values);
    if (name === undefined || !texts) return undefined;
    // The driver prepares the same statement under the name itself where it runs it.
    const own = `${name}_trip`;
    bound.push({ name: own, kept: name.endsWith(once) ? '' : own, text, values: texts });
  }
  const { query } = client;
  const passed = passesOn(query);
  // The driver would keep a statement under its name where a wrapper of one client copies the query object.
  const isRisky = Object.hasOwn(client, 'query') && bound.some(({ kept }) => kept === '');
  if (passed === false || (passed === undefined && (runs.length > 1 || isRisky))) return undefined;
  return new Promise((resolve, reject) => {
    const trip = new RoundTrip(bound, parsers, (error, result) => {
      if (error) reject(error);
      else resolve(result?.results);
    });
    if (passed) client.query(trip);
    else tryQuery(query, trip, () => client.query(trip), resolve, reject);
  });
}

/** The results of a round trip. Instrumentation reads `rows` and `rowCount`, as of a result of the driver. */
class TripResult {
  readonly results: readonly Rows[];

  constructor(results: readonly Rows[]) {
    this.results = results;
  }

  get rows(): Rows {
    return this.results[0] ?? [];
  }

  get rowCount(): number {
    return this.rows.length;
  }
}

/** A query object, which `pg` submits when the connection is free and to which it passes the messages of the server. */
class RoundTrip {
  /** Instrumentation and cancel requests read the texts and values here. */
  readonly text: string;
  readonly values: readonly unknown[];
  /** Instrumentation adds comments to the texts of objects without a name, and loses their methods. */
  readonly name: string;
  /** Set anew by instrumentation and by `query_timeout`. */
  callback: Callback;
  readonly #runs: readonly BoundRun[];
  readonly #parsers: ColumnParsers;
  /** The columns of each statement, where they are known. */
  readonly #described: Columns[] = [];
  /** The rows of each statement so far. */
  readonly #results: unknown[][][];
  /** Indexes of the statements whose columns the server is to describe. */
  readonly #asked: number[] = [];
  /** Set where the object has reached the driver. */
  #connection: Connection | undefined;
  /** The statement whose rows arrive. */
  #at = 0;
  #failure: Error | undefined;

  constructor(runs: readonly BoundRun[], parsers: ColumnParsers, callback: Callback) {
    const [first, ...others] = runs as readonly [BoundRun, ...BoundRun[]];
    let { text, values, name } = first;
    for (const other of others) {
      text += `;\n${other.text}`;
      values = values.concat(other.values);
      name += `+${other.name}`;
    }
    this.text = text;
    this.values = values;
    this.name = name;
    this.#runs = runs;
    this.#parsers = parsers;
    this.#results = runs.map(() => []);
    this.callback = callback;
  }

  /** Whether the driver has received this object, not a copy of its properties. */
  get isSubmitted(): boolean {
    return this.#connection !== undefined;
  }

  /** Sends all messages; returns an error instead of throwing it. */
  submit(connection: Connection): Error | null {
    const { stream } = connection;
    const { types, left } = keptBy(connection);
    this.#connection = connection;
    stream?.cork?.();
    try {
      // Before the others, since a statement may have come back meanwhile.
      for (const name of left.splice(0)) connection.close({ type: 'S', name });
      for (const [index, { kept: name, text, values }] of this.#runs.entries()) {
        const known = types.get(name);
        if (known) this.#described[index] = this.#parsers.of(known);
        else {
          this.#asked.push(index);
          connection.parse({ name, text });
          connection.describe({ type: 'S', name });
        }
        connection.bind({ statement: name, values });
        connection.execute({});
      }
      connection.sync();
    } finally {
      stream?.uncork?.();
    }
    return null;
  }

  /** Describes the next of the statements that were asked about, which the server has prepared. */
  handleRowDescription({ fields }: { readonly fields: { readonly dataTypeID: number }[] }): void {
    const index = this.#asked.shift();
    const run = index === undefined ? undefined : this.#runs[index];
    if (index === undefined || !run || !this.#connection) return;
    const described = fields.map(({ dataTypeID }) => dataTypeID);
    const { types, left } = keptBy(this.#connection);
    if (run.kept) left.push(...types.set(run.kept, described));
    this.#described[index] = this.#parsers.of(described);
  }

  handleDataRow({ fields }: { readonly fields: unknown[] }): void {
    if (this.#failure) return;
    const columns = this.#described[this.#at] as Columns;
    try {
      for (let index = 0; index < fields.length; index += 1) {
        const text = fields[index];
        const parse = columns[index];
        if (text !== null && parse) fields[index] = parse(text as string);
      }
    } catch (error) {
      this.#failure = error as Error;
      return;
    }
    (this.#results[this.#at] as unknown[][]).push(fields);
  }

  handleCommandComplete(): void {
    this.#at += 1;
  }

  handleError(error: Error): void {
    this.callback(this.#failure ?? error);
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.callback(this.#failure);
    else this.callback(null, new TripResult(this.#results));
  }
}

const plainTypes: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'bigint']);

const isPlain = (value: unknown): boolean => value === null || plainTypes.has(typeof value);

/** The most values of a Bind message, which counts them in 16 bits. */
const maxValues = 65_535;

/**
 * Values as texts of the protocol; `undefined` where one is of a type that the driver writes in its own way, such as
 * bytes and dates.
 */
function protocolValues(values: readonly unknown[]): (string | null)[] | undefined {
  const texts: (string | null)[] = [];
  if (values.length > maxValues) return undefined;
  for (const value of values) {
    if (typeof value === 'string') texts.push(value);
    else if (value === null || value === undefined) texts.push(null);
    else if (isPlain(value)) texts.push(String(value));
    else if (Array.isArray(value) && value.every(isPlain)) texts.push(arrayText(value));
    else return undefined;
  }
  return texts;
}

/** An array of plain values in PostgreSQL's notation. */
export function arrayText(values: readonly unknown[]): string {
  const items = values.map((value) =>
    value === null ? 'NULL' : `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`,
  );
  return `{${items.join(',')}}`;
}

/** A query object. */
interface QueryObject<Result> {
  /** Whether the driver has received this object, not a copy of its properties. */
  readonly isSubmitted: boolean;
  callback: (error: Error | null, result?: Result) => void;
}

/** Whether functions pass query objects on. */
const known = new WeakMap<object, boolean>();

/** Whether a function passes query objects on, as that of the driver does; `undefined` until one was tried. */
const passesOn = (query: object): boolean | undefined => known.get(query);

/**
 * Sends a query object through a function that is not known. `lost` is called without a result where the function has
 * lost the object; otherwise the callback of the object tells its end.
 */
function tryQuery<Result>(
  wrapper: object,
  query: QueryObject<Result>,
  send: () => unknown,
  lost: (nothing: undefined) => void,
  fail: (error: unknown) => void,
): void {
  const { callback } = query;
  query.callback = (error, result) => {
    if (query.isSubmitted && !known.has(wrapper)) known.set(wrapper, true);
    // A copy of the properties is a query of its own, and has this callback.
    if (query.isSubmitted || error) callback(error, result);
    else notPassed();
  };
  const notPassed = (): void => {
    known.set(wrapper, false);
    lost(undefined);
  };
  let returned: unknown;
  try {
    returned = send();
  } catch {
    // A wrapper that expects a promise throws when the object was sent already; its callback follows then.
    known.set(wrapper, false);
    if (!query.isSubmitted) lost(undefined);
    return;
  }
  if (!isThenable(returned)) return;
  returned.then(
    (value) => {
      if (value !== query && !query.isSubmitted) notPassed();
    },
    (error: unknown) => {
      if (!query.isSubmitted) fail(error);
    },
  );
}
