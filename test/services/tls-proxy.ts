/** A proxy that speaks TLS with clients of PostgreSQL, in front of a server without it. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import path from 'node:path';
import { TLSSocket, createSecureContext } from 'node:tls';
import { scratchDirectory } from './server-process.ts';

export interface TlsProxy {
  /** Connection URL through the proxy. */
  readonly url: string;
  close(): Promise<void>;
}

/** A certificate of this test alone; `undefined` where there is no `openssl`. */
async function certificate() {
  const directory = await scratchDirectory('tls');
  const [key, cert] = [path.join(directory, 'key.pem'), path.join(directory, 'cert.pem')];
  const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1';
  const files = ['-subj', '/CN=localhost', '-keyout', key, '-out', cert];
  try {
    execFileSync('openssl', [...request.split(' '), ...files], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

/** Starts a proxy in front of the server of a connection URL; `undefined` where no certificate can be made. */
export async function tlsProxy(url: string): Promise<TlsProxy | undefined> {
  const made = await certificate();
  if (!made) return undefined;
  const secureContext = createSecureContext(made);
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    // The client asks for TLS in its first message.
    client.once('data', () => {
      client.write('S');
      const secure = new TLSSocket(client, { isServer: true, secureContext });
      const server = connect(Number(target.port || 5432), target.hostname);
      for (const socket of [client, secure, server]) {
        sockets.add(socket);
        socket.on('error', () => socket.destroy());
      }
      secure.pipe(server).pipe(secure);
    });
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((proxy.address() as AddressInfo).port);
  return {
    url: through.href,
    close: async () => {
      const closed = new Promise((resolve) => proxy.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
