/** A proxy between a client and Redis that counts traffic, holds it back, or disconnects. */

import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** Counted traffic. */
export interface Wire {
  readonly port: number;
  /** Chunks sent by clients, as received, without the scripts that {@link withoutTimer} leaves out. */
  readonly writes: Buffer[];
  /** Bytes of the largest answer: those that a connection received between two chunks of its client. */
  largestAnswer: number;
  /** No traffic passes while it is true. */
  hold: boolean;
  /** Requests of clients are passed on after it. */
  gate: Promise<unknown> | undefined;
  /** Disconnects all connections, and refuses new ones until it is restored. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** A chunk without scripts that ask for bulk runs that no instance holds: a board does so every three seconds. */
function withoutTimer(chunk: Buffer): Buffer {
  const timer = '"act":"waiting"';
  if (!chunk.includes(timer)) return chunk;
  const commands = chunk.toString('latin1').split(/(?=\*\d+\r\n\$\d+\r\neval(?:sha)?\r\n)/i);
  return Buffer.from(commands.filter((command) => !command.includes(timer)).join(''), 'latin1');
}

/** Opens a proxy to a Redis server. */
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
    let answered = 0;
    client.on('data', (chunk) => {
      const asked = withoutTimer(chunk);
      if (asked.length > 0) writes.push(asked);
      answered = 0;
      if (wire.gate) void wire.gate.then(() => upstream.write(chunk));
      else if (!wire.hold) upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      answered += chunk.byteLength;
      wire.largestAnswer = Math.max(wire.largestAnswer, answered);
      client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    broken = true;
    for (const socket of sockets) socket.destroy();
  };
  const wire: Wire = {
    port: (server.address() as AddressInfo).port,
    writes,
    largestAnswer: 0,
    hold: false,
    gate: undefined,
    cut,
    mend: () => void (broken = false),
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return wire;
}
