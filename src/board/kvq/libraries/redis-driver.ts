/** The commands of a queue driver that are scripts in Redis, alike for BullMQ and Bull. */

import type { RunClaim, RunStore } from '../../core/index.ts';
import type { IdempotencyKeys, JobCommand, QueueDriver } from '../model/driver.ts';
import {
  type ChangedQueue,
  cleanOnRedis,
  obliterateOnRedis,
  promoteOnRedis,
  retryOnRedis,
} from '../redis/changes/bulk.ts';
import { keysOnRedis } from '../redis/changes/idempotency-keys.ts';
import { type NotedRun, notedRun } from '../redis/changes/run-parts.ts';
import { selectOnRedis } from '../redis/changes/selection.ts';
import { undoOnRedis } from '../redis/changes/undo.ts';
import { changeOnRedis } from '../redis/changes/single.ts';
import { redisRunStore } from '../redis/runs.ts';

/** See {@link QueueDriver}. */
export abstract class RedisDriver {
  abstract readonly name: string;
  abstract readonly statuses: QueueDriver['statuses'];
  abstract readonly store: QueueDriver['store'];
  /** The queue whose jobs the scripts change. */
  protected abstract readonly jobs: ChangedQueue;

  /** Has the library change a job of a group, whose waiting jobs only BullMQ Pro knows how to keep. */
  protected abstract changeInGroup(id: string, command: JobCommand): Promise<void>;

  readonly groupCounts: QueueDriver['groupCounts'] = () => null;

  readonly changed: QueueDriver['changed'] = () => {};

  get keys(): IdempotencyKeys {
    return keysOnRedis(this.jobs);
  }

  get runs(): RunStore {
    return redisRunStore(this.jobs, this.store.qualifiedName, this.name, () => this.store.group());
  }

  readonly change: QueueDriver['change'] = async (id, command, conditions, mark) => {
    const result = await changeOnRedis(this.jobs, id, command, conditions, this.#noted(mark));
    if (result !== 'group') return;
    await this.changeInGroup(id, command);
    if (mark) await this.runs.write(mark, { examined: 1, matched: 1, changed: 1 });
  };

  #noted(mark: RunClaim | undefined): NotedRun | undefined {
    return mark && notedRun(mark, this.store.qualifiedName, this.name);
  }

  readonly obliterateStep: QueueDriver['obliterateStep'] = (force, reach, run) =>
    obliterateOnRedis(this.jobs, this.statuses, force, reach, this.#noted(run?.mark));

  readonly retryStep: QueueDriver['retryStep'] = (state, before) =>
    retryOnRedis(this.jobs, state, before);

  readonly promoteStep: QueueDriver['promoteStep'] = (until) => promoteOnRedis(this.jobs, until);

  readonly cleanStep: QueueDriver['cleanStep'] = (status, until, reach) =>
    cleanOnRedis(this.jobs, status, until, reach);

  readonly selectionStep: QueueDriver['selectionStep'] = (selection, run) =>
    selectOnRedis(this.jobs, selection, this.#noted(run?.mark), run);

  readonly undoStep: Required<QueueDriver>['undoStep'] = (undoes, { mark }) =>
    undoOnRedis(this.jobs, undoes, this.#noted(mark));
}
