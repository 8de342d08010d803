/** Reads the flow of a job: up to its root, then down within limits. */

import type { BoardQueue } from '../queue/board-queue.ts';
import type { JobRecord } from '../model/job-record.ts';
import { presentName, presentProgress } from '../present/present-job.ts';
import type { FlowJob } from '../model/store.ts';
import type { FlowNode, JobFlow } from '../model/types.ts';

/** How much of a flow is read. */
export interface FlowBounds {
  /** `node` reads only the tree below the job. */
  readonly root?: 'node' | undefined;
  /** Maximum depth, including the root. */
  readonly depth: number;
  readonly maxChildren: number;
}

/** Maximum number of jobs in one response; a shallow tree may have as many as its width. */
const maxNodes = 200;

/** Maximum number of ancestors followed. */
const maxAncestors = 100;

/** The location of a job of a flow. */
export interface JobLocation {
  readonly queue: BoardQueue;
  readonly id: string;
}

/** The location of a key; `null` when it is in none of the given queues. */
type LocationFinder = (key: string) => JobLocation | null;

const keyOf = ({ queue, id }: JobLocation): string => `${queue.driver.store.qualifiedName}:${id}`;

/**
 * Finds the location of a key (`<qualified queue>:<id>`) among the given queues. Both parts may contain colons, so the
 * longest matching queue name wins. Queues of another datastore may have the same names.
 */
export function locationFinder(near: BoardQueue, queues: readonly BoardQueue[]): LocationFinder {
  const group = near.driver.store.group();
  const flows = queues
    .filter(({ driver }) => driver.capabilities.flows && driver.store.group() === group)
    .toSorted(
      (left, right) =>
        right.driver.store.qualifiedName.length - left.driver.store.qualifiedName.length,
    );
  return (key) => {
    const queue = flows.find(({ driver }) => key.startsWith(`${driver.store.qualifiedName}:`));
    return queue ? { queue, id: key.slice(queue.driver.store.qualifiedName.length + 1) } : null;
  };
}

/** The root; `null` when an ancestor is hidden or missing. */
async function rootOf(
  start: JobLocation,
  job: JobRecord,
  find: LocationFinder,
): Promise<JobLocation | null> {
  let location = start;
  let parentKey = job.parentKey;
  const seen = new Set([keyOf(start)]);
  while (parentKey !== null && seen.size < maxAncestors) {
    const parent = find(parentKey);
    if (!parent) return null;
    // A cycle of parents has no root; the last job before the repetition is used.
    if (seen.has(keyOf(parent))) return location;
    seen.add(keyOf(parent));
    const located = await parent.queue.driver.store.job(parent.id);
    if (!located) return null;
    location = parent;
    ({ parentKey } = located.job);
  }
  return location;
}

/** A node under construction. */
interface Growing {
  readonly node: FlowNode;
  readonly job: FlowJob;
}

function grow({ queue }: JobLocation, job: FlowJob, find: LocationFinder): Growing {
  const { dependencies } = job;
  const hasChildren = Object.values(dependencies).some((count) => count > 0);
  // Failure reasons from hidden queues are not shown.
  const reasons = Object.entries(job.ignoredReasons).filter(([key]) => find(key) !== null);
  const node: FlowNode = {
    id: job.job.id,
    name: presentName(queue, job.job),
    state: job.state,
    progress: presentProgress(queue, job.job.progress),
    queueName: queue.name,
    children: [],
    ...(hasChildren && { dependencies: { ...dependencies } }),
    ...(reasons.length > 0 && { ignoredChildFailureReasons: Object.fromEntries(reasons) }),
  };
  return { node, job };
}

/** Reads jobs, with one request per queue; results are in the order of the locations. */
async function readAll(
  locations: readonly JobLocation[],
  find: LocationFinder,
  maxChildren: number,
): Promise<(Growing | null)[]> {
  const found = new Map<JobLocation, Growing>();
  await Promise.all(
    Array.from(
      Map.groupBy(locations, ({ queue }) => queue),
      async ([queue, members]) => {
        const ids = members.map(({ id }) => id);
        const jobs = await queue.driver.store.flowJobs(ids, maxChildren);
        for (const [index, location] of members.entries()) {
          const job = jobs[index];
          if (job) found.set(location, grow(location, job, find));
        }
      },
    ),
  );
  return locations.map((location) => found.get(location) ?? null);
}

/** Reads the tree below a location, one generation at a time. */
async function treeBelow(
  root: JobLocation,
  find: LocationFinder,
  { depth, maxChildren }: FlowBounds,
): Promise<FlowNode | null> {
  const limit = depth <= 2 ? Math.max(maxNodes, maxChildren) : maxNodes;
  const seen = new Set([keyOf(root)]);
  const [first] = await readAll([root], find, maxChildren);
  if (!first) return null;
  let generation = [first];
  for (let level = 1; generation.length > 0; level += 1) {
    const next: { readonly parent: Growing; readonly location: JobLocation }[] = [];
    const listed = new Map<Growing, number>();
    for (const parent of generation) {
      const keys = level < depth ? parent.job.childKeys.slice(0, maxChildren) : [];
      for (const key of keys) {
        const location = find(key);
        if (!location || seen.has(keyOf(location)) || seen.size >= limit) continue;
        seen.add(keyOf(location));
        next.push({ parent, location });
        listed.set(parent, (listed.get(parent) ?? 0) + 1);
      }
    }
    for (const parent of generation) {
      const all = Object.values(parent.job.dependencies).reduce((sum, count) => sum + count, 0);
      if (all > (listed.get(parent) ?? 0)) parent.node.truncated = true;
    }
    const locations = next.map(({ location }) => location);
    const children = await readAll(locations, find, maxChildren);
    generation = children.flatMap((child, index) => {
      if (child) next[index]?.parent.node.children.push(child.node);
      return child ?? [];
    });
  }
  return first.node;
}

/** The flow of a job as in the contract; `visible` are the queues that the sender may see. */
export async function readFlow(
  queue: BoardQueue,
  job: JobRecord,
  visible: readonly BoardQueue[],
  bounds: FlowBounds,
): Promise<JobFlow> {
  const none: JobFlow = { nodeId: job.id, isFlowNode: false, flowRoot: null };
  if (!queue.driver.capabilities.flows) return none;
  const find = locationFinder(queue, visible);
  const start: JobLocation = { queue, id: job.id };
  const root = bounds.root === 'node' ? start : await rootOf(start, job, find);
  const tree = root && (await treeBelow(root, find, bounds));
  if (!tree) return none;
  const alone = job.parentKey === null && tree.dependencies === undefined;
  return alone ? none : { nodeId: job.id, isFlowNode: true, flowRoot: tree };
}
