/** pg-boss's tables as a source of the board, which reads their queues itself. */

import type { PgqOptions } from '../../../board/index.ts';
import { catalogSchemaOf, isMissingPackage } from '../../../lib/index.ts';
import type { PgqSource } from '../settings/source-settings.ts';
import { loadPackages } from './packages.ts';
import { historyPools, poolSettings, probe, tablesOf } from './postgres.ts';
import type { Source } from './source.ts';

const isPool = (value: object | string): value is Pick<import('pg').Pool, 'query'> =>
  typeof value === 'object' && 'query' in value && typeof value.query === 'function';

/** pg-boss as a source; the probe is a connection of its own, because the board's pool opens with its first request. */
export function pgqSource(
  { address, connection, options }: PgqSource,
  warn: (line: string) => void,
): Source {
  const load = () => loadPackages('pg-boss', { pg: () => import('pg') });
  return {
    name: 'pg-boss',
    address,
    board: 'pgq',
    datastore: 'sql',
    async load() {
      await load();
      try {
        await import('pg-boss');
      } catch (error) {
        if (!isMissingPackage(error)) throw error;
        warn(
          'jobs of pg-boss can be read and not changed without the package: npm install pg-boss',
        );
      }
    },
    async connect() {
      const { pg } = await load();
      const settings =
        typeof connection === 'string' ? { connectionString: connection } : connection;
      const { schema = 'pgboss' } = options as Pick<PgqOptions, 'schema'>;
      const ask = (client: Pick<import('pg').Pool, 'query'>) =>
        client.query("select from pg_tables where schemaname = $1 and tablename = 'version'", [
          catalogSchemaOf(schema),
        ]);
      const found = isPool(connection)
        ? await ask(connection)
        : await probe(pg, { ...poolSettings, ...settings }, ask);
      if (found?.rowCount === 0) {
        warn(`pg-boss at ${address}: schema "${schema}" has no tables of pg-boss yet`);
      }
      const pools = historyPools(pg, settings);
      return {
        discover: async () => [],
        openHistory(keep) {
          const pool = isPool(connection) ? connection : pools.open();
          const prefix = keep.prefix === undefined ? undefined : `pgq_${keep.prefix}`;
          const { queues } = options as Pick<PgqOptions, 'queues'>;
          return {
            store: keep.metrics.sqlMetricsStore(
              pool,
              tablesOf({ ...keep, prefix }, 'pgq_metrics_'),
            ),
            sources: keep.metrics.pgqMetricsSources({
              pool,
              schema,
              ...(queues && { queues }),
              onWarning: warn,
            }),
          };
        },
        close: () => pools.close(),
      };
    },
  };
}
