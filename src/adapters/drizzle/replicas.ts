/** The replicas of a handle made by Drizzle's `withReplicas`. */

import { type DrizzleHandle, handleOn, sessionOf } from './foreign.ts';

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
