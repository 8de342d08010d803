/** The data of a queue in Redis. */

import type { Datastore, QueueMetrics } from '../model/types.ts';
import { heavyRead } from '../../core/index.ts';
import type { FactsResult, FlowJob, QueueStore } from '../model/store.ts';
import { isUnavailable } from '../errors/unavailable.ts';
import { readActivity } from './activity.ts';
import { optionOf } from './connect/client.ts';
import { workersByName } from './client-list.ts';
import { parsePlace, placeScript, readCourse } from './course.ts';
import type { ChangedQueue } from './changes/bulk.ts';
import { redisStats } from './info.ts';
import {
  flowScript,
  jobScript,
  limitArguments,
  parseVersioned,
  pausedState,
  parseLocated,
} from './jobs.ts';
import { readLogPage, readLogs } from './logs.ts';
import { readRecordings } from './recording.ts';
import { ownConnections } from './connect/own-connections.ts';
import { QueueConnection, readOverAny, sendScripts } from './connect/queue-connection.ts';
import type { ConnectionSource } from './connect/queue-connection.ts';
import { readFacts, type FactsQueue } from './read-facts.ts';
import { type Reply, type Script, defineScript } from './connect/script.ts';
import { readSummaries } from './summaries.ts';
import { readTimeline } from './timeline.ts';
import { findScheduler, latestWithPrefix, listSchedulers } from './schedulers.ts';
import { scanJobs } from './search/search.ts';
import { readFailures } from './failures.ts';
import { hashFields } from './job-hash.ts';
import { readPages } from './job-pages.ts';

/** Returns `null` when the job does not exist. */
function parseFlowJob(id: string, value: unknown): FlowJob | null {
  const located = parseLocated(id, value);
  if (!located || !Array.isArray(value)) return null;
  const [, , processed, unprocessed, ignored, failed, children, reasons]: unknown[] = value;
  return {
    ...located,
    dependencies: {
      processed: Number(processed),
      unprocessed: Number(unprocessed),
      ignored: Number(ignored),
      failed: Number(failed),
    },
    childKeys: Array.isArray(children) ? children.map(String) : [],
    ignoredReasons: Object.fromEntries(hashFields(reasons)),
  };
}

