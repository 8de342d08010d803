/** Every kind of connection that a host may give a queue: the board sees the same data as the queue. */

import Bull from 'bull';
import * as bullmq6 from 'bullmq';
import * as bullmq5 from 'bullmq-5';
import { Redis } from 'ioredis';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bullmqQueue, bullQueue } from '../../../src/board/kvq/index.ts';
import type { BoardQueue } from '../../../src/board/kvq/index.ts';
import {
  findProgram,
  freePort,
  runProgram,
  scratchDirectory,
} from '../../services/server-process.ts';
import { restartablePostgres } from '../pgq/restartable-postgres.ts';
import { keyOf, until } from './suite.ts';
import { serveBoard } from './http-board.ts';
import { ownRedis } from './own-redis.ts';
import type { OwnRedis } from './own-redis.ts';
import { quiet } from '../../quiet.ts';

/** Cleanup after a test, last first. */
const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

let redis: OwnRedis | null;
let socket: string;
let tls: { readonly port: number; readonly ca: string } | undefined;

/** A self-signed certificate for 127.0.0.1. */
function certificate(directory: string): { key: string; cert: string } | null {
  const program = findProgram('openssl', ['/usr/bin', '/usr/local/bin']);
  if (!program) return null;
  const [key, cert] = [`${directory}/key.pem`, `${directory}/cert.pem`];
  const words = `req -x509 -newkey rsa:2048 -nodes -days 1 -keyout ${key} -out ${cert}
    -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1`;
  return runProgram(program, words.split(/\s+/)) ? { key, cert } : null;
}

beforeAll(async () => {
  const directory = await scratchDirectory('kvq-connections');
  socket = `${directory}/redis.sock`;
  const made = certificate(directory);
  const port = await freePort();
  const secured = made
    ? `--tls-port ${port} --tls-auth-clients no --tls-cert-file ${made.cert}
        --tls-key-file ${made.key} --tls-ca-cert-file ${made.cert}`.split(/\s+/)
    : [];
  redis = await ownRedis(['--unixsocket', socket, ...secured]);
  await redis?.start();
  if (made) tls = { port, ca: readFileSync(made.cert, 'utf8') };
});

afterAll(() => redis?.stop());

/** A client created by the host. */
function clientOn(options: object): Redis {
  const made = new Redis({ ...options, maxRetriesPerRequest: null });
  made.on('error', quiet);
  undo.push(() => made.disconnect());
  return made;
}

/** Connections to a server by kind, each to a different database. */
function connectionsTo(port: number): Record<string, object> {
  const host = '127.0.0.1';
  return {
    options: { host, port },
    'options with a database': { host, port, db: 1 },
    'an address': { url: `redis://${host}:${port}/2` },
    'an address that asks for a database': { url: `redis://${host}:${port}?db=3` },
    'an address without a scheme': { url: `${host}:${port}?db=4` },
    'a socket': { path: socket, db: 5 },
    'the address of a socket': { url: `${socket}?db=6` },
    'a client': clientOn({ host, port, db: 7 }),
    'a client that connects late': clientOn({ host, port, db: 8, lazyConnect: true }),
    'a client that queues nothing': clientOn({ host, port, db: 9, enableOfflineQueue: false }),
    'a client that pipelines': clientOn({ host, port, db: 10, enableAutoPipelining: true }),
    ...(tls && { TLS: { host, port: tls.port, db: 11, tls: { ca: tls.ca } } }),
  };
}

/** A queue of the test, for the board and for the library. */
interface Made {
  readonly add: (data: object) => Promise<{ readonly id?: string | number | undefined }>;
  readonly board: (prefix: string) => BoardQueue;
}

const onBullMq =
  (lib: typeof bullmq6) =>
  (connection: object): Made => {
    const queue = new lib.Queue('same', { connection });
    queue.on('error', quiet);
    undo.push(() => queue.close());
    return {
      add: (data) => queue.add('job', data),
      board: (prefix) => bullmqQueue(queue, { prefix }),
    };
  };

/** Bull creates its clients itself from an address or options. */
function onBull(connection: object): Made {
  const queue =
    'url' in connection
      ? new Bull('same', String(connection.url))
      : new Bull('same', { redis: connection });
  queue.on('error', quiet);
  undo.push(() => queue.close());
  return {
    add: (data) => queue.add('job', data),
    board: (prefix) => bullQueue(queue, { prefix }),
  };
}

/** Connections that Bull does not support or interprets differently. */
const notForBull = /^a client|without a scheme|address of a socket/;

const libraries: readonly [string, (connection: object) => Made, RegExp | null][] = [
  ['BullMQ 6', onBullMq(bullmq6), null],
  ['BullMQ 5', onBullMq(bullmq5 as unknown as typeof bullmq6), null],
  ['Bull', onBull, notForBull],
];

