/** Reads of queues: their rows, and the number of schedules of each. */

import { isStorableText } from '../../../schema/index.ts';
import type { PgqQueueSummary } from '../../contract/index.ts';
import { runQuery } from '../../../rules/index.ts';
import { BoardError, type HookRequest } from '../../core/index.ts';
import type { Installation, OpenSchema } from '../listings/installation.ts';
import type { PgqRow } from '../listings/listings.ts';
import type { VisibleQueues } from '../listings/visible-queues.ts';

type QueueRow = PgqRow<'queue'>;

function summaryOf(
  row: QueueRow,
  scheduleCount: number,
  mayShow: (name: string) => boolean,
): PgqQueueSummary {
  const queued = row.queuedCount ?? 0;
  const warningQueueSize = row.warningQueueSize ?? 0;
  return {
    name: row.name ?? '',
    policy: row.policy ?? '',
    partition: row.partition ?? false,
    counts: {
      queued,
      deferred: row.deferredCount ?? 0,
      ready: row.readyCount ?? 0,
      active: row.activeCount ?? 0,
      failed: row.failedCount ?? 0,
      total: row.totalCount ?? 0,
    },
    statsCapturedOn: row.statsCapturedOn ?? null,
    readyHistory: (row.readyHistory ?? []) as number[],
    deadLetter: row.deadLetter && mayShow(row.deadLetter) ? row.deadLetter : null,
    retryLimit: row.retryLimit ?? 0,
    retryDelay: row.retryDelay ?? 0,
    retryBackoff: row.retryBackoff ?? false,
    retryDelayMax: row.retryDelayMax ?? null,
    expireInSeconds: row.expireInSeconds ?? 0,
    retentionSeconds: row.retentionSeconds ?? 0,
    deleteAfterSeconds: row.deleteAfterSeconds ?? 0,
    warningQueueSize,
    backlogged: warningQueueSize > 0 && queued > warningQueueSize,
    heartbeatSeconds: row.heartbeatSeconds ?? null,
    notify: row.notify ?? false,
    singletonsActive: (row.singletonsActive ?? null) as string[] | null,
    scheduleCount,
    createdOn: row.createdOn ?? '',
    updatedOn: row.updatedOn ?? '',
  };
}

/** Number of schedules by queue, for one queue or all queues. */
async function scheduleCounts(
  { state, listings, read }: OpenSchema,
  queueName?: string,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  if (!state.features.schedules) return counts;
  const { data } = await read((session) =>
    runQuery(
      listings.source(session, 'schedule'),
      {
        ...(queueName !== undefined && { filter: { queueName: { eq: queueName } } }),
        paginate: 'false',
      },
      listings.rules.scheduleQueues,
    ),
  );
  for (const { queueName: name = '' } of data) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function namesIn(rows: readonly QueueRow[]): string[] {
  return rows.flatMap(({ name = '', deadLetter }) => (deadLetter ? [name, deadLetter] : [name]));
}

/** Reads of queues. */
export class Queues {
  readonly #installation: Installation;
  readonly #queues: VisibleQueues;

  constructor(installation: Installation, queues: VisibleQueues) {
    this.#installation = installation;
    this.#queues = queues;
  }

  /** All visible queues by name, with two concurrent statements regardless of their number. */
  list(request: HookRequest): Promise<PgqQueueSummary[]> {
    return this.#installation.open(async (schema) => {
      const { listings, read } = schema;
      const [{ data }, counts] = await Promise.all([
        read((session) =>
          runQuery(listings.source(session, 'queue'), { paginate: 'false' }, listings.rules.queues),
        ),
        scheduleCounts(schema),
      ]);
      const shown = await this.#queues.visibleAmong(request, namesIn(data));
      return data
        .filter(({ name = '' }) => shown.has(name))
        .map((row) => summaryOf(row, counts.get(row.name ?? '') ?? 0, (name) => shown.has(name)));
    });
  }

  /** One queue; a missing row means that it does not exist. */
  get(request: HookRequest, queueName: string): Promise<PgqQueueSummary> {
    return this.#installation.open(async (schema) => {
      if (!isStorableText(queueName)) throw new BoardError('QUEUE_NOT_FOUND');
      const { listings, read } = schema;
      const [{ data }, counts] = await Promise.all([
        read((session) =>
          runQuery(
            listings.source(session, 'queue'),
            { filter: { name: { eq: queueName } }, perPage: '1' },
            listings.rules.queues,
          ),
        ),
        scheduleCounts(schema, queueName),
      ]);
      const [row] = data;
      const shown = await this.#queues.visibleAmong(request, namesIn(data));
      if (!row || !shown.has(queueName)) throw new BoardError('QUEUE_NOT_FOUND');
      return summaryOf(row, counts.get(queueName) ?? 0, (name) => shown.has(name));
    });
  }
}
