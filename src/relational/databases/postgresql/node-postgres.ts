/** Ends statements of `pg` by the cancel request of PostgreSQL's protocol, which has a socket of its own. */

import { sqlState } from '../../../lib/index.ts';
import { configurationError } from '../../../schema/index.ts';
import { type RunStoppable, inTurn } from '../../read/stop.ts';

/** The part of a `Client` that is used. */
interface Client {
  readonly processID: number | null;
  readonly secretKey: unknown;
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
  readonly sslNegotiation?: string;
  readonly connection: Connection;
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
  release?(error?: unknown): void;
  end(ended: () => void): void;
  /** Statements that were sent before their predecessors ended. */
  readonly _sentQueryQueue?: { readonly length: number };
  _getActiveQuery?(): ActiveQuery | null;
  /** Where `_getActiveQuery` does not exist. */
  readonly activeQuery?: ActiveQuery | null;
}

interface ActiveQuery {
  readonly text?: string | undefined;
}

/** The part of a `Client`'s connection that is used. */
interface Connection {
  readonly stream: { pause(): void; resume(): void; destroy(): void };
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: unknown): void;
  once(event: 'connect' | 'sslconnect' | 'end', listener: () => void): unknown;
  on(event: 'error', listener: () => void): unknown;
}

/** The part of a `Pool` that is used. */
interface Pool {
  readonly totalCount: number;
  readonly query?: unknown;
  readonly options?: { readonly stream?: unknown };
  connect(lend: (error: Error | undefined, client: Client | undefined) => void): void;
}

/** Milliseconds after which a server that does not answer a cancel request is given up. */
const patienceMs = 5000;

const ignore = (): void => undefined;

/** How statements run on a pool or a client of `pg`; `undefined` for other objects. */
export function stoppablePg(target: object): RunStoppable | undefined {
  refuseBinary(target);
  if ('totalCount' in target && 'connect' in target) {
    return replacesQuery(target as Pool) ? throughQuery(target) : onPool(target as Pool);
  }
  return 'secretKey' in target && 'connection' in target ? onClient(target as Client) : undefined;
}

/** Refuses the driver's `binary`, which changes the texts of values and cannot be set for a single statement. */
function refuseBinary(target: { readonly binary?: unknown; readonly options?: unknown }): void {
  const { binary } = (target.options as { readonly binary?: unknown } | undefined) ?? target;
  if (!binary) return;
  throw configurationError(
    'The connection of a source must not have the option "binary" of "pg".',
    {
      option: 'binary',
    },
  );
}

/**
 * Whether the host has replaced `query` of the pool, and not `connect`: a statement on an acquired client would go past
 * what it does there, such as setting a role.
 */
function replacesQuery(pool: Pool): boolean {
  let base: Pool | undefined;
  for (let at: unknown = pool; at; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, 'query') && Object.hasOwn(at, 'connect')) base = at as Pool;
  }
  return base !== undefined && pool.query !== base.query && pool.connect === base.connect;
}

/** Statements run through `query` of the pool, which tells no client to which a cancel request could be sent. */
function throughQuery(pool: object): RunStoppable {
  return (stop, _text, statement) =>
    stop.during(
      async () => undefined,
      () => statement(pool),
    );
}

/** Each statement runs on a client that is acquired for it, as with the pool's own `query`. */
function onPool(pool: Pool): RunStoppable {
  const { stream } = pool.options ?? {};
  return (stop, text, statement) =>
    new Promise((resolve, reject) => {
      pool.connect((error, client) => {
        if (!client) {
          reject(noConnection(error));
          return;
        }
        // As in `lent`.
        client.on('error', ignore);
        let hasBegun = false;
        const giveBack = (failure?: unknown): void => {
          client.off('error', ignore);
          // A canceled statement leaves its connection usable, and so does one that never began. The pool closes
          // connections after other errors.
          const isUsable = !hasBegun || !failure || sqlState(failure) === queryCanceled;
          client.release?.(isUsable ? undefined : failure);
        };
        stop
          .during(
            () => cancel(client, text, stream),
            () => {
              hasBegun = true;
              return statement(client);
            },
          )
          .then(
            (result) => {
              giveBack();
              resolve(result);
            },
            (failure: Error) => {
              giveBack(failure);
              reject(failure);
            },
          );
      });
    });
}

