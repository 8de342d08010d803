/** The client of `bench auth`, in its own thread: sequential requests on a few connections. */

import { connect } from 'node:net';
import { parentPort } from 'node:worker_threads';

/** A batch of requests to send. */
export interface Load {
  readonly port: number;
  /** The bytes of the request. */
  readonly request: string;
  readonly count: number;
  readonly connections: number;
}

/** The outcome: the first response, for a check of its status. */
export interface Loaded {
  readonly first: string;
}

/** Sends the requests over one connection, each after the previous response is complete. */
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

/** The length of a response, once its head has arrived. All responses of one server have the same length. */
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
