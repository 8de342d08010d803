/** Reads the flow of a job: up to its root, then down within limits. */

import type { BoardQueue } from '../queue/board-queue.ts';
import type { JobRecord } from '../model/job-record.ts';
import { shownReason, type JobView } from '../present/job-view.ts';
import { presentName, presentProgress } from '../present/present-job.ts';
import type { FlowJob, LocatedJob } from '../model/store.ts';
import type { FlowNode, JobFlow } from '../model/types.ts';

/** How much of a flow is read. */
interface FlowBounds {
  /** `node` reads only the tree below the job. */
  readonly root?: 'node' | undefined;
  /** Maximum depth, including the root. */
  readonly depth: number;
  readonly maxChildren: number;
  /** Maximum bytes of the jobs. */
  readonly maxBytes: number;
}

/** Maximum number of jobs in one response; a shallow tree may have as many as its width. */
const maxNodes = 200;

/** Maximum number of ancestors followed. */
const maxAncestors = 100;

export interface JobLocation {
  readonly queue: BoardQueue;
  readonly id: string;
}

/** The location of a key; `null` when it is in none of the given queues. */
export type LocationFinder = (key: string) => JobLocation | null;

const keyOf = ({ queue, id }: JobLocation): string => `${queue.driver.store.qualifiedName}:${id}`;

/**
 * Finds the location of a key (`<qualified queue>:<id>`) among the queues of a board. Both parts may contain colons, so
 * the longest matching queue name wins. Queues of another datastore may have the same names.
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

/** The flow as a request sees it. */
export interface FlowView extends JobView {
  /** Finds the location of a key in the queues that the sender sees. */
  readonly find: LocationFinder;
}

