/** Reads the processes that run pg-boss, from the table that it keeps since 12.38. */

import { isRecord } from '../../../lib/index.ts';
import type { PgqInstance } from '../../contract/index.ts';
import { runQuery } from '../../../rules/index.ts';
import type { HookRequest } from '../../core/index.ts';
import type { Installation } from '../listings/installation.ts';
import type { PgqRow } from '../listings/listings.ts';
import type { VisibleQueues } from '../listings/visible-queues.ts';

/** Heartbeats that an instance may miss before the library counts it as gone. */
const quietBeats = 3;

type InstanceRow = PgqRow<'instance'>;

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The entry of one call of `work()`. */
function workerOf(entry: unknown): PgqInstance['workers'][number] {
  const stored = isRecord(entry) ? entry : {};
  const number = (name: string) => Number(stored[name] ?? 0) || 0;
  return {
    id: text(stored['id']) ?? '',
    queueName: text(stored['queue']) ?? '',
    active: number('active'),
    batchSize: number('batchSize'),
    localConcurrency: number('localConcurrency'),
    lastFetchedOn: text(stored['lastFetchedOn']),
    lastJobEndedOn: text(stored['lastJobEndedOn']),
    lastErrorOn: text(stored['lastErrorOn']),
  };
}

function present(row: InstanceRow, now: number): PgqInstance {
  const { heartbeatOn = '', heartbeatSeconds = 0, stoppedOn = null, poolMax } = row;
  const quietAfter = Date.parse(heartbeatOn) + heartbeatSeconds * quietBeats * 1_000;
  return {
    id: row.id ?? '',
    name: row.name ?? null,
    host: row.host ?? '',
    pid: row.pid ?? 0,
    version: row.version ?? '',
    live: stoppedOn === null && quietAfter >= now,
    startedOn: row.startedOn ?? '',
    heartbeatOn,
    heartbeatSeconds,
    stoppedOn,
    crashRestarts: row.crashRestarts ?? 0,
    pool:
      typeof poolMax === 'number'
        ? {
            max: poolMax,
            total: row.poolTotal ?? 0,
            idle: row.poolIdle ?? 0,
            waiting: row.poolWaiting ?? 0,
          }
        : null,
    workers: Array.isArray(row.workers) ? row.workers.map(workerOf) : [],
  };
}

/** The latest processes; null where the library does not record them. */
function readInstances(installation: Installation): Promise<PgqInstance[] | null> {
  return installation.open(async ({ state, listings, read }) => {
    if (!state.columns.has('instance')) return null;
    const { data } = await read((session) =>
      runQuery(
        listings.source(session, 'instance'),
        { sort: '-startedOn,-id' },
        listings.rules.instances,
      ),
    );
    const now = Date.now();
    return data.map((row) => present(row, now));
  });
}

/** The latest processes with their workers on visible queues; null where the library does not record them. */
export async function listInstances(
  installation: Installation,
  queues: VisibleQueues,
  request: HookRequest,
): Promise<PgqInstance[] | null> {
  const instances = await readInstances(installation);
  if (!instances) return null;
  const worked = instances.flatMap(({ workers }) => workers.map(({ queueName }) => queueName));
  const shown = await queues.visibleAmong(request, worked);
  return instances.map((instance) => ({
    ...instance,
    workers: instance.workers.filter(({ queueName }) => shown.has(queueName)),
  }));
}

/** The queues with a worker; null where the library does not record workers, or no process registers. */
export async function readWorkedQueues(
  installation: Installation,
): Promise<ReadonlySet<string> | null> {
  const instances = await readInstances(installation);
  if (!instances?.length) return null;
  const workers = instances.filter(({ live }) => live).flatMap((instance) => instance.workers);
  return new Set(workers.map(({ queueName }) => queueName));
}
