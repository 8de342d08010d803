/** BullMQ's tables in PostgreSQL as a source of the board: one pool for all queues. */

import { bullmqQueue, type QueueOptions } from '../../../board/index.ts';
import type { KeepHistory } from '../history.ts';
import type { QueueSettings } from '../settings/settings.ts';
import type { PostgresSource } from '../settings/source-settings.ts';
import { loadPackages } from './packages.ts';
import type { ConnectedSource, FoundQueue, Source } from './source.ts';

type BullMq = typeof import('bullmq');
type Pg = typeof import('pg');

/** Size of the pool; the board borrows a third for reads and a fifth for changes. */
const maxConnections = 6;

export const poolSettings = {
  application_name: 'sluice-board',
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

/** The tables that name queues. */
const tables = ['job', 'meta', 'scheduler', 'event'] as const;

/** A loose index scan: one look into the index of each table per queue, however many rows a queue has. */
const namesStatement = `with recursive ${tables
  .map(
    (table) => `${table}_names(queue) as (
  (select queue from ${table} order by queue limit 1)
  union all
  select (select t.queue from ${table} t where t.queue > n.queue order by t.queue limit 1)
  from ${table}_names n where n.queue is not null
)`,
  )
  .join(', ')}
${tables.map((table) => `select queue from ${table}_names where queue is not null`).join(' union ')}
order by queue`;

interface PostgresBoard {
  readonly queues: QueueSettings;
  readonly optionsOf: (name: string) => QueueOptions;
}

/** BullMQ on PostgreSQL as a source. */
export function postgresSource(
  { address, connection, schema }: PostgresSource,
  board: PostgresBoard,
): Source {
  const load = () =>
    loadPackages('BullMQ on PostgreSQL', {
      pg: () => import('pg'),
      bullmq: () => import('bullmq'),
    });
  return {
    name: 'BullMQ on PostgreSQL',
    address,
    place: `in schema "${schema}"`,
    board: 'kvq',
    datastore: 'sql',
    load: async () => {
      const { bullmq } = await load();
      if ('createPostgresBackend' in bullmq) return;
      throw new Error('BullMQ on PostgreSQL needs bullmq 6: npm install bullmq@6');
    },
    async connect() {
      const { bullmq, pg } = await load();
      const config = { ...poolSettings, max: maxConnections, ...connection };
      await probe(pg, config);
      const tables = onTables(bullmq, { ...config, schema }, board);
      const pools = historyPools(pg, connection);
      return {
        ...tables,
        openHistory: (keep) => ({
          store: keep.metrics.sqlMetricsStore(pools.open(), tablesOf(keep, 'metrics_')),
        }),
        close: () => Promise.all([tables.close(), pools.close()]),
      };
    },
  };
}

/** Connects once, asks, and closes the connection. */
export async function probe<Result = void>(
  pg: Pg,
  config: object,
  ask?: (client: InstanceType<Pg['default']['Client']>) => Promise<Result>,
): Promise<Result | undefined> {
  const client = new pg.default.Client(config);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await ask?.(client);
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** Where the tables of a history are. */
export function tablesOf({ prefix, records }: KeepHistory, usual: string) {
  return { prefix: prefix ?? usual, migrate: records };
}

/** The pool of a history, whose statements must not wait for those of the board. */
export function historyPools(pg: Pg, connection: object) {
  let pool: InstanceType<Pg['default']['Pool']> | undefined;
  return {
    open() {
      pool ??= new pg.default.Pool({ ...poolSettings, max: 2, ...connection });
      pool.on('error', () => undefined);
      return pool;
    },
    close: async () => pool?.end(),
  };
}

/** The connection opens with the first tables: the library refuses a schema without them for good. */
function onTables(
  bullmq: BullMq,
  config: { readonly schema: string },
  { queues, optionsOf }: PostgresBoard,
): Pick<ConnectedSource, 'discover' | 'close'> {
  type Connection = InstanceType<BullMq['PostgresConnection']>;
  let opened: Connection | undefined;
  const connection = async (): Promise<Connection | undefined> => {
    if (opened) return opened;
    const made = new bullmq.PostgresConnection(config);
    made.on('error', () => undefined);
    try {
      await made.waitUntilReady();
      return (opened = made);
    } catch (error) {
      await made.close();
      if (error instanceof bullmq.SchemaMigrationRequiredError) return undefined;
      throw error;
    }
  };
  const open = async (name: string, shared: Connection) => {
    const queue = new bullmq.Queue(
      name,
      { connection: shared.pool, skipMetasUpdate: true },
      (queueName, options) =>
        new bullmq.PostgresQueueBackend(shared, queueName, options as never, false),
    );
    queue.on('error', () => undefined);
    return {
      queue: bullmqQueue(queue, optionsOf(name)),
      close: () => queue.close(),
    };
  };
  return {
    async discover() {
      const shared = await connection();
      if (!shared) return [];
      const names = await namesOf(queues, shared.pool);
      return names.map((name): FoundQueue => ({
        key: JSON.stringify(['postgres', name]),
        name,
        place: `in schema "${config.schema}"`,
        open: () => open(name, shared),
      }));
    },
    close: async () => opened?.close(),
  };
}

type Pool = Parameters<typeof namesIn>[0];

async function namesOf({ names, showsAbsent }: QueueSettings, pool: Pool): Promise<string[]> {
  if (names && showsAbsent) return [...new Set(names)];
  const present = await namesIn(pool);
  return names ? [...new Set(names)].filter((name) => present.includes(name)) : present;
}

async function namesIn(pool: {
  query(text: string): Promise<{ rows: unknown[] }>;
}): Promise<string[]> {
  const { rows } = await pool.query(namesStatement);
  return rows.map((row) => String((row as { queue: unknown }).queue));
}
