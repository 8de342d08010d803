/** Adds failed jobs up by their error. */

import { type StoredError, mostNames, mostReleases } from '../../contract/index.ts';
import { constantPart, cutText, normalizedError, reasonLength } from '../../../lib/index.ts';
import type { HistoryProvider } from '../history/provider.ts';
import { hostDigest, nameDigest } from './fingerprint.ts';
import type { CurveBuckets, FailurePart } from './source.ts';

type RecordedErrors = Awaited<ReturnType<NonNullable<HistoryProvider['getErrors']>>>;

interface Seen {
  count: number;
  firstAt: number;
  lastAt: number;
}

/** An error while it is added up. */
interface Group extends Seen {
  readonly error: string;
  /** Part of every message. */
  search: string;
  readonly curve: Map<number, number>;
  readonly queues: Map<string, number>;
  readonly names: Set<string>;
  readonly releases: Map<string, Seen>;
  example: StoredError['example'];
  recorded?: Seen;
}

const never: Seen = { count: 0, firstAt: Infinity, lastAt: -Infinity };

function see(into: Seen, { count, firstAt, lastAt }: Seen): void {
  into.count += count;
  into.firstAt = Math.min(into.firstAt, firstAt);
  into.lastAt = Math.max(into.lastAt, lastAt);
}

/** The errors of one answer. */
export class ErrorGroups {
  readonly #buckets: CurveBuckets;
  readonly #groups = new Map<string, Group>();
  /** Digests by name. */
  readonly #digests = new Map<string, string>();

  constructor(buckets: CurveBuckets) {
    this.#buckets = buckets;
  }

  get size(): number {
    return this.#groups.size;
  }

  add(part: FailurePart): void {
    const { queueName, reason, name, release, bucket, count, lastAt, id, told } = part;
    const group = this.#of(reason, told);
    see(group, part);
    group.queues.set(queueName, (group.queues.get(queueName) ?? 0) + count);
    if (bucket >= 0) group.curve.set(bucket, (group.curve.get(bucket) ?? 0) + count);
    if (name !== null && group.names.size < mostNames) group.names.add(name);
    if (release !== null) {
      const seen = group.releases.get(release) ?? { ...never };
      group.releases.set(release, seen);
      see(seen, part);
    }
    if (group.example === null || lastAt > group.example.at) {
      const message = cutText(reason, reasonLength).toWellFormed();
      group.example = { queueName, id, message, at: lastAt };
    }
  }

  /** Adds what a recorder keeps. `shown` makes a reason one that the sender may see. */
  addRecorded(recorded: RecordedErrors, shown: (reason: string) => string): void {
    for (const { example, queues, count, firstAt, lastAt } of recorded) {
      const group = this.#of(shown(example));
      group.recorded ??= { ...never };
      see(group.recorded, { count, firstAt, lastAt });
      for (const name of queues) group.queues.set(name, group.queues.get(name) ?? 0);
    }
  }

  /** The most frequent first. */
  get list(): StoredError[] {
    return Array.from(this.#groups, ([fingerprint, group]) => this.#shown(fingerprint, group)).sort(
      (one, other) => other.count - one.count || other.lastAt - one.lastAt,
    );
  }

  #of(reason: string, told?: string): Group {
    const error = normalizedError(reason);
    let fingerprint = told ? hostDigest(told) : this.#digests.get(error);
    if (fingerprint === undefined) {
      fingerprint = nameDigest(error);
      this.#digests.set(error, fingerprint);
    }
    const known = this.#groups.get(fingerprint);
    if (known) {
      // The host may count several messages as one error.
      if (told && known.error !== error) known.search = '';
      return known;
    }
    const group: Group = {
      ...never,
      error,
      search: constantPart(error),
      curve: new Map(),
      queues: new Map(),
      names: new Set(),
      releases: new Map(),
      example: null,
    };
    this.#groups.set(fingerprint, group);
    return group;
  }

  #shown(fingerprint: string, group: Group): StoredError {
    const { error, search, count, curve, queues, names, releases, example, recorded } = group;
    const { from, bucketMs } = this.#buckets;
    return {
      fingerprint,
      error,
      search,
      count,
      firstAt: Math.min(group.firstAt, recorded?.firstAt ?? Infinity),
      lastAt: Math.max(group.lastAt, recorded?.lastAt ?? -Infinity),
      curve: Array.from(curve, ([at, value]) => ({ ts: from + at * bucketMs, value })).sort(
        (one, other) => one.ts - other.ts,
      ),
      queues: Array.from(queues, ([queueName, jobs]) => ({ queueName, count: jobs })).sort(
        (one, other) => (one.queueName < other.queueName ? -1 : 1),
      ),
      names: [...names].sort(),
      releases: Array.from(releases, ([release, seen]) => ({ release, ...seen }))
        .sort((one, other) => other.lastAt - one.lastAt)
        .slice(0, mostReleases),
      example,
      ...(recorded && { recorded }),
    };
  }
}
