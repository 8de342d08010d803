/** A TCP proxy in front of a running server, with which a test can simulate an outage. */

import { type Socket, connect, createServer } from 'node:net';
import { freePort } from './server-process.ts';

export interface OutageProxy {
  /** Connection URL through the proxy. */
  readonly url: string;
  /** Closes all connections and refuses new ones. */
  close(): Promise<void>;
  /** Accepts connections again, on the same port. */
  open(): Promise<void>;
}

/** Starts a proxy in front of the server of a connection URL. */
export async function outageProxy(url: string): Promise<OutageProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    // It came in while the server closes: nothing would close it.
    if (!proxy.listening) {
      client.destroy();
      return;
    }
    const server = connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.pipe(server).pipe(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  // Not one of the system's own choice: while the proxy is closed, an outgoing connection would take it.
  const port = await freePort();
  const listen = (): Promise<void> =>
    new Promise((resolve, reject) => {
      proxy.once('error', reject);
      proxy.listen(port, '127.0.0.1', () => {
        proxy.off('error', reject);
        resolve();
      });
    });
  await listen();
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return {
    url: through.href,
    close: async () => {
      const closed = new Promise((resolve) => proxy.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    open: listen,
  };
}