/** The highest ancestor that exists and is visible. */
async function rootOf(
  start: JobLocation,
  job: JobRecord,
  find: LocationFinder,
): Promise<JobLocation> {
  let location = start;
  let parentKey = job.parentKey;
  const seen = new Set([keyOf(start)]);
  while (parentKey !== null && seen.size < maxAncestors) {
    const parent = find(parentKey);
    // A cycle of parents has no root; the last job before the repetition is used.
    if (!parent || seen.has(keyOf(parent))) return location;
    seen.add(keyOf(parent));
    const located = await parent.queue.driver.store.job(parent.id);
    if (!located) return location;
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

/** The node of a job without children. */
function nodeOf(queue: BoardQueue, { job, state }: LocatedJob, { problems }: FlowView): FlowNode {
  const host = problems.hostFunctions(queue);
  const name = presentName(queue, job, host);
  const progress = presentProgress(queue, job.progress, host);
  const { id, timestamp, processedOn, finishedOn } = job;
  return {
    id,
    name,
    state,
    timestamp,
    ...(processedOn !== null && { processedOn }),
    ...(finishedOn !== null && { finishedOn }),
    progress,
    queueName: queue.name,
    children: [],
    ...host.mark,
  };
}

function grow({ queue }: JobLocation, job: FlowJob, view: FlowView): Growing {
  const { dependencies } = job;
  const hasChildren = Object.values(dependencies).some((count) => count > 0);
  // Failure reasons from hidden queues are not shown.
  const reasons = Object.entries(job.ignoredReasons)
    .filter(([key]) => view.find(key) !== null)
    .map(([key, reason]) => [key, shownReason(view, queue, reason)]);
  const node: FlowNode = {
    ...nodeOf(queue, job, view),
    ...(hasChildren && { dependencies: { ...dependencies } }),
    ...(reasons.length > 0 && { ignoredChildFailureReasons: Object.fromEntries(reasons) }),
  };
  return { node, job };
}

/** The bytes that the reads of one flow may still take. */
interface FlowBudget {
  bytes: number;
}

/** Parts that are not read for a flow, unless a formatter needs them. */
const isData: ReadonlySet<string> = new Set(['data', 'returnvalue']);

const bytesOf = ({ opts, progress, failedReason, stacktrace, data, returnvalue }: JobRecord) =>
  JSON.stringify([opts, progress, failedReason, stacktrace, data, returnvalue]).length;

/** Jobs of one request: to find the state of each, Redis may pass through the list of all that wait. */
const mostTogether = 20;

/** Reads jobs, with few requests per queue; results are in the order of the locations. */
async function readAll(
  locations: readonly JobLocation[],
  view: FlowView,
  bounds: FlowBounds,
  budget: FlowBudget,
): Promise<(Growing | null)[]> {
  const found = new Map<JobLocation, Growing>();
  const byQueue = Map.groupBy(locations, ({ queue }) => queue);
  const maxBytes = Math.max(0, Math.floor(budget.bytes / byQueue.size));
  await Promise.all(
    Array.from(byQueue, async ([queue, members]) => {
      // Only a formatter of the name reads more of a job than is shown.
      const withData = queue.formatters.name !== undefined;
      let left = maxBytes;
      for (let from = 0; from < members.length; from += mostTogether) {
        const together = members.slice(from, from + mostTogether);
        const ids = together.map(({ id }) => id);
        const limits = { maxBytes: Math.max(0, left), withData };
        const jobs = await queue.driver.store.flowJobs(ids, bounds.maxChildren, limits);
        for (const [index, location] of together.entries()) {
          const job = jobs[index];
          if (!job) continue;
          left -= bytesOf(job.job);
          const growing = grow(location, job, view);
          const isCut = job.job.truncated?.some((part) => withData || !isData.has(part));
          if (isCut) growing.node.truncated = true;
          found.set(location, growing);
        }
      }
      budget.bytes -= maxBytes - left;
    }),
  );
  return locations.map((location) => found.get(location) ?? null);
}

/** Reads the tree below a location, one generation at a time. */
async function treeBelow(
  root: JobLocation,
  view: FlowView,
  bounds: FlowBounds,
): Promise<FlowNode | null> {
  const { depth, maxChildren } = bounds;
  const budget: FlowBudget = { bytes: bounds.maxBytes };
  const limit = depth <= 2 ? Math.max(maxNodes, maxChildren) : maxNodes;
  const seen = new Set([keyOf(root)]);
  const [first] = await readAll([root], view, bounds, budget);
  if (!first) return null;
  let generation = [first];
  for (let level = 1; generation.length > 0; level += 1) {
    const next: { readonly parent: Growing; readonly location: JobLocation }[] = [];
    const listed = new Map<Growing, number>();
    for (const parent of generation) {
      const keys = level < depth ? parent.job.childKeys.slice(0, maxChildren) : [];
      for (const key of keys) {
        const location = view.find(key);
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
    const children = await readAll(locations, view, bounds, budget);
    generation = children.flatMap((child, index) => {
      if (child) next[index]?.parent.node.children.push(child.node);
      return child ?? [];
    });
  }
  return first.node;
}

/** The flow of a job as in the contract. The root of a job without a flow is the job itself. */
export async function readFlow(
  queue: BoardQueue,
  located: LocatedJob,
  view: FlowView,
  bounds: FlowBounds,
): Promise<JobFlow> {
  const { job } = located;
  const alone = (): JobFlow => ({
    nodeId: job.id,
    isFlowNode: false,
    flowRoot: nodeOf(queue, located, view),
  });
  if (!queue.driver.capabilities.flows) return alone();
  const start: JobLocation = { queue, id: job.id };
  const root = bounds.root === 'node' ? start : await rootOf(start, job, view.find);
  const tree = await treeBelow(root, view, bounds);
  const hasParent = job.parentKey !== null && view.find(job.parentKey) !== null;
  const isFlowNode = tree !== null && (hasParent || tree.dependencies !== undefined);
  return isFlowNode ? { nodeId: job.id, isFlowNode, flowRoot: tree } : alone();
}
