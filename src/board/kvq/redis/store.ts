/** The data of a queue that lives in Redis. */

import type { Datastore, JobStatus, KvStats } from '../types.ts';
import { groupBy } from '../group-by.ts';
import type { JobPage } from '../job-record.ts';
import type { FoundJobs, JobCriteria } from '../search/criteria.ts';
import { keyOfStatus } from '../status.ts';
import type {
  FactsResult,
  FlowJob,
  LocatedJob,
  QueueStore,
  SchedulerRecord,
  WorkerRecord,
} from '../store.ts';
import { within } from '../time-limit.ts';
import { runBatch, runScript } from './channel.ts';
import { connectionIdentity, isCluster, optionOf } from './client.ts';
import type { RedisClient } from './client.ts';
import { workerNames, workersNamed } from './client-list.ts';
import { factsCalls, parseFacts, parseRows } from './facts.ts';
import { parseFlowJob } from './flow-job.ts';
import { redisStats } from './info.ts';
import {
  flowScript,
  jobScript,
  pagesArguments,
  pagesScript,
  parseLocated,
  parsePages,
} from './jobs.ts';
import { readyClient } from './readiness.ts';
import type { Script } from './script.ts';
import { findScheduler, listSchedulers } from './schedulers.ts';
import { scanJobs } from './search.ts';

/** Milliseconds the board waits for Redis. */
const patience = 5_000;

/** Where a queue's keys are, and how to get there. */
export interface RedisPlace {
  /** Keys of Bull instead of BullMQ. */
  readonly legacy: boolean;
  readonly statuses: readonly JobStatus[];
  /** `<prefix>:<queue>`. */
  readonly qualifiedName: string;
  /** Name that workers of the queue give their connections. */
  readonly clientName: string;
  /** The options the connection was, or will be, made with; or the connection itself. */
  readonly connection: object;
  /** The connection once it has been made. */
  client(): Promise<RedisClient>;
}

/** See {@link QueueStore}. */
export class RedisStore implements QueueStore {
  readonly datastore: Datastore = 'kv';
  readonly qualifiedName: string;
  readonly #place: RedisPlace;
  #connected: RedisClient | undefined;
  #identity: string | undefined;

  constructor(place: RedisPlace) {
    this.#place = place;
    this.qualifiedName = place.qualifiedName;
  }

  /** The client, connected and ready; rejects when its server is away. */
  async ready(): Promise<RedisClient> {
    const client = await readyClient(
      this.#connected ? Promise.resolve(this.#connected) : this.#place.client(),
    );
    this.#connected = client;
    return client;
  }

