/** Serves a listener on a free port, and tells the CPU time of the process when it is asked. */

import { once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';

/** Address of the database under test. */
export const databaseUrl = process.env['BENCH_DATABASE_URL'] ?? '';

/** Port of the Redis under test. */
export const redisPort = Number(process.env['BENCH_REDIS_PORT']);

/** Tells the port of a server that listens. */
export function tell(server: Server): void {
  const address = server.address();
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system });
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ port: typeof address === 'object' && address ? address.port : 0 });
}

export async function serve(listener: RequestListener): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  tell(server);
}
