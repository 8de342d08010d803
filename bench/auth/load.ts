/** The client of `bench auth`, in a thread of its own: one request after the other on a few connections. */

import { connect } from 'node:net';
import { parentPort } from 'node:worker_threads';

/** What to send. */
export interface Load {
  readonly port: number;
  /** The request as it goes over the wire. */
  readonly request: string;
  readonly count: number;
  readonly connections: number;
}

/** What came of it: the first answer, to see that it is the right one. */
export interface Loaded {
  readonly first: string;
}

/** Sends the requests over one connection, each once the answer before it is complete. */
function drive(load: Load, count: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(load.port, '127.0.0.1', () => socket.write(load.request));
    let first = '';
    let size = 0;
    let got = 0;
    let done = 0;
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      got += chunk.length;
      if (size === 0) {
        first += chunk.toString('latin1');
        size = sizeOf(first);
      }
      if (size === 0 || got < size) return;
      got -= size;
      done += 1;
      if (done < count) socket.write(load.request);
      else socket.end(() => resolve(first));
    });
  });
}

/** Bytes of an answer, once its head is there. All answers of one server are of one size. */
function sizeOf(text: string): number {
  const end = text.indexOf('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  return end < 0 || length === undefined ? 0 : end + 4 + Number(length);
}

parentPort?.on('message', (load: Load) => {
  const each = Math.ceil(load.count / load.connections);
  void Promise.all(Array.from({ length: load.connections }, () => drive(load, each))).then(
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    ([first = '']) => parentPort?.postMessage({ first } satisfies Loaded),
  );
});
