/** Ends statements of `pg` by the cancel request of PostgreSQL's protocol, which has a socket of its own. */

import { sqlState } from '../../../lib/index.ts';
import { configurationError } from '../../../schema/index.ts';
import {
  type CancelableClient,
  cancelRequest,
  isBinary,
  isCancelable,
  runsAlone,
} from './foreign.ts';
import { inTurn, type RunStoppable } from '../../read/execution.ts';

/** The part of a `Client` that is used. */
interface Client {
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
  release?(error?: unknown): void;
  end(ended: () => void): void;
}

/** The part of a `Pool` that is used. */
interface Pool {
  readonly totalCount: number;
  readonly query?: unknown;
  readonly options?: { readonly stream?: unknown };
  connect(lend: (error: Error | undefined, client: Client | undefined) => void): void;
}

const ignore = (): void => undefined;
const uncancelable = async (): Promise<void> => undefined;

/** How statements run on a pool or a client of `pg`; `undefined` for other objects. */
export function stoppablePg(target: object): RunStoppable | undefined {
  refuseBinary(target);
  if ('totalCount' in target && 'connect' in target) {
    return replacesQuery(target as Pool) ? throughQuery(target) : onPool(target as Pool);
  }
  return 'connection' in target && isCancelable(target)
    ? onClient(target as CancelableClient & Client)
    : undefined;
}

/** Refuses the driver's `binary`, which changes the texts of values and cannot be set for a single statement. */
function refuseBinary(target: object): void {
  if (!isBinary(target)) return;
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
  return (stop, _text, statement) => stop.during(uncancelable, () => statement(pool));
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
        const end = isCancelable(client) ? () => cancel(client, text, stream) : uncancelable;
        let hasBegun = false;
        const giveBack = (failure?: unknown): void => {
          client.off('error', ignore);
          // A canceled statement leaves its connection usable, and so does one that never began. The pool closes
          // connections after other errors.
          const isUsable = !hasBegun || !failure || sqlState(failure) === queryCanceled;
          client.release?.(isUsable ? undefined : failure);
        };
        stop
          .during(end, () => {
            hasBegun = true;
            return statement(client);
          })
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

function onClient(client: CancelableClient & Client): RunStoppable {
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
 * Acquires a connection of the pool with an error listener, which the caller takes off before it gives the connection
 * back. The pool listens to idle connections only: a connection that breaks after it was acquired would end the process,
 * even in the same chunk of data that made it ready, before a promise settles.
 */
export function lent<C extends Pick<Client, 'on'>>(
  pool: { connect(lend: (error: Error | undefined, client: C | undefined) => void): void },
  listener: () => void,
): Promise<C> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      client?.on('error', listener);
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
async function cancel(
  client: CancelableClient,
  text: () => string,
  ownStream?: unknown,
): Promise<void> {
  if (!runsAlone(client, text())) return;
  const { stream } = client.connection;
  stream.pause();
  try {
    await cancelRequest(client, ownStream);
  } finally {
    stream.resume();
  }
}