  group(): string {
    const { connection } = this.#place;
    // What a cluster's client knows of it changes; all else stays as it is.
    if (isCluster(connection)) return connectionIdentity(connection);
    return (this.#identity ??= connectionIdentity(connection));
  }

  async facts(queues: readonly QueueStore[], withWorkers: boolean): Promise<FactsResult[]> {
    const stores = queues.filter((queue) => queue instanceof RedisStore);
    const client = await anyReady(stores);
    const kinds = groupBy(stores, (store) =>
      [store.#place.legacy, ...store.#place.statuses].join(),
    );
    const parts = Array.from(kinds.values(), (members) => {
      const [{ legacy, statuses } = this.#place] = members.map((store) => store.#place);
      const bases = members.map((store) => `${store.qualifiedName}:`);
      // A script of a cluster may only touch keys of one slot.
      const calls = factsCalls({ legacy, statuses, bases }, isCluster(client) ? 1 : undefined);
      return { members, statuses, calls };
    });
    const calls = parts.flatMap((part) => part.calls);
    const everywhere = withWorkers ? [['client', 'LIST']] : [];
    const { replies, perNode } = await within(patience, runBatch(client, calls, everywhere));
    const names = withWorkers ? namesIn(perNode) : null;
    const results = new Map<QueueStore, FactsResult>();
    let next = 0;
    for (const { members, statuses, calls: own } of parts) {
      const answers = replies.slice(next, (next += own.length));
      const rows = answers.flatMap((reply, index): unknown[] =>
        'error' in reply ? (own[index]?.keys ?? []).map(() => reply.error) : parseRows(reply.value),
      );
      for (const [index, store] of members.entries()) {
        results.set(
          store,
          resultOf(rows[index], statuses, names?.has(store.#place.clientName) ?? null),
        );
      }
    }
    return queues.map((queue) => results.get(queue) ?? { error: new Error('Not a Redis queue.') });
  }

  async pages(statuses: readonly JobStatus[], start: number, end: number): Promise<JobPage[]> {
    return parsePages(statuses, await this.#run(pagesScript, pagesArguments(statuses, start, end)));
  }

  async job(id: string): Promise<LocatedJob | null> {
    const pausedState = this.#place.legacy ? 'paused' : 'waiting';
    return parseLocated(id, await this.#run(jobScript, [id, pausedState]));
  }

  async flowJobs(ids: readonly string[], maxChildren: number): Promise<(FlowJob | null)[]> {
    const value = await this.#run(flowScript, [maxChildren, ...ids]);
    const rows: unknown[] = Array.isArray(value) ? value : [];
    return ids.map((id, index) => parseFlowJob(id, rows[index]));
  }

  async workers(): Promise<WorkerRecord[] | null> {
    const client = await this.ready();
    const { perNode } = await within(patience, runBatch(client, [], [['client', 'LIST']]));
    const lists = perNode.flatMap((reply) => ('value' in reply ? [String(reply.value)] : []));
    if (lists.length === 0) return null;
    // A worker of a cluster is connected to several nodes; the node that knows most of them counts.
    return lists
      .map((list) => workersNamed(list, this.#place.clientName))
      .reduce((most, workers) => (workers.length > most.length ? workers : most));
  }

  /** Jobs that finished in that way up to the moment `before`. */
  async countFinished(status: 'completed' | 'failed', before: number): Promise<number> {
    return Number(await this.#command('zcount', status, '-inf', before));
  }

  /** Ids of a sorted status, those due or finished first at the front. */
  async ids(status: JobStatus, start: number, end: number): Promise<string[]> {
    const ids = await this.#command('zrange', keyOfStatus(status), start, end);
    return Array.isArray(ids) ? ids.map(String) : [];
  }

  schedulers(limit: number): Promise<SchedulerRecord[]> {
    return listSchedulers(this.#scripted, limit);
  }

  scheduler(id: string): Promise<SchedulerRecord | null> {
    return findScheduler(this.#scripted, id);
  }

  async stats(): Promise<KvStats | null> {
    const client = await this.ready();
    const { perNode } = await within(patience, runBatch(client, [], [['info']]));
    const texts = perNode.flatMap((reply) => ('value' in reply ? [String(reply.value)] : []));
    return redisStats(texts, optionOf(client.options, 'sentinels') != null);
  }

  find(criteria: JobCriteria): Promise<FoundJobs> {
    return scanJobs({ ...this.#scripted, job: (id) => this.job(id) }, criteria);
  }

  /** The queue as those see it who read it by scripts of their own. */
  get #scripted() {
    const { legacy, statuses } = this.#place;
    const run = (script: Script, args: readonly (string | number)[]) => this.#run(script, args);
    return { legacy, statuses, run };
  }

  async #command(name: string, key: string, ...args: (string | number)[]): Promise<unknown> {
    const client = await this.ready();
    return within(patience, client.call(name, `${this.qualifiedName}:${key}`, ...args));
  }

  async #run(script: Script, args: readonly (string | number)[]): Promise<unknown> {
    const client = await this.ready();
    return within(patience, runScript(client, script, [`${this.qualifiedName}:`], args));
  }
}

/** A connected client of any of the queues: they all lead to the same server. */
async function anyReady(stores: readonly RedisStore[]): Promise<RedisClient> {
  const [first, ...others] = stores;
  if (!first) throw new Error('No queue to read.');
  try {
    return await first.ready();
  } catch (error) {
    if (others.length === 0) throw error;
    return await Promise.any(others.map((store) => store.ready())).catch(() => {
      throw error;
    });
  }
}

function namesIn(replies: readonly ({ readonly value: unknown } | { readonly error: Error })[]) {
  const names = new Set<string>();
  for (const reply of replies) {
    // A server that does not tell leaves the question open.
    if ('error' in reply) return null;
    workerNames(String(reply.value), names);
  }
  return names;
}

function resultOf(
  row: unknown,
  statuses: readonly JobStatus[],
  hasWorkers: boolean | null,
): FactsResult {
  if (row instanceof Error) return { error: row };
  const facts = parseFacts(row, statuses);
  return facts
    ? { facts, hasWorkers }
    : { error: new Error('Keys of the queue are of another type.') };
}
