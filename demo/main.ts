/** `npm start`: list endpoints over real data in PostgreSQL and SQLite, a page to try them, and boards of job queues. */

import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Closer } from './databases.ts';
import { openDatabases } from './databases.ts';
import { createEndpoints } from './endpoints.ts';
import { encodeExample, examples } from './examples.ts';
import { startBoards } from './jobs/boards.ts';
import type { MountedBoard } from './server.ts';
import { createApp } from './server.ts';

const { DEMO_DIR, DEMO_CITIES, HOST = '127.0.0.1', PORT, REDIS_URL } = process.env;

const folder = DEMO_DIR ? resolve(DEMO_DIR) : fileURLToPath(new URL('../.demo', import.meta.url));
const lastPort = 65_535;
/** Time limit of a shutdown in milliseconds. */
const stopLimit = 10_000;

/** The value of an environment variable, a whole number of at least `least`; `absent` if it is not set. */
function wholeNumber(
  name: string,
  text: string | undefined,
  { least, absent }: { readonly least: number; readonly absent: number },
): number {
  if (text === undefined || text === '') return absent;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`${name} must be a whole number of at least ${least}.`);
}

/** Listens on the wanted port or, if it is taken, on the next free one. */
async function listenFrom(server: Server, wanted: number): Promise<number> {
  for (let port = wanted; port <= lastPort; port += 1) {
    try {
      await once(server.listen(port, HOST), 'listening');
      const address = server.address();
      return typeof address === 'object' && address ? address.port : port;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
  }
  throw new Error(`No port from ${wanted} upwards is free.`);
}

function announce(origin: string, boards: readonly MountedBoard[]): void {
  const lines = examples.flatMap(({ title, database, list, query }) => [
    `  ${title}`,
    `    ${origin}/${database}/${list}?${encodeExample(query)}`,
  ]);
  console.log(
    [
      '',
      `Sluice demo: open ${origin}/ to try filters, sorts, includes, search and pages.`,
      'Boards of job queues; /api/openapi.json below each path describes the API.',
      ...boards.map(({ title, path }) => `  ${title}: ${origin}${path}/`),
      '',
      'Or request an endpoint: /pg and /sqlite give the same response. With curl, use -g and quote the address.',
      ...lines,
      '',
      'Ctrl-C stops the demo.',
    ].join('\n'),
  );
}

async function main(): Promise<void> {
  const wanted = wholeNumber('PORT', PORT, { least: 0, absent: 3000 });
  const cities = wholeNumber('DEMO_CITIES', DEMO_CITIES, { least: 1, absent: Infinity });
  const closers: Closer[] = [];
  let stopping = false;
  const stop = async (code: number) => {
    // Under npm a Ctrl-C arrives twice: from the terminal and from npm.
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), stopLimit).unref();
    for (const close of closers.toReversed()) await close();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0));
  try {
    console.log('Starting PostgreSQL and SQLite ...');
    const databases = await openDatabases(folder, cities, closers);
    const boards = await startBoards(databases, REDIS_URL || undefined, closers);
    const app = createApp(createEndpoints(databases), boards);
    const server = createServer(app);
    closers.push(() => {
      server.close();
      server.closeAllConnections();
    });
    const port = await listenFrom(server, wanted);
    if (wanted !== 0 && port !== wanted) console.log(`Port ${wanted} is taken; using ${port}.`);
    announce(`http://localhost:${port}`, boards);
  } catch (error) {
    // A shutdown interrupts the start; its errors are expected.
    if (stopping) return;
    console.error(error instanceof Error ? error.message : error);
    await stop(1);
  }
}

await main();
