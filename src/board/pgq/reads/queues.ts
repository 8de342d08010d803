/** Reads of queues: their rows, and the number of schedules of each. */

import type { SingleFlight } from '../../../lib/index.ts';
import { isStorableText } from '../../../schema/index.ts';
import type { PgqQueueSummary } from '../../contract/index.ts';
import { runQuery } from '../../../rules/index.ts';
import { BoardError, type HookRequest, type QueueCounts } from '../../core/index.ts';
import type { Installation, OpenSchema } from '../listings/installation.ts';
import type { PgqRow } from '../listings/listings.ts';
import type { VisibleQueues } from '../listings/visible-queues.ts';

export type QueueRow = PgqRow<'queue'>;

/** Lower bound of the second slot of a histogram in seconds; each slot is this factor longer than the one before. */
const [firstSlot, slotFactor] = [0.01, Math.SQRT2];

/**
 * Percentiles of a histogram of the library: slot 0 holds times under 10 ms, the last one all others. A percentile is the
 * upper bound of its slot.
 */
function latencyOf(bins: unknown): PgqQueueSummary['waitSeconds'] {
  const counts = Array.isArray(bins) ? bins.map(Number) : [];
  const count = counts.reduce((sum, n) => sum + n, 0);
  if (count === 0) return null;
  const at = (part: number): number => {
    let left = part * count;
    const slot = counts.findIndex((n) => (left -= n) <= 0);
    const bounded = Math.min(slot, counts.length - 2);
    return Number((firstSlot * slotFactor ** bounded).toPrecision(3));
  };
  return { count, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** The statistics that pg-boss keeps since 12.38. */
function newerStatistics(row: QueueRow): Partial<PgqQueueSummary> {
  if (row.waitBins === undefined) return {};
  return {
    readyOldestSeconds: row.readyOldestSeconds ?? null,
    waitSeconds: latencyOf(row.waitBins),
    runSeconds: latencyOf(row.runBins),
  };
}

/** Jobs by state, as pg-boss counted them last. */
function countsOf(row: QueueRow): PgqQueueSummary['counts'] {
  return {
    queued: row.queuedCount ?? 0,
    deferred: row.deferredCount ?? 0,
    ready: row.readyCount ?? 0,
    active: row.activeCount ?? 0,
    failed: row.failedCount ?? 0,
    total: row.totalCount ?? 0,
    ...(row.blockedCount !== undefined && { blocked: row.blockedCount }),
  };
}

/** The keys of active jobs. pg-boss notes null for a job without a key. */
function singletonsOf({ singletonsActive: keys }: QueueRow): string[] | null {
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : null;
}

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
    counts: countsOf(row),
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
    singletonsActive: singletonsOf(row),
    scheduleCount,
    createdOn: row.createdOn ?? '',
    updatedOn: row.updatedOn ?? '',
    ...newerStatistics(row),
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

/** All queues of the schema, as they were read. */
interface AllQueues {
  readonly rows: readonly QueueRow[];
  /** Number of schedules by queue. */
  readonly schedules: ReadonlyMap<string, number>;
  /** The names of the queues. */
  readonly names: readonly string[];
  /** The same with those of their dead letter queues. */
  readonly named: readonly string[];
}

/** A read of all queues that requests share. */
export type QueueReads = SingleFlight<AllQueues>;

async function readQueues(schema: OpenSchema): Promise<AllQueues> {
  const { listings, read } = schema;
  const [{ data: rows }, schedules] = await Promise.all([
    read((session) =>
      runQuery(listings.source(session, 'queue'), { paginate: 'false' }, listings.rules.queues),
    ),
    scheduleCounts(schema),
  ]);
  const names = rows.map(({ name = '' }) => name);
  return { rows, schedules, names, named: namesIn(rows) };
}

/** Queues that have been read. */
interface TakenQueues {
  /** The same object for all who share the read. */
  readonly snapshot: object;
  readonly names: readonly string[];
  /** Jobs by state of all queues. */
  counted(): readonly QueueCounts[];
  visibleNames(request: HookRequest): Promise<ReadonlySet<string>>;
  visibleTo(request: HookRequest): Promise<PgqQueueSummary[]>;
}

export class Queues {
  readonly #installation: Installation;
  readonly #queues: VisibleQueues;
  readonly #shared: QueueReads;

  constructor(installation: Installation, queues: VisibleQueues, shared: QueueReads) {
    this.#installation = installation;
    this.#queues = queues;
    this.#shared = shared;
  }

  /**
   * All queues by name, with two concurrent statements regardless of their number; requests within the time of a
   * snapshot share them.
   */
  async take(): Promise<TakenQueues> {
    const all = await this.#all();
    const { rows, schedules, names, named } = all;
    return {
      snapshot: all,
      names,
      counted: () => rows.map((row) => ({ queue: row.name ?? '', counts: countsOf(row) })),
      visibleNames: (request) => this.#queues.visibleAmong(request, named),
      visibleTo: async (request) => {
        const shown = await this.#queues.visibleAmong(request, named);
        const countOf = ({ name = '' }: QueueRow): number => schedules.get(name) ?? 0;
        return rows
          .filter(({ name = '' }) => shown.has(name))
          .map((row) => summaryOf(row, countOf(row), (name) => shown.has(name)));
      },
    };
  }

  /** The rows of all queues, hidden ones too. */
  async everyRow(): Promise<readonly QueueRow[]> {
    return (await this.#all()).rows;
  }

  /** The rows of all visible queues by name, from the same read. */
  async rows(request: HookRequest): Promise<QueueRow[]> {
    const { rows, names } = await this.#all();
    const shown = await this.#queues.visibleAmong(request, names);
    return rows.filter(({ name = '' }) => shown.has(name));
  }

  #all(): Promise<AllQueues> {
    return this.#installation.open((schema) => this.#shared.run('', () => readQueues(schema)));
  }

  /** One queue; a missing row means that it does not exist. */
  get(request: HookRequest, queueName: string): Promise<PgqQueueSummary> {
    return this.#installation.open(async (schema) => {
      if (!isStorableText(queueName)) throw new BoardError('QUEUE_NOT_FOUND');
      const { listings, read } = schema;
      // Hidden and missing queues take the same steps.
      const allowed = await this.#queues.allows(request, queueName);
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
      if (!row || !allowed) throw new BoardError('QUEUE_NOT_FOUND');
      const shown = await this.#queues.visibleAmong(request, namesIn(data));
      return summaryOf(row, counts.get(queueName) ?? 0, (name) => shown.has(name));
    });
  }
}
