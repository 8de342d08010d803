/**
 * Runs named statements of `pg` in one round trip: all of them in one write and under one Sync, without Describe and
 * without a result object. Types of columns are known from the first run on the connection, since a prepared statement
 * never changes them. A connection keeps the statements that it used last, and closes others as new ones come.
 */

import { BoundedCache } from '../../../../lib/index.ts';
import type { Rows } from '../../../read/executor.ts';
import type { Stop } from '../../../read/stop.ts';
import { type TypeParsers, simplestParser } from './simplest-parser.ts';
import { type MessageReader, type ReadStream, readerOf } from './message-reader.ts';
import { runMessages } from './messages.ts';
import { StatementColumns, TripResult, WireRows } from './wire-rows.ts';
import { passesOn, tryQuery } from './wrapped-query.ts';

/** A statement with the values of one run. */
export interface NamedRun {
  /** The name under which it is prepared, if any. */
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A run in the form of the protocol. */
interface BoundRun {
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | null)[];
}

type Callback = (error: Error | null, result?: TripResult) => void;

/** The part of a connection of `pg` that is used. */
interface Connection {
  readonly parsedStatements: { [name: string]: string | undefined };
  readonly stream: Stream;
  listenerCount?(event: string): number;
  parse(statement: { readonly name: string; readonly text: string }): void;
  close(part: { readonly type: 'S'; readonly name: string }): void;
  describe(part: { readonly type: 'S'; readonly name: string }): void;
}

/** The part of the connection's socket that is used. */
interface Stream extends ReadStream {
  readonly writable: boolean;
  write(bytes: Uint8Array): unknown;
  cork?(): void;
  uncork?(): void;
}

/** The part of a client of `pg` that is used. */
interface Client {
  readonly connection: Connection;
  query(query: RoundTrip): unknown;
}

/** The messages that the driver does not see while rows are read here, with the number of the client's own listeners. */
const ownListeners = [
  ['message', 0],
  ['bindComplete', 0],
  ['dataRow', 1],
  ['commandComplete', 1],
] as const;

/** Whether others than the client listen to those messages. */
const isWatched = (connection: Connection): boolean =>
  ownListeners.some(([event, own]) => connection.listenerCount?.(event) !== own);

/** The most statements that a connection keeps: the server needs memory for each. */
const mostKept = 500;

/** The statements that a connection keeps. */
interface Kept {
  readonly columns: BoundedCache<string, StatementColumns>;
  /** The names of those that were not used for long, and are still to be closed. */
  readonly left: string[];
}

/** The columns of the statements that connections keep, by name. One per meaning of types. */
export class KnownColumns {
  readonly #parsers: TypeParsers;
  readonly #kept = new WeakMap<object, Kept>();

  constructor(parsers: TypeParsers) {
    this.#parsers = parsers;
  }

  of(connection: object, name: string): StatementColumns | undefined {
    return this.#kept.get(connection)?.columns.get(name);
  }