const noConnection = (error: Error | undefined): Error =>
  error ?? new Error('The pool returned no connection.');

const queryCanceled = '57014';

function onClient(client: Client): RunStoppable {
  return (stop, text, statement) =>
    inTurn(client, async () => {
      try {
        return await stop.during(
          () => cancel(client, text),
          () => statement(client),
        );
      } catch (error) {
        // The server closes the connection. A pool must not lend it until that is noticed.
        if (endsConnection.has(sqlState(error))) client.end(ignore);
        throw error;
      }
    });
}

/** Shutdown, crash, a dropped database, an idle session and an idle transaction. */
const endsConnection = new Set<string | undefined>(['57P01', '57P02', '57P04', '57P05', '25P03']);

/**
 * Acquires a connection of the pool with an error listener. The pool listens to idle connections only: a connection
 * that breaks after it was acquired would end the process, even in the same chunk of data that made it ready, before a
 * promise settles.
 */
export function lent<C extends Pick<Client, 'on'>>(pool: {
  connect(lend: (error: Error | undefined, client: C | undefined) => void): void;
}): Promise<C> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      client?.on('error', ignore);
      if (client) resolve(client);
      else reject(noConnection(error));
    });
  });
}

/** The part of a client's emitter that is used. */
interface Emitter {
  on(event: 'error', listener: () => void): unknown;
  listeners(event: 'error'): readonly unknown[];
}

/**
 * Listens to the errors of connections that the pool lends to a library which does so itself only after a promise has
 * settled: a connection that breaks in between would end the process. Statements on it fail with the same error.
 */
export function guardLent(pool: object): void {
  const { on } = pool as { on?(event: 'acquire', listener: (client: Emitter) => void): unknown };
  on?.call(pool, 'acquire', (client) => {
    if (!client.listeners('error').includes(ignore)) client.on('error', ignore);
  });
}

/**
 * Cancels the client's statement. Until the server has closed the socket of the request, nothing is read from the
 * client's socket: no other statement can begin there, so none is canceled.
 */
async function cancel(client: Client, text: () => string, ownStream?: unknown): Promise<void> {
  const active = client._getActiveQuery ? client._getActiveQuery() : client.activeQuery;
  // Instrumentation writes comments in front of a statement.
  if (!active?.text?.includes(text()) || client._sentQueryQueue?.length) return;
  const { stream } = client.connection;
  stream.pause();
  try {
    await cancelRequest(client, ownStream);
  } finally {
    stream.resume();
  }
}

/** Sends a cancel request with the client's address and TLS settings, and waits until the server closes the socket. */
function cancelRequest(client: Client, stream: unknown): Promise<void> {
  const { processID, secretKey, host, port, ssl, sslNegotiation, connection } = client;
  if (processID === null) return Promise.resolve();
  const Request = connection.constructor as new (options: object) => Connection;
  const request = new Request({
    ssl,
    sslNegotiation,
    ...(typeof stream === 'function' && { stream }),
  });
  return new Promise((resolve) => {
    let isSent = false;
    const send = () => {
      isSent = true;
      request.cancel(processID, secretKey);
    };
    const timer = setTimeout(() => {
      request.stream.destroy();
      // The request may still arrive, and must not find another statement.
      if (isSent) connection.stream.destroy();
      resolve();
    }, patienceMs);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    request.once('connect', () => {
      if (!ssl) send();
      else if (sslNegotiation !== 'direct') request.requestSsl();
    });
    request.once('sslconnect', send);
    request.once('end', finish);
    request.on('error', finish);
    if (host.startsWith('/')) request.connect(`${host}/.s.PGSQL.${port}`);
    else request.connect(port, host);
  });
}
