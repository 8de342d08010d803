/** A source over the queues of a board: BullMQ 5 and 6 on Redis and PostgreSQL, BullMQ Pro, and Bull. */

import type { SourceReading, SourceRequest } from '../../board/core/index.ts';
import type { BoardQueue } from '../../board/kvq/index.ts';
import type { MetricsSource } from '../model/source.ts';

/** The queues at a moment. */
export type QueuesOf = () => readonly BoardQueue[] | Promise<readonly BoardQueue[]>;

/** Reads all queues of a datastore in one round trip. */
export function boardQueuesSource(queuesOf: QueuesOf): MetricsSource {
  let known = new Map<string, BoardQueue>();
  return {
    async queues() {
      known = new Map((await queuesOf()).map((queue) => [queue.name, queue]));
      return [...known.keys()];
    },
    async read(requests) {
      const asked = [...requests].flatMap(([name, request]) => {
        const queue = known.get(name);
        return queue ? [{ name, store: queue.driver.store, request }] : [];
      });
      const groups = Map.groupBy(asked, ({ store }) => store.group());
      const readings = await Promise.all(Array.from(groups.values(), readGroup));
      return new Map(readings.flat());
    },
  };
}

interface Asked {
  readonly name: string;
  readonly store: BoardQueue['driver']['store'];
  readonly request: SourceRequest;
}

/** The readings of the queues of one datastore; its failure is the error of each. */
async function readGroup(
  members: readonly Asked[],
): Promise<(readonly [string, SourceReading | Error])[]> {
  try {
    const readings = (await members[0]?.store.recordings(members)) ?? [];
    return members.map(({ name }, index) => [name, readings[index] ?? new Error('Not read.')]);
  } catch (error) {
    const problem = error instanceof Error ? error : new Error(String(error));
    return members.map(({ name }) => [name, problem]);
  }
}
