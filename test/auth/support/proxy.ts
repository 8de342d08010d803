/** A reverse proxy that takes a prefix away, or puts another in its place, before it passes a request on. */

import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy {
  /** Origin and the prefix that it takes away. */
  readonly url: string;
  /** Where it passes requests on to; several take turns. */
  readonly targets: { readonly port: number; readonly path: string }[];
  close(): Promise<void>;
}

/** Listens at once; targets are put in afterwards. */
export async function startProxy(prefix: string): Promise<Proxy> {
  const targets: { readonly port: number; readonly path: string }[] = [];
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const target = targets[(turn += 1) % targets.length];
    const url = incoming.url ?? '/';
    if (target === undefined || !url.startsWith(prefix)) return void outgoing.writeHead(404).end();
    const path = (target.path + url.slice(prefix.length)).replace(/^(?!\/)/, '/');
    const { method, headers } = incoming;
    const onward = request(
      { host: '127.0.0.1', port: target.port, path, method, headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    targets,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
