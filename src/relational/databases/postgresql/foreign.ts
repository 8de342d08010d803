/**
 * The members of `pg` that neither its types nor its documents name, as 8.11 to 8.23 have them. Without those of cancel
 * requests, the server does not end statements; without `processID`, statements run without names; without
 * `getStartupConf`, a board reads in transactions. The methods of a query object are in `round-trip.ts`.
 */

import { notInEffect } from '../../../lib/index.ts';

/** A client with the members of cancel requests. */
interface Canceling {
  readonly processID?: number | null;
  readonly secretKey?: unknown;
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
  readonly sslNegotiation?: string;
  readonly connection?: Partial<Connection>;
  /** Statements that were sent before their predecessors ended. */
  readonly _sentQueryQueue?: { readonly length: number };
  _getActiveQuery?(): ActiveQuery | null;
  /** Where `_getActiveQuery` does not exist. */
  readonly activeQuery?: ActiveQuery | null;
}

interface ActiveQuery {
  readonly text?: string | undefined;
}

/** A connection, which a client has and a cancel request needs. */
interface Connection {
  readonly stream: { pause(): void; resume(): void; destroy(): void };
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: unknown): void;
  once(event: 'connect' | 'sslconnect' | 'end', listener: () => void): unknown;
  on(event: 'error', listener: () => void): unknown;
}

/** A client that can send a cancel request. */
export type CancelableClient = Canceling & { readonly connection: Connection };

/** Whether cancel requests can be sent for a client. */
export function isCancelable(client: object): client is CancelableClient {
  const { connection } = client as Canceling;
  // `activeQuery` is set with the first answer of the server, in the versions that have `queryQueue`.
  const knowsStatement = '_getActiveQuery' in client || 'queryQueue' in client;
  // Neon's driver has a stream without `pause`: another statement could begin before the request arrives.
  const canWait = typeof connection?.stream?.pause === 'function';
  if (knowsStatement && canWait && 'secretKey' in client && typeof connection.cancel === 'function')
    return true;
  notInEffect(
    'the running statement and the cancel request of a client of "pg"',
    'the server does not end the statements of requests that are late or aborted',
  );
  return false;
}

/** Whether the client runs a statement with this text, and nothing was sent behind it. */
export function runsAlone(client: CancelableClient, text: string): boolean {
  const active = client._getActiveQuery ? client._getActiveQuery() : client.activeQuery;
  // Instrumentation writes comments in front of a statement.
  return active?.text?.includes(text) === true && !client._sentQueryQueue?.length;
}

/** Milliseconds after which a server that does not answer a cancel request is given up. */
const patienceMs = 5000;

/** Sends a cancel request with the client's address and TLS settings, and waits until the server closes the socket. */
export function cancelRequest(client: CancelableClient, stream: unknown): Promise<void> {
  const { processID, secretKey, host, port, ssl, sslNegotiation, connection } = client;
  if (typeof processID !== 'number') return Promise.resolve();
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

/** The server's process, as the server or a pooler reported it at login. */
export function processOf(client: object): number | null | undefined {
  const { processID } = client as Canceling;
  if (processID === undefined) {
    notInEffect('the process of a client of "pg"', 'statements are not prepared under a name');
  }
  return processID;
}

/** Whether a pool or a client has the option `binary`. */
export function isBinary(target: object): boolean {
  const { binary, options } = target as {
    readonly binary?: unknown;
    readonly options?: { readonly binary?: unknown };
  };
  return Boolean((options ?? { binary }).binary);
}

/** A client with the method that returns its startup parameters. */
interface Starting {
  getStartupConf?(): object;
}

/** Adds startup parameters to those of a client. */
export function addStartup(client: object, parameters: object): void {
  const starting = client as Starting;
  const own = starting.getStartupConf?.bind(client);
  starting.getStartupConf = () => ({ ...own?.(), ...parameters });
}

/** Whether clients of a class take further startup parameters. */
export const takesStartup = ({ prototype }: { readonly prototype: object }): boolean =>
  'getStartupConf' in prototype;
