/** The data of a queue in Redis. */

import type { Datastore, JobStatus, KvStats } from '../model/types.ts';
import type { JobPage } from '../model/job-record.ts';
import type { FoundJobs, JobCriteria } from '../model/search-criteria.ts';
import { keyOfStatus } from '../model/status.ts';
import type {
  FactsResult,
  FlowJob,
  LocatedJob,
  QueueStore,
  SchedulerRecord,
  WorkerRecord,
} from '../model/store.ts';
import { isUnavailable } from '../errors/unavailable.ts';
import { optionOf } from './connect/client.ts';
import { workersNamed } from './client-list.ts';
import { parseFlowJob } from './flow-job.ts';
import { redisStats } from './info.ts';
import {
  flowScript,
  jobScript,
  pagesArguments,
  pagesScript,
  parseLocated,
  parsePages,
  pausedState,
} from './jobs.ts';
import { QueueConnection, readOverAny } from './connect/queue-connection.ts';
import type { ConnectionSource } from './connect/queue-connection.ts';
import { readFacts } from './read-facts.ts';
import type { FactsQueue } from './read-facts.ts';
import type { Reply, Script } from './connect/script.ts';
import { findScheduler, listSchedulers } from './schedulers.ts';
import { scanJobs } from './search.ts';

/** The location of a queue's keys; `legacy` means keys of Bull instead of BullMQ. */
export interface RedisLocation extends FactsQueue, ConnectionSource {}

/** See {@link QueueStore}. */
export class RedisStore implements QueueStore {
  readonly datastore: Datastore = 'kv';
  readonly qualifiedName: string;
  readonly #location: RedisLocation;
  readonly #connection: QueueConnection;

  constructor(location: RedisLocation) {
    this.#location = location;
    this.#connection = new QueueConnection(location);
    this.qualifiedName = location.qualifiedName;
  }

  ready(): Promise<void> {
    return this.#connection.ensureAlive();
  }

  group(): string {
    return this.#connection.identity();
  }

  async facts(queues: readonly QueueStore[], withWorkers: boolean): Promise<FactsResult[]> {
    const stores = queues.filter((queue) => queue instanceof RedisStore);
    const locations = stores.map((store) => store.#location);
    const results = await readOverAny(
      stores.map((store) => store.#connection),
      (client) => readFacts(client, locations, withWorkers),
    );
    const known = new Map<QueueStore, FactsResult | undefined>(
      stores.map((store, index) => [store, results[index]]),
    );
    return queues.map((queue) => known.get(queue) ?? { error: new Error('Not a Redis queue.') });
  }

  async pages(statuses: readonly JobStatus[], start: number, end: number): Promise<JobPage[]> {
    return parsePages(
      statuses,
      await this.#connection.run(pagesScript, pagesArguments(statuses, start, end)),
    );
  }

  async job(id: string): Promise<LocatedJob | null> {
    const args = [id, pausedState(this.#location.legacy)];
    return parseLocated(id, await this.#connection.run(jobScript, args));
  }

  async flowJobs(ids: readonly string[], maxChildren: number): Promise<(FlowJob | null)[]> {
    const value = await this.#connection.run(flowScript, [maxChildren, ...ids]);
    const rows: unknown[] = Array.isArray(value) ? value : [];
    return ids.map((id, index) => parseFlowJob(id, rows[index]));
  }

  async workers(): Promise<WorkerRecord[] | null> {
    const lists = textsOf(await this.#connection.everywhere(['client', 'LIST']));
    if (!lists) return null;
    // A worker of a cluster connects to several nodes; the highest count of any node is used.
    return lists
      .map((list) => workersNamed(list, this.#location.clientName))
      .reduce((most, workers) => (workers.length > most.length ? workers : most));
  }

  /** Jobs that finished with that status up to the time `before`. */
  async countFinished(status: 'completed' | 'failed', before: number): Promise<number> {
    return Number(await this.#connection.command('zcount', status, '-inf', before));
  }

  /** Ids of a sorted status, earliest due or finished first. */
  async ids(status: JobStatus, start: number, end: number): Promise<string[]> {
    const ids = await this.#connection.command('zrange', keyOfStatus(status), start, end);
    return Array.isArray(ids) ? ids.map(String) : [];
  }

  schedulers(limit: number): Promise<SchedulerRecord[]> {
    return listSchedulers(this.#scripted, limit);
  }

  scheduler(id: string): Promise<SchedulerRecord | null> {
    return findScheduler(this.#scripted, id);
  }

  async stats(): Promise<KvStats | null> {
    const texts = textsOf(await this.#connection.everywhere(['info']));
    if (!texts) return null;
    const { options } = await this.#connection.client();
    return redisStats(texts, optionOf(options, 'sentinels') != null);
  }

  find(criteria: JobCriteria): Promise<FoundJobs> {
    return scanJobs(this.#scripted, criteria);
  }

  /** The queue, for modules that read it with their own scripts. */
  get #scripted() {
    const { legacy, statuses } = this.#location;
    const run = (script: Script, args: readonly (string | number)[]) =>
      this.#connection.run(script, args);
    return { legacy, statuses, run };
  }
}

/** The replies of the servers as text; `null` where they refuse. Rejects when they are temporarily unable to reply. */
function textsOf(replies: readonly Reply[]): string[] | null {
  const texts = replies.flatMap((reply) => ('value' in reply ? [String(reply.value)] : []));
  if (texts.length > 0) return texts;
  for (const reply of replies) {
    const forbidden = 'error' in reply && reply.error.message.startsWith('NOPERM');
    if ('error' in reply && !forbidden && isUnavailable(reply.error)) throw reply.error;
  }
  return null;
}