describe('queues of one name, each on a connection of another kind', () => {
  it.each(libraries)('%s: show their own jobs', async (_name, make, except) => {
    if (!redis) return;
    await clientOn({ port: redis.port, host: '127.0.0.1' }).flushall();
    const made = Object.entries(connectionsTo(redis.port))
      .filter(([kind]) => !except?.test(kind))
      .map(([kind, connection]) => ({ kind, queue: make(connection) }));
    const ids = new Map<string, string>();
    for (const [index, { kind, queue }] of made.entries()) {
      // Each queue has one more job than the one before it, so that all counts differ.
      for (let more = 0; more <= index; more += 1) {
        ids.set(kind, String((await queue.add({ kind })).id));
      }
    }
    const board = await serveBoard(made.map(({ kind, queue }) => queue.board(`${kind}: `)));
    undo.push(() => board.close());
    const { body } = await board.get('/api/queues');
    for (const [index, { kind }] of made.entries()) {
      const shown = body.queues[index];
      expect([kind, shown.counts.waiting, shown.problem]).toEqual([kind, index + 1, undefined]);
      const path = `/api/queues/${encodeURIComponent(`${kind}: same`)}`;
      const { job, status } = (await board.get(`${path}/${ids.get(kind)}`)).body;
      expect([status, job.data]).toEqual(['waiting', { kind }]);
      expect((await board.get(`${path}/${ids.get(kind)}/logs`)).body).toEqual([]);
      expect((await board.get(`${path}/workers`)).body).toEqual({ workers: [] });
    }
    expect((await board.get('/api/kv/stats')).body).toMatchObject({ mode: 'standalone' });
    expect(board.errors).toEqual([]);
  });
});

describe('a client with a key prefix', () => {
  it('is refused by BullMQ, and works as a prefix for Bull', async () => {
    if (!redis) return;
    const { port } = redis;
    await clientOn({ port, host: '127.0.0.1' }).flushall();
    const prefixed = clientOn({ port, host: '127.0.0.1', keyPrefix: 'mine:' });
    expect(() => onBullMq(bullmq6)(prefixed)).toThrow('prefix');
    const [own, other] = [
      onBull({ port, host: '127.0.0.1', keyPrefix: 'mine' }),
      onBull({ port, host: '127.0.0.1' }),
    ];
    await own.add({ own: true });
    const board = await serveBoard([own.board('own '), other.board('other ')]);
    undo.push(() => board.close());
    const { queues } = (await board.get('/api/queues?activeQueue=own%20same')).body;
    expect(queues[0]).toMatchObject({ counts: { waiting: 1 }, jobs: [{ data: { own: true } }] });
    expect(queues[1]).toMatchObject({ counts: { waiting: 0 }, jobs: [] });
  });
});

describe('a queue created while its server was down', () => {
  it.each([
    ['BullMQ 6', onBullMq(bullmq6)],
    ['BullMQ 5', onBullMq(bullmq5 as unknown as typeof bullmq6)],
    ['Bull', onBull],
  ] as const)('%s on a client that connects late: is shown once it is back', async (name, make) => {
    const server = await ownRedis();
    if (!server) return;
    undo.push(() => server.stop());
    const options = { host: '127.0.0.1', port: server.port, lazyConnect: true };
    const queue = make(name === 'Bull' ? options : clientOn(options));
    const board = await serveBoard([queue.board('')]);
    undo.push(() => board.close());
    expect(keyOf(await board.get('/api/queues'))).toBe('503 KV_UNAVAILABLE');
    await server.start();
    await until(async () => (await board.get('/api/queues')).status === 200, 30_000);
    const { queues } = (await board.get('/api/queues?activeQueue=same')).body;
    expect(queues).toMatchObject([{ name: 'same', counts: { waiting: 0 }, jobs: [] }]);
  });

  it('BullMQ 6 on PostgreSQL: is shown once it is back', async () => {
    const server = await restartablePostgres();
    undo.push(() => server.dispose());
    const make = (migrate: boolean): bullmq6.Queue => {
      const connection = { connectionString: server.url, migrate, max: 2 };
      const queue: bullmq6.Queue = Reflect.construct(bullmq6.Queue, [
        'same',
        { connection },
        bullmq6.createPostgresBackend,
      ]);
      queue.on('error', quiet);
      undo.push(() => queue.close());
      return queue;
    };
    await make(true).add('job', {});
    await server.stop();
    const board = await serveBoard([bullmqQueue(make(false) as never)]);
    undo.push(() => board.close());
    const page = '/api/queues?activeQueue=same';
    expect(keyOf(await board.get(page))).toBe('503 SQL_UNAVAILABLE');
    await server.start();
    await until(async () => (await board.get(page)).status === 200, 30_000);
    const { queues } = (await board.get(page)).body;
    expect(queues).toMatchObject([{ counts: { waiting: 1 }, jobs: [{ name: 'job' }] }]);
  }, 90_000);
});
