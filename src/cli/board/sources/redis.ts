/** Redis as a source of the board: one client for all queues of BullMQ, and one for those of Bull. */

import type { Cluster, Redis } from 'ioredis';
import { bullQueue, bullmqQueue, type QueueOptions } from '../../../board/index.ts';
import type { QueueSettings } from '../settings/settings.ts';
import type { RedisSource } from '../settings/source-settings.ts';
import { MissingPackages, loadPackages } from './packages.ts';
import { discoverOnRedis, type RedisQueue } from './redis-discovery.ts';
import type { ConnectedSource, FoundQueue, OpenQueue, Source } from './source.ts';

type IoRedis = Pick<typeof import('ioredis'), 'Redis' | 'Cluster'>;
type Client = Redis | Cluster;

/** Time limit of connecting, in milliseconds. */
const connectTimeout = 5_000;

/** Milliseconds before the next attempt to reconnect: 100 more with each attempt, at most 3000. */
const reconnectDelay = (attempt: number): number => Math.min(attempt * 100, 3_000);

/** The options that a board passes to each queue, beside its client. */
export interface RedisBoard {
  readonly queues: QueueSettings;
  readonly optionsOf: (name: string) => QueueOptions;
  readonly warn: (line: string) => void;
}

/** Redis as a source. */
export function redisSource(settings: RedisSource, board: RedisBoard): Source {
  const load = () =>
    loadPackages('Redis', { bullmq: () => import('bullmq'), ioredis: () => import('ioredis') });
  return {
    name: 'Redis',
    address: settings.address,
    place: `under prefix ${board.queues.prefixes.map((prefix) => `"${prefix}"`).join(', ')}`,
    board: 'kvq',
    datastore: 'kv',
    load: async () => void (await load()),
    async connect() {
      const { ioredis, bullmq } = await load();
      const client = await connected(ioredis, settings);
      return onClient(client, { settings, ioredis, bullmq, ...board });
    },
  };
}

/** Opens a client, and rejects with its first error: it reconnects only after it has been connected once. */
async function connected(ioredis: IoRedis, settings: RedisSource): Promise<Client> {
  let reached = false;
  let cause: Error | undefined;
  const again = (attempt: number): number | null => (reached ? reconnectDelay(attempt) : null);
  const client = clientOf(ioredis, settings, again);
  client.on('error', (error: Error) => (cause = error));
  try {
    await client.connect();
    await client.ping();
    // The client stays on database 0, without an error, where the server does not have the one it asks for.
    const db = 'nodes' in client ? 0 : client.options.db;
    if (db) await client.select(db);
  } catch (error) {
    client.disconnect();
    // The client itself only says that the connection is closed.
    throw cause ?? error;
  }
  reached = true;
  return client;
}

function clientOf(
  { Redis: Single, Cluster: Many }: IoRedis,
  { url, nodes, options }: RedisSource,
  retryStrategy: (attempt: number) => number | null,
): Client {
  const common = {
    connectTimeout,
    connectionName: 'sluice-board',
    keepAlive: 10_000,
    maxRetriesPerRequest: 1,
  };
  if (nodes) {
    const redisOptions = { ...common, ...(options['redisOptions'] as object | undefined) };
    return new Many([...nodes], {
      ...options,
      redisOptions,
      lazyConnect: true,
      clusterRetryStrategy: retryStrategy,
    });
  }
  const settings = {
    ...common,
    ...options,
    lazyConnect: true,
    retryStrategy,
    // Sentinels that do not answer are asked again by the board.
    sentinelRetryStrategy: retryStrategy,
  };
  return url === undefined ? new Single(settings) : new Single(url, settings);
}

interface Opened extends RedisBoard {
  readonly settings: RedisSource;
  readonly ioredis: IoRedis;
  readonly bullmq: typeof import('bullmq');
}

function onClient(client: Client, opened: Opened): ConnectedSource {
  const { queues, settings } = opened;
  const isCluster = settings.nodes !== undefined;
  const bull = bullQueues(opened);
  const open = (queue: RedisQueue): Promise<OpenQueue | undefined> =>
    queue.library === 'bull' ? bull.open(queue) : openBullMq(client, queue, opened);
  return {
    async discover() {
      const nodes = 'nodes' in client ? client.nodes('master') : [client];
      const found = await discoverOnRedis(client, nodes, queues);
      return found
        .filter((queue) => !isCluster || queue.library === 'bullmq' || bull.refuseOnCluster())
        .map((queue): FoundQueue => ({
          key: JSON.stringify([queue.library, queue.prefix, queue.name]),
          name: queue.name,
          place: `under prefix "${queue.prefix}"`,
          open: () => open(queue),
        }));
    },
    openHistory: ({ metrics, prefix }) => ({
      store: metrics.redisMetricsStore(client, prefix === undefined ? undefined : { prefix }),
    }),
    async close() {
      await bull.close();
      client.disconnect();
    },
  };
}

async function openBullMq(
  client: Client,
  { name, prefix }: RedisQueue,
  { bullmq, optionsOf }: Opened,
): Promise<OpenQueue> {
  const queue = new bullmq.Queue(name, {
    connection: client,
    prefix,
    // The board must not write into queues that it only shows.
    skipMetasUpdate: true,
    // Otherwise each queue asks the server for its version.
    skipVersionCheck: true,
  });
  queue.on('error', () => undefined);
  return {
    queue: bullmqQueue(queue, optionsOf(name)),
    close: () => queue.close(),
  };
}

/** The queues of Bull, which is loaded when there are any; its scripts would clash with BullMQ's on one client. */
function bullQueues({ settings, ioredis, optionsOf, warn }: Opened) {
  let opening: Promise<{ Bull: typeof import('bull'); client: Client } | undefined> | undefined;
  let refused = false;
  const load = async () => {
    try {
      const { bull } = await loadPackages('Bull', { bull: () => import('bull') });
      const client = await connected(ioredis, settings);
      return { Bull: bull.default, client };
    } catch (error) {
      if (!(error instanceof MissingPackages)) throw error;
      warn(`queues of Bull are not shown: ${error.message}`);
      return undefined;
    }
  };
  return {
    /** Warns once. */
    refuseOnCluster(): false {
      if (!refused) warn('queues of Bull are not shown: Bull does not work on a cluster.');
      refused = true;
      return false;
    },
    async open({ name, prefix }: RedisQueue): Promise<OpenQueue | undefined> {
      opening ??= load().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      const opened = await opening;
      if (!opened) return undefined;
      const { Bull, client } = opened;
      const queue = new Bull(name, {
        prefix,
        createClient: () => client as never,
        skipVersionCheck: true,
      } as import('bull').QueueOptions);
      queue.on('error', () => undefined);
      return {
        queue: bullQueue(queue, optionsOf(name)),
        close: () => queue.close(),
      };
    },
    async close(): Promise<void> {
      (await opening)?.client.disconnect();
    },
  };
}
