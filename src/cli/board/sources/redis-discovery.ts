/** Finds the queues of BullMQ and Bull in Redis by the keys that each queue has. */

import type { QueueSettings } from '../settings/settings.ts';

/** One server, or each master of a cluster. */
export interface ScannedNode {
  scan(
    cursor: string,
    match: 'MATCH',
    pattern: string,
    count: 'COUNT',
    keys: number,
  ): Promise<[cursor: string, keys: string[]]>;
}

/** The client, for the types of keys. */
export interface ProbingClient {
  type(key: string): Promise<string>;
}

export interface RedisQueue {
  readonly prefix: string;
  readonly name: string;
  readonly library: 'bullmq' | 'bull';
}

/** Keys that one step of a scan looks at. */
const scanCount = 500;

/** Types of keys that are asked for at a time. */
const probesAtATime = 500;

/** The suffix of the key that each queue of the library has, and the type of the key. */
const markers = {
  bullmq: { suffix: ':meta', type: 'hash' },
  bull: { suffix: ':id', type: 'string' },
} as const;

/** The queues in the order of their keys; a queue of BullMQ has both keys. */
export async function discoverOnRedis(
  client: ProbingClient,
  nodes: readonly ScannedNode[],
  { prefixes, names, showsAbsent }: Pick<QueueSettings, 'prefixes' | 'names' | 'showsAbsent'>,
): Promise<RedisQueue[]> {
  const found = await Promise.all(
    prefixes.map(async (prefix) => {
      const candidates = names
        ? { bullmq: new Set(names), bull: new Set(names) }
        : await candidatesUnder(prefix, nodes);
      const bullmq = await having('bullmq', prefix, candidates.bullmq, client);
      const others = [...candidates.bull].filter((name) => !bullmq.has(name));
      const bull = await having('bull', prefix, new Set(others), client);
      return [
        ...[...bullmq].map((name): RedisQueue => ({ prefix, name, library: 'bullmq' })),
        ...[...bull].map((name): RedisQueue => ({ prefix, name, library: 'bull' })),
      ].toSorted((left, right) => (left.name < right.name ? -1 : 1));
    }),
  );
  const queues = found.flat();
  return names ? inOrder(names, queues, showsAbsent ? prefixes[0] : undefined) : queues;
}

/** Explicit names; those that no key is found for yet are taken for queues of BullMQ under a prefix. */
function inOrder(
  names: readonly string[],
  found: readonly RedisQueue[],
  prefix: string | undefined,
): RedisQueue[] {
  return [...new Set(names)].flatMap((name): RedisQueue[] => {
    const here = found.filter((queue) => queue.name === name);
    if (here.length > 0 || prefix === undefined) return here;
    // BullMQ refuses colons in names.
    return [{ prefix, name, library: name.includes(':') ? 'bull' : 'bullmq' }];
  });
}

type Candidates = Readonly<Record<RedisQueue['library'], Set<string>>>;

/** One scan finds both markers: `:meta` and `:id` begin with `m` or `i`, and then `d` or `e`. */
async function candidatesUnder(prefix: string, nodes: readonly ScannedNode[]): Promise<Candidates> {
  const candidates: Candidates = { bullmq: new Set(), bull: new Set() };
  const pattern = `${prefix}:*:[im][de]*`;
  await Promise.all(
    nodes.map(async (node) => {
      let cursor = '0';
      do {
        const [next, keys] = await node.scan(cursor, 'MATCH', pattern, 'COUNT', scanCount);
        for (const key of keys) add(candidates, key.slice(prefix.length + 1));
        cursor = next;
      } while (cursor !== '0');
    }),
  );
  return candidates;
}

function add(candidates: Candidates, rest: string): void {
  for (const library of ['bullmq', 'bull'] as const) {
    const { suffix } = markers[library];
    if (!rest.endsWith(suffix)) continue;
    const name = rest.slice(0, -suffix.length);
    // No address holds such a name.
    if (name === '' || name.includes('\0')) continue;
    // BullMQ refuses colons in names: such a key belongs to a longer prefix.
    if (library === 'bull' || !name.includes(':')) candidates[library].add(name);
  }
}

/** The names whose marker has its type: a job may have any id, such as `id`, but its key is a hash. */
async function having(
  library: RedisQueue['library'],
  prefix: string,
  names: ReadonlySet<string>,
  client: ProbingClient,
): Promise<Set<string>> {
  const { suffix, type } = markers[library];
  const all = [...names];
  const kept = new Set<string>();
  for (let from = 0; from < all.length; from += probesAtATime) {
    const some = all.slice(from, from + probesAtATime);
    // One write to the socket: the client sends commands of one turn together.
    const types = await Promise.all(some.map((name) => client.type(`${prefix}:${name}${suffix}`)));
    some.forEach((name, index) => {
      if (types[index] === type) kept.add(name);
    });
  }
  return kept;
}
