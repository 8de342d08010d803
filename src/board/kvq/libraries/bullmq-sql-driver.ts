/** The queue driver for BullMQ on PostgreSQL; it locks jobs against workers while it changes them. */

import type { RunStore } from '../../core/index.ts';
import { DriverRefusal } from '../model/driver.ts';
import type {
  BulkSelection,
  BulkStep,
  CleanableStatus,
  IdempotencyKeys,
  JobCommand,
  JobConditions,
  NewJob,
  Reach,
  Schedule,
  SelectionRun,
  SelectionStep,
} from '../model/driver.ts';
import { loanOf } from '../sql/loan.ts';
import type { SqlPool } from '../sql/pool.ts';
import { keysInTables } from '../sql/idempotency-keys.ts';
import { claimInTables } from '../sql/scheduler-claim.ts';
import { tableRunStore } from '../sql/runs.ts';
import { selectInTables } from '../sql/selection.ts';
import { SqlChanges } from '../sql/changes.ts';
import type { SqlChangeLocation } from '../sql/changes.ts';
import { BullMqDriver, upsertScheduler } from './bullmq-driver.ts';
import { refusing } from './bullmq-refusals.ts';
import type { BullMqQueue } from './bullmq-types.ts';

/** The methods of the library that send statements. */
const sending: ReadonlySet<string | symbol> = new Set([
  'add',
  'pause',
  'resume',
  'obliterate',
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
  readonly #library: BullMqQueue;
  readonly #unlent: BullMqQueue;
  readonly #runs: RunStore;

  constructor(queue: BullMqQueue, location: SqlChangeLocation) {
    const library = lent(queue, location.pool);
    super(library);
    this.#library = library;
    this.#unlent = queue;
    this.#changes = new SqlChanges(location, refusing);
    this.#location = location;
    this.#runs = tableRunStore(location.pool, this.store.group());
  }

  override change(id: string, command: JobCommand, conditions: JobConditions): Promise<void> {
    return this.#changes.change(id, command, conditions);
  }

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
  override obliterate(force: boolean): Promise<void> {
    return refusing(this.#library.obliterate({ force }));
  }

  override removeUnprocessedChildren(id: string): Promise<void> {
    return this.#changes.removeUnprocessedChildren(id);
  }

  override retryStep(state: 'failed' | 'completed', before: number): BulkStep {
    return this.#changes.retryStep(state, before);
  }

  override promoteStep(until: number): BulkStep {
    return this.#changes.promoteStep(until);
  }

  override selectionStep(selection: BulkSelection, run?: SelectionRun): SelectionStep {
    const change = (...part: Parameters<SqlChanges['changePart']>) => this.changePart(...part);
    return selectInTables(this.#location, selection, change, run);
  }

  /** One loan covers the connection of the claim and that of the library. */
  override async createScheduler(
    id: string | undefined,
    schedule: Schedule,
    template: NewJob,
  ): Promise<string | null> {
    if (id === undefined) throw new DriverRefusal('missing');
    const next = await loanOf(this.#location.pool).change(() =>
      claimInTables(this.#location, id, () =>
        upsertScheduler(this.#unlent, id, schedule, template),
      ),
    );
    return next === null ? null : id;
  }

  override cleanStep(status: CleanableStatus, until: number, reach: Reach): BulkStep {
    return this.#changes.cleanStep(status, until, reach);
  }
}
