/** The queue driver for BullMQ on PostgreSQL; it locks jobs against workers while it changes them. */

import { type RunStore, memoryRunStore, sqlRunStore } from '../../core/index.ts';
import { DriverRefusal } from '../model/driver.ts';
import type { IdempotencyKeys, QueueDriver } from '../model/driver.ts';
import { loanOf } from '../sql/loan.ts';
import type { SqlPool } from '../sql/pool.ts';
import { selectInTables } from '../sql/selection.ts';
import { SqlChanges, type SqlChangeLocation } from '../sql/changes.ts';
import { BullMqDriver, upsertScheduler } from './bullmq-driver.ts';
import { refusing } from './bullmq-refusals.ts';
import type { BullMqQueue } from './bullmq-types.ts';
import { timeouts } from '../timeouts.ts';
import { runsTable } from '../sql/change-statements.ts';
import { inTransaction } from '../sql/transaction.ts';

/** The methods of the library that send statements. */
const sending: ReadonlySet<string | symbol> = new Set([
  'add',
  'getMetrics',
  'getJobLogs',
  'setGlobalConcurrency',
  'removeGlobalConcurrency',
  'getGlobalRateLimit',
  'setGlobalRateLimit',
  'removeGlobalRateLimit',
  'removeRateLimitKey',
  'upsertJobScheduler',
  'removeJobScheduler',
]);

/** The queue, borrowing connections of its pool like the statements of the board. */
function lent(queue: BullMqQueue, pool: SqlPool): BullMqQueue {
  return new Proxy(queue, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || !sending.has(name)) return value;
      return (...args: unknown[]) =>
        loanOf(pool).change(async () => Reflect.apply(value, target, args));
    },
  });
}

/** See {@link BullMqDriver}. */
export class BullMqSqlDriver extends BullMqDriver {
  readonly #changes: SqlChanges;
  readonly #location: SqlChangeLocation;
  readonly #unlent: BullMqQueue;
  readonly #runs: RunStore;

  constructor(queue: BullMqQueue, location: SqlChangeLocation) {
    super(lent(queue, location.pool));
    this.#unlent = queue;
    this.#changes = new SqlChanges(location, refusing);
    this.#location = location;
    this.#runs = tableRunStore(location.pool, this.store.group());
  }

  override readonly pause: QueueDriver['pause'] = (note) =>
    this.#changes.pause(() => this.#unlent.pause(), note);

  override readonly resume: QueueDriver['resume'] = () =>
    loanOf(this.#location.pool).change(() => this.#unlent.resume());

  override readonly change: QueueDriver['change'] = (id, command, conditions) =>
    this.#changes.change(id, command, conditions);

  changePart(...part: Parameters<SqlChanges['changePart']>): Promise<void> {
    return this.#changes.changePart(...part);
  }

  override get keys(): IdempotencyKeys {
    return keysInTables(this.#location);
  }

  override get runs(): RunStore {
    return this.#runs;
  }

  /** The library releases no parent when it removes the jobs of a queue. */
  override readonly obliterateStep: QueueDriver['obliterateStep'] = (force, _reach, run) =>
    this.#changes.obliterateStep(force, run);

  override readonly removeUnprocessedChildren: QueueDriver['removeUnprocessedChildren'] = (id) =>
    this.#changes.removeUnprocessedChildren(id);

  override readonly retryStep: QueueDriver['retryStep'] = (state, before) =>
    this.#changes.retryStep(state, before);

  override readonly promoteStep: QueueDriver['promoteStep'] = (until) =>
    this.#changes.promoteStep(until);

  override readonly selectionStep: QueueDriver['selectionStep'] = (selection, run) => {
    const change = (...part: Parameters<SqlChanges['changePart']>) => this.changePart(...part);
    return selectInTables(this.#location, selection, change, run);
  };

  override readonly undoStep: Required<QueueDriver>['undoStep'] = (undoes, run) =>
    this.#changes.undoStep(undoes, run);

  /** One loan covers the connection of the claim and that of the library. */
  override readonly createScheduler: QueueDriver['createScheduler'] = async (
    id,
    schedule,
    template,
  ) => {
    if (id === undefined) throw new DriverRefusal('missing');
    const next = await loanOf(this.#location.pool).change(() =>
      claimInTables(this.#location, id, () =>
        upsertScheduler(this.#unlent, id, schedule, template),
      ),
    );
    return next === null ? null : id;
  };

  override readonly cleanStep: QueueDriver['cleanStep'] = (status, until, reach) =>
    this.#changes.cleanStep(status, until, reach);
}

const prefix = 'sluice-once:';

/** The library leaves expired rows until the same id comes again. */
const expireStatement = `delete from dedup where queue = $1 and expire_at_ms <= $2 and dedup_id like '${prefix}%'`;

const claimStatement = `insert into dedup (queue, dedup_id, job_id, expire_at_ms) values ($1, $2, $3, $4)
  on conflict (queue, dedup_id) do update set expire_at_ms = excluded.expire_at_ms
    where dedup.job_id = excluded.job_id
  returning case when xmax = 0 then 'new' else 'same' end as found`;

const releaseStatement = `delete from dedup where queue = $1 and dedup_id = $2 and job_id = $3`;

/** The keys of a queue, in the library's table of deduplication ids: a digest is in place of the id of a job, which none has. */
function keysInTables({ queue, pool }: SqlChangeLocation): IdempotencyKeys {
  return {
    claim: (key, body, lifetimeMs) =>
      loanOf(pool).change(async () => {
        const now = Date.now();
        await pool.query(expireStatement, [queue, now]);
        const values = [queue, prefix + key, body, now + lifetimeMs];
        const found = (await pool.query(claimStatement, values)).rows[0]?.['found'];
        return found === 'new' || found === 'same' ? found : 'other';
      }),
    release: (key, body) =>
      loanOf(pool).change(async () => {
        await pool.query(releaseStatement, [queue, prefix + key, body]);
      }),
  };
}

/** The runs of tables that a role may not write, by the group of their queues. */
const memories = new Map<string, RunStore>();

/** Keeps runs in a table beside those of the library; `group` is equal for queues in the same tables. */
function tableRunStore(pool: SqlPool, group: string): RunStore {
  const memory = memories.get(group) ?? memoryRunStore(group);
  memories.set(group, memory);
  const query = (text: string, values: readonly unknown[]) => pool.query(text, [...values]);
  return sqlRunStore({
    key: group,
    name: runsTable,
    memory,
    read: async (text, values) =>
      (await loanOf(pool).read(() => query(text, values), timeouts().statementMs)).rows,
    write: async (text, values) => (await loanOf(pool).change(() => query(text, values))).rows,
  });
}

const lockStatement = `
  select pg_try_advisory_xact_lock(hashtext('sluice:scheduler'), hashtext($1)) as locked`;

const existsStatement = `select 1 from scheduler where queue = $1 and scheduler_id = $2`;

/** Runs the work while the id is locked. Refused as `exists` if a scheduler has it, or another process creates one. */
async function claimInTables<Result>(
  { queue, pool }: SqlChangeLocation,
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return inTransaction(pool, async (query) => {
    const [lock] = await query(lockStatement, [JSON.stringify([queue, id])]);
    // A statement of its own, so that it sees what was committed before the lock.
    const found = await query(existsStatement, [queue, id]);
    if (lock?.['locked'] !== true || found.length > 0) throw new DriverRefusal('exists');
    return work();
  });
}
