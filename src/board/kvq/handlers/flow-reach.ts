/** Flows reach into other queues: what a request changes there, its sender must be allowed to change there. */

import { BoardError, requireWritable } from '../../core/index.ts';
import type { HookRequest } from '../../core/index.ts';
import { invalidBody } from './add-job.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { placeFinder } from '../reads/flow.ts';
import type { Place } from '../reads/flow.ts';
import { memberOf } from '../libraries/record.ts';
import type { FlowJob } from '../model/store.ts';
import type { Scope } from './scope.ts';

/** Children of one job that are looked at. */
const maxChildren = 1_000;

/** Jobs of one flow that are looked at. */
const maxJobs = 10_000;

/**
 * The parent a new job names is changed by it: it waits for the job. So it must be a job of a queue that the sender
 * sees and may write; any other is as little there as one that is not stored.
 */
export async function assertParent(
  scope: Scope,
  queue: BoardQueue,
  parent: unknown,
  request: HookRequest,
): Promise<void> {
  if (parent === undefined || !queue.driver.capabilities.flows) return;
  const [name, id] = [memberOf(parent, 'queue'), memberOf(parent, 'id')];
  // The check of the options says what is wrong with them.
  if (typeof name !== 'string' || typeof id !== 'string') return;
  const place = (await scope.visible(request)).find((other) => hasName(other, name, queue));
  if (!place || !(await place.driver.store.job(id))) throw invalidBody('options.parent');
  requireWritable(place);
}

const hasName = ({ driver }: BoardQueue, name: string, near: BoardQueue): boolean =>
  driver.capabilities.flows &&
  driver.store.qualifiedName === name &&
  driver.store.group() === near.driver.store.group();

/**
 * Throws `QUEUE_READ_ONLY` when a job below this one is in a queue of the board that the sender may not write.
 * `isTouched` tells which of them the change is about.
 */
export async function assertBelowWritable(
  scope: Scope,
  start: Place,
  request: HookRequest,
  isTouched: (job: FlowJob) => boolean = () => true,
): Promise<void> {
  const queues = [...scope.registry.byName.values()];
  const isOpen = queues.every(({ readOnly, visibilityGuard }) => !readOnly && !visibilityGuard);
  if (isOpen || !start.queue.driver.capabilities.flows) return;
  const visible = new Set(await scope.visible(request));
  const find = placeFinder(start.queue, queues);
  const seen = new Set<string>();
  let generation: readonly Place[] = [start];
  while (generation.length > 0 && seen.size < maxJobs) {
    const children: Place[] = [];
    for (const [queue, jobs] of await readAll(generation)) {
      const isWritable = visible.has(queue) && !queue.readOnly;
      if (!isWritable && jobs.some(isTouched)) throw new BoardError('QUEUE_READ_ONLY');
      for (const key of jobs.flatMap(({ childKeys }) => childKeys)) {
        const place = seen.has(key) ? null : find(key);
        seen.add(key);
        if (place) children.push(place);
      }
    }
    generation = children;
  }
}

/** The jobs of these places by their queues. */
function readAll(places: readonly Place[]): Promise<(readonly [BoardQueue, FlowJob[]])[]> {
  return Promise.all(
    Array.from(
      Map.groupBy(places, ({ queue }) => queue),
      async ([queue, members]) => {
        const ids = members.map(({ id }) => id);
        const jobs = await queue.driver.store.flowJobs(ids, maxChildren);
        return [queue, jobs.filter((job) => job !== null)] as const;
      },
    ),
  );
}
