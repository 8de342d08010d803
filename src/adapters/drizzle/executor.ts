/** Runs statements on a Drizzle database or transaction: prepared once per session, and named where that is faster. */

import {
  type Executor,
  type Rows,
  type RunPair,
  type RunStoppable,
  type StatementText,
  type Stop,
} from '../../relational/index.ts';
import { type DrizzleHandle, clientOf, handleOn, sessionOf } from './foreign.ts';
import { inTransaction, isPooled, serverOf } from './session.ts';
import type { StatementCache } from './statement-cache.ts';

/** Runs statements on a Drizzle handle. */
export class DrizzleExecutor implements Executor {
  readonly concurrent: boolean;
  readonly stops: boolean;
  readonly handle: DrizzleHandle;
  readonly oneServer: Executor['oneServer'];
  readonly #statements: StatementCache;
  readonly #stoppable: RunStoppable | undefined;

  constructor(handle: DrizzleHandle, statements: StatementCache) {
    this.handle = handle;
    this.#statements = statements;
    this.concurrent = isPooled(handle);
    this.oneServer = hasReplicas(handle)
      ? (work) => work(new DrizzleExecutor(replicaOf(handle), statements))
      : undefined;
    const client = clientOf(handle);
    this.#stoppable = client && statements.describe.family.timeLimit.stoppable(client);
    this.stops = this.#stoppable !== undefined;
  }

  get server(): object {
    return serverOf(this.handle);
  }

  run(statement: StatementText, values: readonly unknown[], stop?: Stop): Promise<Rows> | Rows {
    const stoppable = this.#stoppable;
    const { text } = statement;
    return this.#statements.run(this.handle, statement, values, (run) =>
      stop && stoppable
        ? stoppable(
            stop,
            () => text,
            async (client) => run(client),
          )
        : run(),
    );
  }

  runsBoth(first: StatementText, second: StatementText): boolean {
    return this.stops && this.#statements.runsBoth(this.handle, first, second);
  }

  async runBoth(runs: RunPair, stop: Stop): Promise<readonly [Rows, Rows] | undefined> {
    return this.#stoppable && this.#statements.runBoth(this.handle, runs, this.#stoppable, stop);
  }

  hasTwoFree(): boolean {
    const { idleCount = 2 } = serverOf(this.handle) as { readonly idleCount?: number };
    return idleCount >= 2;
  }

  transaction<T>(body: (inner: DrizzleExecutor) => Promise<T>): Promise<T> {
    return inTransaction(this.handle, (inner) =>
      body(new DrizzleExecutor(inner, this.#statements)),
    );
  }
}

/** A handle made by `withReplicas`: its own session is that of the primary. */
interface ReplicatedHandle extends DrizzleHandle {
  readonly $primary: DrizzleHandle;
  readonly $replicas: readonly DrizzleHandle[];
  /** Begins a statement on the replica that the host's function, or chance, selects. */
  select(): Pick<DrizzleHandle, 'session'>;
}

/** Whether reads through the handle may use replicas. */
export function hasReplicas(handle: DrizzleHandle): handle is ReplicatedHandle {
  return Array.isArray((handle as Partial<ReplicatedHandle>).$replicas);
}

/** The replica that `withReplicas` selects for the next read. */
export function replicaOf(handle: ReplicatedHandle): DrizzleHandle {
  const { $primary, $replicas } = handle;
  const session = sessionOf(handle.select());
  // The host's function may also select the primary.
  const all = [...$replicas, $primary];
  return all.find((each) => sessionOf(each) === session) ?? handleOn(session, handle);
}
