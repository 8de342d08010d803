/** Checks write permission for the jobs of other queues that a change of a flow affects. */

import { requireWritable, type HookRequest } from '../../core/index.ts';
import { invalidBody } from './add-job.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { locationFinder, type JobLocation } from '../reads/flow.ts';
import { withoutData } from '../model/read-limits.ts';
import { memberOf } from '../libraries/record.ts';
import type { FlowJob } from '../model/store.ts';
import type { Scope } from './scope.ts';

/** Maximum number of children read per job. */
const maxChildren = 1_000;

/** Maximum number of jobs read per flow. */
const maxJobs = 10_000;

/**
 * Adding a child changes its parent, which then waits for the child. So the parent must be a job of a queue that is
 * visible and writable for the sender; a job in a hidden queue counts as missing.
 */
export async function assertParent(
  scope: Scope,
  queue: BoardQueue,
  parent: unknown,
  request: HookRequest,
): Promise<void> {
  if (parent === undefined || !queue.driver.capabilities.flows) return;
  const [name, id] = [memberOf(parent, 'queue'), memberOf(parent, 'id')];
  // The validation of the options reports invalid values.
  if (typeof name !== 'string' || typeof id !== 'string') return;
  const location = (await scope.visible(request, 'job.add')).find((other) =>
    hasName(other, name, queue),
  );
  if (!location || !(await location.driver.store.job(id))) throw invalidBody('options.parent');
  requireWritable(location);
}

const hasName = ({ driver }: BoardQueue, name: string, near: BoardQueue): boolean =>
  driver.capabilities.flows &&
  driver.store.qualifiedName === name &&
  driver.store.group() === near.driver.store.group();

/**
 * Requires that all jobs below this one are in queues that the sender may write. `isTouched` selects the jobs that the
 * change affects.
 */
export async function assertBelowWritable(
  scope: Scope,
  start: JobLocation,
  request: HookRequest,
  isTouched: (job: FlowJob) => boolean = () => true,
): Promise<void> {
  const queues = [...scope.registry.byName.values()];
  if (scope.isOpen || !start.queue.driver.capabilities.flows) return;
  const visible = new Set(await scope.visible(request, 'job.remove'));
  const find = locationFinder(start.queue, queues);
  const seen = new Set<string>();
  let generation: readonly JobLocation[] = [start];
  while (generation.length > 0 && seen.size < maxJobs) {
    const children: JobLocation[] = [];
    for (const [queue, jobs] of await readAll(generation)) {
      if (jobs.some(isTouched)) {
        requireWritable({ readOnly: queue.readOnly || !visible.has(queue) });
      }
      for (const key of jobs.flatMap(({ childKeys }) => childKeys)) {
        const location = seen.has(key) ? null : find(key);
        seen.add(key);
        if (location) children.push(location);
      }
    }
    generation = children;
  }
}

/** The jobs of these locations by their queues. */
function readAll(locations: readonly JobLocation[]): Promise<(readonly [BoardQueue, FlowJob[]])[]> {
  return Promise.all(
    Array.from(
      Map.groupBy(locations, ({ queue }) => queue),
      async ([queue, members]) => {
        const ids = members.map(({ id }) => id);
        const jobs = await queue.driver.store.flowJobs(ids, maxChildren, withoutData);
        return [queue, jobs.filter((job) => job !== null)] as const;
      },
    ),
  );
}
