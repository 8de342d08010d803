/** A relay from WebSockets, which Neon's serverless driver speaks, to PostgreSQL, as Neon runs in front of its servers. */

import { type AddressInfo, connect } from 'node:net';
import { WebSocketServer, createWebSocketStream } from 'ws';

export interface NeonRelay {
  /** Host, port and path of the relay, for `wsProxy` of the driver. */
  readonly address: string;
  close(): Promise<void>;
}

/** Starts a relay to the host and port of a connection string. */
export async function neonRelay(url: string): Promise<NeonRelay> {
  const { hostname, port } = new URL(url);
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  server.on('connection', (webSocket) => {
    const socket = connect(Number(port || 5432), decodeURIComponent(hostname));
    const stream = createWebSocketStream(webSocket);
    stream.pipe(socket).pipe(stream);
    stream.on('error', () => socket.destroy());
    socket.on('error', () => stream.destroy());
  });
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