/** The location of a queue's keys; `legacy` means keys of Bull instead of BullMQ. */
interface RedisLocation extends FactsQueue, ConnectionSource {}

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

  readonly ready: QueueStore['ready'] = () => this.#connection.ensureAlive();

  readonly group: QueueStore['group'] = () => this.#connection.identity();

  readonly facts: QueueStore['facts'] = async (queues, withWorkers) => {
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
  };

  readonly recordings: QueueStore['recordings'] = async (queues) => {
    const asked = queues.flatMap(({ store, request }) =>
      store instanceof RedisStore ? [{ store, request }] : [],
    );
    return readOverAny(
      asked.map(({ store }) => store.#connection),
      (client) =>
        readRecordings(
          client,
          asked.map(({ store, request }) => ({ ...store.#location, request })),
        ),
    );
  };

  readonly activity: QueueStore['activity'] = async (queues, minutes, withWorkers) => {
    const stores = queues.filter((queue) => queue instanceof RedisStore);
    return readOverAny(
      stores.map((store) => store.#connection),
      (client) =>
        readActivity(
          client,
          stores.map((store) => store.#location),
          minutes,
          withWorkers,
        ),
    );
  };

  readonly pages: QueueStore['pages'] = async (statuses, start, end, limits) =>
    readPages(this.#reads.run, statuses, start, end, limits);

  readonly summaries: QueueStore['summaries'] = async (query) =>
    readSummaries(this.#reads.run, query);

  readonly timeline: QueueStore['timeline'] = async (buckets) =>
    readTimeline(this.#reads.run, this.#location.statuses, buckets);

  readonly failures: QueueStore['failures'] = (query) => readFailures(this.#reads.run, query);

  readonly logs: QueueStore['logs'] = async (id, limits) => readLogs(this.#reads.run, id, limits);

  readonly logPage: QueueStore['logPage'] = async (id, start, limit, { maxBytes }) =>
    readLogPage(this.#reads.run, id, start, limit, maxBytes);

  readonly metrics: QueueStore['metrics'] = async (kind) =>
    parseMetrics(await this.#connection.run(metricsScript, [kind]));

  readonly job: QueueStore['job'] = async (id, withTexts = false) => {
    const args = [id, pausedState(this.#location.legacy)];
    return parseVersioned(id, await this.#reads.run(jobScript, args), withTexts);
  };

  readonly events: QueueStore['events'] = (id, from, to) =>
    readCourse(this.#reads.run, id, from, to);

  readonly place: QueueStore['place'] = async ({ job, state }) => {
    const args = [job.id, state, job.deduplicationId ?? ''];
    return parsePlace(await this.#reads.run(placeScript, args));
  };

  readonly flowJobs: QueueStore['flowJobs'] = async (ids, maxChildren, limits) => {
    const args = [maxChildren, ...limitArguments(limits), ...ids];
    const value = await this.#reads.run(flowScript, args);
    const rows: unknown[] = Array.isArray(value) ? value : [];
    return ids.map((id, index) => parseFlowJob(id, rows[index]));
  };

  readonly workers: QueueStore['workers'] = async (queues) => {
    const stores = queues.filter((queue) => queue instanceof RedisStore);
    const { perNode } = await readOverAny(
      stores.map((store) => store.#connection),
      (client) => sendScripts(client, [], [['client', 'LIST']]),
    );
    const lists = textsOf(perNode)?.map(workersByName);
    // A worker of a cluster connects to several nodes; the highest count of any node is used.
    return stores.map(
      (store) =>
        lists
          ?.map((list) => [...(list.get(store.#location.clientName) ?? [])])
          .reduce((most, workers) => (workers.length > most.length ? workers : most)) ?? null,
    );
  };

  readonly schedulers: QueueStore['schedulers'] = (limit) => listSchedulers(this.#scripted, limit);

  readonly scheduler: QueueStore['scheduler'] = (id) => findScheduler(this.#scripted, id);

  readonly latestWithPrefix: QueueStore['latestWithPrefix'] = (prefix) =>
    latestWithPrefix(this.#scripted, prefix);

  readonly stats: QueueStore['stats'] = async () => {
    const texts = textsOf(await this.#connection.everywhere(['info']));
    if (!texts) return null;
    const { options } = await this.#connection.client();
    return redisStats(texts, optionOf(options, 'sentinels') != null);
  };

  readonly find: QueueStore['find'] = (criteria) => scanJobs(this.#reads, criteria);

  /** The queue, for scripts that change its jobs. */
  get changed(): ChangedQueue {
    const { legacy, statuses, run } = this.#scripted;
    return { settings: { legacy, paused: statuses.includes('paused') }, run };
  }

  /** The queue, for modules that read it with their own scripts. */
  get #scripted() {
    const { legacy, statuses } = this.#location;
    const run = (script: Script, args: readonly (string | number)[]) =>
      this.#connection.run(script, args);
    return { legacy, statuses, run };
  }

  /** The queue, for reads that may be heavy: within the budget of the board, on a connection of its own. */
  get #reads() {
    const heavy = heavyRead();
    if (!heavy) return this.#scripted;
    const send = ownConnections(heavy.board).of(this.#location, this.#connection);
    const run = (script: Script, args: readonly (string | number)[]) =>
      heavy.request(() => send(script, args));
    return { ...this.#scripted, run };
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

/** `ARGV`: `completed` or `failed`. Returns the fields, and the counts of at most two weeks. */
const metricsScript = defineScript(`
local key = KEYS[1] .. 'metrics:' .. ARGV[1]
return {
  redis.call('HGETALL', key), redis.call('LRANGE', key .. ':data', 0, 20159), redis.call('LLEN', key .. ':data'),
}
`);

/** Parses the metrics that {@link metricsScript} returned. */
function parseMetrics(value: unknown): QueueMetrics {
  const [pairs, data, count]: unknown[] = Array.isArray(value) ? value : [];
  const fields = hashFields(pairs);
  const number = (text: unknown): number => Number(text) || 0;
  return {
    meta: {
      count: number(fields.get('count')),
      prevTS: number(fields.get('prevTS')),
      prevCount: number(fields.get('prevCount')),
    },
    data: Array.isArray(data) ? data.map(number) : [],
    count: number(count),
  };
}
