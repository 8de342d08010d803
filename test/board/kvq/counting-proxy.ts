/** A wire between a client and Redis that counts what passes, holds it back, or cuts it. */

import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** What has passed. */
export interface Wire {
  readonly port: number;
  /** Pieces that clients have sent, each as it arrived. */
  readonly writes: Buffer[];
  /** Nothing passes while it is true. */
  hold: boolean;
  /** Cuts all connections, and refuses new ones until it is mended. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Opens a wire to a Redis server. */
export async function openWire(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const writes: Buffer[] = [];
  let broken = false;
  const server = createServer((client) => {
    if (broken) {
      client.destroy();
      return;
    }
    const upstream = connect({ host: hostname, port: Number(port) });
    client.setNoDelay(true);
    upstream.setNoDelay(true);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (chunk) => {
      writes.push(chunk);
      if (!wire.hold) upstream.write(chunk);
    });
    upstream.on('data', (chunk) => client.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    broken = true;
    for (const socket of sockets) socket.destroy();
  };
  const wire: Wire = {
    port: (server.address() as AddressInfo).port,
    writes,
    hold: false,
    cut,
    mend: () => void (broken = false),
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return wire;
}
