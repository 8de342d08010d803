/** `npm start`: real data in PostgreSQL and SQLite behind list endpoints, a page to try them, and boards of job queues. */

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
/** Milliseconds that stopping may take. */
const stopLimit = 10_000;

/** A whole number from `least` out of an environment variable, or what stands for its absence. */
function wholeNumber(
  name: string,
  text: string | undefined,
  { least, absent }: { readonly least: number; readonly absent: number },
): number {
  if (text === undefined || text === '') return absent;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`${name} must be a whole number from ${least}.`);
}

/** Listens on the wanted port or, where it is taken, on the next one that is free. */
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
      'Job queues at work; /api/openapi.json below each board describes its API.',
      ...boards.map(({ title, path }) => `  ${title}: ${origin}${path}/`),
      '',
      'Or ask an endpoint. Put /sqlite for /pg, or the reverse: the answer is the same. With curl, use -g and quotes.',
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
    // npm passes Ctrl-C on to a process that the terminal has told already: once is enough.
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
    // Whatever was under way when the demo was told to stop fails, and that is all right.
    if (stopping) return;
    console.error(error instanceof Error ? error.message : error);
    await stop(1);
  }
}

await main();
