/** The data of a queue that lives in Redis. */

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
import { isUnreachable } from '../errors/unavailable.ts';
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
import { overAny, QueueLine } from './connect/queue-connection.ts';
import type { LineEnds } from './connect/queue-connection.ts';
import { readFacts } from './read-facts.ts';
import type { FactsQueue } from './read-facts.ts';
import type { Reply, Script } from './connect/script.ts';
import { findScheduler, listSchedulers } from './schedulers.ts';
import { scanJobs } from './search.ts';

/** Where a queue's keys are, and how to get there; `legacy` means keys of Bull instead of BullMQ. */
export interface RedisPlace extends FactsQueue, LineEnds {}

/** See {@link QueueStore}. */
export class RedisStore implements QueueStore {
  readonly datastore: Datastore = 'kv';
  readonly qualifiedName: string;
  readonly #place: RedisPlace;
  readonly #line: QueueLine;

  constructor(place: RedisPlace) {
    this.#place = place;
    this.#line = new QueueLine(place);
    this.qualifiedName = place.qualifiedName;
  }

  ready(): Promise<void> {
    return this.#line.answers();
  }

  group(): string {
    return this.#line.identity();
  }

  async facts(queues: readonly QueueStore[], withWorkers: boolean): Promise<FactsResult[]> {
    const stores = queues.filter((queue) => queue instanceof RedisStore);
    const places = stores.map((store) => store.#place);
    const results = await overAny(
      stores.map((store) => store.#line),
      (client) => readFacts(client, places, withWorkers),
    );
    const known = new Map<QueueStore, FactsResult | undefined>(
      stores.map((store, index) => [store, results[index]]),
    );
    return queues.map((queue) => known.get(queue) ?? { error: new Error('Not a Redis queue.') });
  }

  async pages(statuses: readonly JobStatus[], start: number, end: number): Promise<JobPage[]> {
    return parsePages(
      statuses,
      await this.#line.run(pagesScript, pagesArguments(statuses, start, end)),
    );
  }

  async job(id: string): Promise<LocatedJob | null> {
    const args = [id, pausedState(this.#place.legacy)];
    return parseLocated(id, await this.#line.run(jobScript, args));
  }

  async flowJobs(ids: readonly string[], maxChildren: number): Promise<(FlowJob | null)[]> {
    const value = await this.#line.run(flowScript, [maxChildren, ...ids]);
    const rows: unknown[] = Array.isArray(value) ? value : [];
    return ids.map((id, index) => parseFlowJob(id, rows[index]));
  }

  async workers(): Promise<WorkerRecord[] | null> {
    const lists = textsOf(await this.#line.everywhere(['client', 'LIST']));
    if (!lists) return null;
    // A worker of a cluster is connected to several nodes; the node that knows most of them counts.
    return lists
      .map((list) => workersNamed(list, this.#place.clientName))
      .reduce((most, workers) => (workers.length > most.length ? workers : most));
  }

  /** Jobs that finished in that way up to the moment `before`. */
  async countFinished(status: 'completed' | 'failed', before: number): Promise<number> {
    return Number(await this.#line.command('zcount', status, '-inf', before));
  }

  /** Ids of a sorted status, those due or finished first at the front. */
  async ids(status: JobStatus, start: number, end: number): Promise<string[]> {
    const ids = await this.#line.command('zrange', keyOfStatus(status), start, end);
    return Array.isArray(ids) ? ids.map(String) : [];
  }

  schedulers(limit: number): Promise<SchedulerRecord[]> {
    return listSchedulers(this.#scripted, limit);
  }

  scheduler(id: string): Promise<SchedulerRecord | null> {
    return findScheduler(this.#scripted, id);
  }

  async stats(): Promise<KvStats | null> {
    const texts = textsOf(await this.#line.everywhere(['info']));
    if (!texts) return null;
    const { options } = await this.#line.client();
    return redisStats(texts, optionOf(options, 'sentinels') != null);
  }

  find(criteria: JobCriteria): Promise<FoundJobs> {
    return scanJobs(this.#scripted, criteria);
  }

  /** The queue as those see it who read it by scripts of their own. */
  get #scripted() {
    const { legacy, statuses } = this.#place;
    const run = (script: Script, args: readonly (string | number)[]) =>
      this.#line.run(script, args);
    return { legacy, statuses, run };
  }
}

/** What servers told; `null` where they do not tell. Throws where they cannot, for now. */
function textsOf(replies: readonly Reply[]): string[] | null {
  const texts = replies.flatMap((reply) => ('value' in reply ? [String(reply.value)] : []));
  if (texts.length > 0) return texts;
  for (const reply of replies) {
    const forbidden = 'error' in reply && reply.error.message.startsWith('NOPERM');
    if ('error' in reply && !forbidden && isUnreachable(reply.error)) throw reply.error;
  }
  return null;
}
