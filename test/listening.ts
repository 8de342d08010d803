/** Servers of the tests that listen on a free port of the loopback interface. */

import { once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that listens. */
export interface Running {
  readonly port: number;
  close(): Promise<void>;
}

/** Waits until a server listens. */
export async function listening(server: Server): Promise<Running> {
  if (!server.listening) await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Starts a server for a listener. */
export const listen = (listener: RequestListener): Promise<Running> =>
  listening(createServer(listener).listen(0, '127.0.0.1'));
