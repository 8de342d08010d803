/**
 * Connections of MariaDB's driver that the server resets right after the login. The driver leaves a statement that it
 * sends there unhandled, which ends the process; the collation that the documents recommend leaves it out.
 */

import { execFile } from 'node:child_process';
import { type AddressInfo, connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adapterOn } from '../matrix/fixtures/prisma/clients.ts';
import { everyServiceRequired, findMysql } from '../services/index.ts';
import type { MissingService, Service } from '../services/index.ts';

/** The index of `latin1_swedish_ci`, the collation of a server without settings. */
const latin1 = 8;

/** A server whose own character set is latin1, and that resets connections which change theirs. */
async function latinServer(url: string) {
  const target = new URL(url);
  let resets = 0;
  const proxy = createServer((client) => {
    const server = connect(Number(target.port || 3306), target.hostname);
    client.on('error', () => server.destroy());
    server.on('error', () => client.destroy());
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    server.once('data', (greeting: Buffer) => {
      // Header and protocol; the version, which a zero ends; thread, scramble, a zero, capabilities.
      greeting[greeting.indexOf(0, 5) + 1 + 4 + 8 + 1 + 2] = latin1;
      client.write(greeting);
      server.pipe(client);
    });
    client.on('data', (sent: Buffer) => {
      if (!sent.includes('SET NAMES')) return server.write(sent);
      resets += 1;
      return client.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((proxy.address() as AddressInfo).port);
  return {
    url: through.href,
    resets: () => resets,
    close: () => new Promise((resolve) => proxy.close(resolve)),
  };
}

let service: Service | MissingService;
let server: Awaited<ReturnType<typeof latinServer>> | undefined;

beforeAll(async () => {
  service = await findMysql();
  if (!('missing' in service)) server = await latinServer(service.url);
  else if (everyServiceRequired()) throw new Error(service.advice);
});
afterAll(async () => {
  await server?.close();
  if (!('missing' in service)) await service.dispose();
});

const one = { sql: 'select 1', args: [], argTypes: [] };

interface Connected {
  queryRaw(query: object): Promise<{ readonly rows: readonly unknown[] }>;
  dispose(): Promise<void>;
}

it.for([6, 7] as const)(
  'are not reset before the first statement of the client where the collation is set (Prisma %i)',
  async (version, context) => {
    if (!server) return context.skip();
    const adapter = await adapterOn({ family: 'mysql', url: server.url }, version);
    const connected = (await Reflect.apply(
      Reflect.get(adapter, 'connect'),
      adapter,
      [],
    )) as Connected;
    expect((await connected.queryRaw(one)).rows).toHaveLength(1);
    expect(server.resets()).toBe(0);
    await connected.dispose();
  },
);

// When this fails, the driver has been repaired: the advice in `docs/prisma.md` can go.
it('end the process where it is not set', async (context) => {
  if (!server) return context.skip();
  const { hostname: host, port, username: user, password } = new URL(server.url);
  const settings = { host, port: Number(port), user, password, acquireTimeout: 10_000 };
  const script = `
    import { PrismaMariaDb } from '@prisma/adapter-mariadb';
    const connected = await new PrismaMariaDb(${JSON.stringify(settings)}).connect();
    await connected.queryRaw(${JSON.stringify(one)}).catch(() => undefined);
    console.log('answered');
    process.exit(0);`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  });
  const ended = await run.catch((error: unknown) => error);
  expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching('ECONNRESET') });
  expect(server.resets()).toBeGreaterThan(0);
});
