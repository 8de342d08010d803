/** A proxy before Redis that counts commands, and holds replies back until a number of commands has been sent. */

import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A client that waits for a reply before it has sent so many commands never gets one. */
export interface Gate {
  readonly url: string;
  /** Commands sent so far. */
  readonly commands: number;
  /** Lets replies pass only after so many further commands. */
  await(commands: number): void;
  close(): Promise<void>;
}

/** Counts the commands of a stream: lists of strings, each with its length before it. */
function counter(onCommand: () => void): (chunk: Buffer) => void {
  let buffered = Buffer.alloc(0);
  /** The position after a line that begins there, and its number; undefined where it is not complete. */
  const line = (at: number): readonly [end: number, value: number] | undefined => {
    const end = buffered.indexOf('\r\n', at);
    return end < 0 ? undefined : [end + 2, Number(buffered.toString('latin1', at + 1, end))];
  };
  const command = (): number | undefined => {
    let [at, parts] = line(0) ?? [0, -1];
    if (parts < 0) return undefined;
    for (; parts > 0; parts -= 1) {
      const [start, length] = line(at) ?? [0, -1];
      at = start + length + 2;
      if (length < 0 || at > buffered.length) return undefined;
    }
    return at;
  };
  return (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (let end = command(); end !== undefined; end = command()) {
      buffered = buffered.subarray(end);
      onCommand();
    }
  };
}

/** Opens a proxy to a Redis server. */
export async function openGate(url: string): Promise<Gate> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  let [commands, opensAt] = [0, 0];
  const release = (): void => {
    if (commands < opensAt) return;
    for (const pass of held.splice(0)) pass();
  };
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port || 6379) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    const count = counter(() => {
      commands += 1;
    });
    client.on('data', (chunk) => {
      upstream.write(chunk);
      count(chunk);
      release();
    });
    upstream.on('data', (chunk) => {
      held.push(() => void client.write(chunk));
      release();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get commands() {
      return commands;
    },
    await(more) {
      opensAt = commands + more;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