  learn(
    connection: object,
    name: string,
    fields: readonly { readonly dataTypeID: number }[],
  ): StatementColumns {
    const parsers = fields.map(({ dataTypeID }) =>
      simplestParser(this.#parsers(dataTypeID), dataTypeID),
    );
    const columns = new StatementColumns(parsers);
    const kept = this.#kept.get(connection) ?? { columns: new BoundedCache(mostKept), left: [] };
    this.#kept.set(connection, kept);
    kept.left.push(...kept.columns.set(name, columns));
    return columns;
  }

  /** The names of the statements that the connection is to close, each returned once. */
  takeLeft(connection: object): readonly string[] {
    return this.#kept.get(connection)?.left.splice(0) ?? [];
  }
}

/** Whether the client is the JavaScript client of `pg`, without pipelining and binary results. */
function runsRoundTrips(client: object): client is Client {
  const { connection, pipeline, binary } = client as {
    readonly connection?: Partial<Connection>;
    readonly pipeline?: unknown;
    readonly binary?: unknown;
  };
  return (
    typeof connection?.parsedStatements === 'object' &&
    typeof connection.describe === 'function' &&
    typeof connection.stream?.write === 'function' &&
    !pipeline &&
    !binary
  );
}

/**
 * Runs named statements in this order on a connected client. Returns `undefined`, without an effect, where the client is
 * of another driver, a statement has no name, or the driver writes a value in its own way, and a promise of `undefined`
 * where a wrapper of the client's `query` has lost the query object, which it is asked once. Rows are arrays, or unread
 * where `stop` takes them so.
 */
export function oneTrip(
  client: object,
  runs: readonly NamedRun[],
  columns: KnownColumns,
  stop?: Stop,
): Promise<readonly Rows[] | undefined> | undefined {
  if (!runsRoundTrips(client)) return undefined;
  const bound: BoundRun[] = [];
  for (const { name, text, values } of runs) {
    const texts = name === undefined ? undefined : protocolValues(values);
    if (name === undefined || !texts) return undefined;
    bound.push({ name, text, values: texts });
  }
  const { query } = client;
  const passed = passesOn(query);
  if (passed === false || (passed === undefined && runs.length > 1)) return undefined;
  return new Promise((resolve, reject) => {
    const trip = new RoundTrip(bound, columns, stop?.takesUnread ?? false, (error, result) => {
      if (error) reject(error);
      else resolve(result?.results as readonly Rows[] | undefined);
    });
    if (passed) client.query(trip);
    else tryQuery(query, trip, () => client.query(trip), resolve, reject);
  });
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
  readonly #columns: KnownColumns;
  readonly #isUnread: boolean;
  /** The columns of each statement, where they are known. */
  readonly #described: StatementColumns[] = [];
  /** The rows of each statement so far. */
  readonly #results: (WireRows | unknown[][])[];
  /** Indexes of the statements whose columns the server is to describe. */
  readonly #asked: number[] = [];
  /** Set where the object has reached the driver. */
  #connection: Connection | undefined;
  #reader: MessageReader | undefined;
  /** The statement whose rows arrive. */
  #at = 0;
  #failure: Error | undefined;

  constructor(
    runs: readonly BoundRun[],
    columns: KnownColumns,
    isUnread: boolean,
    callback: Callback,
  ) {
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
    this.#columns = columns;
    this.#isUnread = isUnread;
    this.#results = runs.map(() => []);
    this.callback = callback;
  }

  /** Whether the driver has received this object, not a copy of its properties. */
  get isSubmitted(): boolean {
    return this.#connection !== undefined;
  }

  /** Sends all messages in one write; returns an error instead of throwing it. */
  submit(connection: Connection): Error | null {
    const { parsedStatements, stream } = connection;
    this.#connection = connection;
    const isOther = ({ name, text }: BoundRun) => (parsedStatements[name] ?? text) !== text;
    if (this.#runs.some(isOther)) return new Error('Another statement has the same name.');
    for (const [index, { name }] of this.#runs.entries()) {
      const known = this.#columns.of(connection, name);
      if (known && parsedStatements[name] !== undefined) this.#described[index] = known;
      else this.#asked.push(index);
    }
    const bytes = runMessages(this.#runs);
    this.#reader = readerOf(stream);
    if (this.#asked.length === 0) {
      if (!isWatched(connection)) this.#reader?.begin(this);
      // As the driver does: on a socket that is not writable, the error of the connection follows.
      if (stream.writable) stream.write(bytes);
      return null;
    }
    stream.cork?.();
    try {
      // Before the others, since a statement may have come back meanwhile.
      for (const name of this.#columns.takeLeft(connection)) {
        connection.close({ type: 'S', name });
        delete parsedStatements[name];
      }
      for (const index of this.#asked) {
        const { name, text } = this.#runs[index] as BoundRun;
        if (parsedStatements[name] === undefined) connection.parse({ name, text });
        connection.describe({ type: 'S', name });
      }
      if (stream.writable) stream.write(bytes);
    } finally {
      stream.uncork?.();
    }
    return null;
  }

  /** Describes the next of the statements that were asked about, which the server has prepared. */
  handleRowDescription({ fields }: { readonly fields: { readonly dataTypeID: number }[] }): void {
    const index = this.#asked.shift();
    const run = index === undefined ? undefined : this.#runs[index];
    const connection = this.#connection;
    if (index === undefined || !run || !connection) return;
    connection.parsedStatements[run.name] = run.text;
    this.#described[index] = this.#columns.learn(connection, run.name, fields);
  }

  takeRow(bytes: Buffer, begin: number, end: number): void {
    const rows = this.#results[this.#at];
    if (rows instanceof WireRows) rows.add(bytes, begin, end);
    else this.#results[this.#at] = this.#unread(bytes, begin, end);
  }

  /** The rows of a statement, of which these bytes are the first. */
  #unread(bytes: Buffer, begin: number, end: number): WireRows {
    const rows = new WireRows(this.#described[this.#at] as StatementColumns);
    rows.add(bytes, begin, end);
    return rows;
  }

  /** Takes a row that the driver has read. */
  handleDataRow({ fields }: { readonly fields: unknown[] }): void {
    if (this.#failure) return;
    const { parsers } = this.#described[this.#at] as StatementColumns;
    try {
      const rows = this.#results[this.#at];
      // Rows before it were taken, until the bounds of messages were lost.
      if (rows instanceof WireRows) this.#results[this.#at] = rows.rows();
      for (let index = 0; index < fields.length; index += 1) {
        const text = fields[index];
        const parse = parsers[index];
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
    this.#reader?.ended();
    const results = this.#failure ? undefined : this.#read();
    if (results) this.callback(null, new TripResult(results));
    else this.callback(this.#failure ?? null);
  }

  /** The rows in the form that is wanted; `undefined` with a failure. */
  #read(): readonly (WireRows | Rows)[] | undefined {
    if (this.#isUnread) return this.#results;
    try {
      return this.#results.map((rows) => (rows instanceof WireRows ? rows.rows() : rows));
    } catch (error) {
      this.#failure = error as Error;
      return undefined;
    }
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
function arrayText(values: readonly unknown[]): string {
  const items = values.map((value) =>
    value === null ? 'NULL' : `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`,
  );
  return `{${items.join(',')}}`;
}
