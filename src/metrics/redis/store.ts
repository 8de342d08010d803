/** Keeps the history in Redis. */

import { randomUUID } from 'node:crypto';
import { checkOptions, refuseArguments, type OptionTableOf } from '../../lib/index.ts';
import * as option from '../../lib/option-rows.ts';
import { isStorableText } from '../../schema/index.ts';
import { isUnavailable, sendScripts } from '../../board/kvq/index.ts';
import type { RedisClient, Script } from '../../board/kvq/index.ts';
import { globalQueue, HistoryUnavailableError, usageOf } from '../../board/core/index.ts';
import type { QueueUsageRow } from '../../board/core/index.ts';
import type { FailedAttempt } from '../../board/contract/index.ts';
import { attemptDays } from '../model/errors.ts';
import { encodedWrite, stateOf } from '../model/encode.ts';
import type { MetricsStore, QueueState, Series } from '../model/store.ts';
import { hoursPerDay, isoDay, lastDayBefore, minutesPerDay } from '../model/time.ts';
import { minutesPerChunk } from './layout.ts';
import { aboutScript, attemptsScript, readScript, usageScript } from './read-scripts.ts';
import { bucketsOf, durationsOf, fieldsOf, listOf, numbersOf, type Range } from './values.ts';
import { addAttemptsScript, commitScript, purgeScript, releaseScript } from './write-scripts.ts';

/** Options of {@link redisMetricsStore}. */
export interface RedisMetricsStoreOptions {
  /**
   * Namespace of the keys; a history has one, and its keys are in one slot of a cluster. Letters, digits and `.:_-`.
   * Default `sluice-metrics`.
   */
  readonly prefix?: string;
}

const optionTable = {
  prefix: option.matching('1 to 64 letters, digits and .:_-', /^[\w.:-]{1,64}$/),
} satisfies OptionTableOf<RedisMetricsStoreOptions>;

/** Queues per script: enough to save writes, few enough not to block Redis for long. */
const queuesPerScript = 50;

/**
 * Scripts that are sent at a time where there are many: Redis reads them at once and runs nothing else. Their number
 * follows the time that the last ones took, so that others wait about as many milliseconds.
 */
const [fewestAtATime, mostAtATime, shareMs] = [4, 500, 10];

/** Queues of which one script tells the usage. */
const queuesPerUsage = 5;

/** Failed attempts that one script adds. */
const attemptsPerScript = 200;

/** A connection to Redis: a `Redis` or `Cluster` of ioredis. */
export type MetricsRedis = Pick<
  RedisClient,
  'status' | 'options' | 'pipeline' | 'call' | 'once' | 'removeListener'
>;

const connectionRow = option.withMethods('a connection of ioredis', 'pipeline', 'call');

/**
 * Keeps the history in Redis, Valkey or a cluster, under keys that begin with `{<prefix>}:`. The connection stays open.
 *
 * @throws {TypeError} when the connection is not one of ioredis, or an option is unknown or has a wrong type
 */
export function redisMetricsStore(
  connection: MetricsRedis,
  options?: RedisMetricsStoreOptions,
  ...more: readonly unknown[]
): MetricsStore {
  refuseArguments('redisMetricsStore', 2, more);
  checkOptions('redisMetricsStore', { connection }, { connection: option.required(connectionRow) });
  checkOptions('redisMetricsStore', options, optionTable);
  return new RedisMetricsStore(connection, `{${options?.prefix ?? 'sluice-metrics'}}`);
}

class RedisMetricsStore implements MetricsStore {
  readonly #client: RedisClient;
  readonly #namespace: string;

  constructor(client: RedisClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  readonly commit: MetricsStore['commit'] = async ({
    holder,
    leaseMs,
    instance,
    retention,
    writes,
  }) => {
    const fresh = randomUUID();
    const kept = writes.filter(({ queue }) => isStorableText(queue));
    const inputs = chunksOf(kept, queuesPerScript).map((some) => ({
      holder,
      lease: leaseMs,
      instance: instance ?? '',
      fresh,
      ...retention,
      writes: some.map(encodedWrite),
    }));
    const answers = await this.#run(commitScript, inputs);
    const states = new Map<string, QueueState>();
    let [known, written] = [instance ?? fresh, true];
    for (const [index, answer] of answers.entries()) {
      const [named, applied, rows] = answer as [string, number, [number, number, number, number][]];
      known = named;
      written &&= applied === 1;
      for (const [position, row] of listOf<readonly number[]>(rows).entries()) {
        const write = kept[index * queuesPerScript + position];
        if (write) states.set(write.queue, stateOf(row));
      }
    }
    return { instance: known, written, states };
  };

  readonly release: MetricsStore['release'] = async (holder, queues) => {
    if (queues.length > 0) await this.#run(releaseScript, [{ holder, queues }]);
  };

  readonly lastWrite: MetricsStore['lastWrite'] = async () => {
    const { written } = await this.#about();
    return written > 0 ? written : null;
  };

  readonly counters: MetricsStore['counters'] = async (metric, queues, range) => {
    const [tier, width] = range.granularity === 'hour' ? ['hours', hoursPerDay] : ['totals', 1];
    const hashes = [[`:${metric}:${tier}`, 0]] as const;
    const fields = fieldsOf(range, width);
    const series = await this.#series(queues, hashes, width, range, numbersOf, { fields });
    // An hour that is not known is -1.
    return series.map((points) => points.filter(([, value]) => value >= 0));
  };

  readonly histograms: MetricsStore['histograms'] = async (metric, queues, range) => {
    if (range.granularity === 'day') {
      const hashes = [[`:${metric}:totals`, 0]] as const;
      return this.#series(queues, hashes, 1, range, durationsOf, { fields: fieldsOf(range, 1) });
    }
    const hashes = bucketsOf(range, hoursPerDay).map(
      (day) => [`:hour:${day}`, day * hoursPerDay] as const,
    );
    return this.#series(queues, hashes, 1, range, durationsOf, { only: metric.slice(0, 1) });
  };

  readonly minutes: MetricsStore['minutes'] = async (metric, queues, from, to) => {
    const range = { from, to };
    const hashes = bucketsOf(range, minutesPerDay).map(
      (day) => [`:${metric}:${day}`, day * minutesPerDay] as const,
    );
    const chunks = fieldsOf(range, minutesPerChunk);
    const fields = chunks?.map((chunk) => chunk % (minutesPerDay / minutesPerChunk));
    const series = await this.#series(queues, hashes, minutesPerChunk, range, numbersOf, {
      fields,
    });
    return series.map((points) => points.filter(([, count]) => count > 0));
  };

  readonly addAttempts: MetricsStore['addAttempts'] = async (attempts, perQueue) => {
    const inputs = [...attempts]
      .filter(([queue]) => isStorableText(queue))
      .flatMap(([queue, all]) =>
        chunksOf(all, attemptsPerScript).map((some) => ({
          queue,
          attempts: some.map((attempt) => JSON.stringify(attempt)),
          most: perQueue,
          days: attemptDays,
        })),
      );
    await this.#runInTurn(addAttemptsScript, inputs);
  };

  readonly attempts: MetricsStore['attempts'] = async (queues) => {
    const names = queues?.filter(isStorableText) ?? (await this.#about()).queues;
    const answers = await this.#runInTurn(
      attemptsScript,
      names.map((queue) => ({ queue })),
    );
    return answers
      .flatMap((answer, index) =>
        listOf<string>(answer).map((text) => ({
          ...(JSON.parse(text) as FailedAttempt),
          queue: names[index] ?? '',
        })),
      )
      .toSorted((left, right) => left.at - right.at);
  };

  readonly usage: MetricsStore['usage'] = async () => {
    const { queues, minutes, hours } = await this.#about();
    const names = [...queues, globalQueue];
    const inputs = chunksOf(names, queuesPerUsage).map((some) => ({
      queues: some,
      minutes,
      hours,
    }));
    const answers = (await this.#runInTurn(usageScript, inputs)).flatMap((answer) =>
      listOf<[[number, number][], number, unknown]>(answer),
    );
    const rows = answers.map(([tiers, recorded, days], index): QueueUsageRow => {
      const tier = (place: number) => ({
        keys: tiers[place]?.[0] ?? 0,
        bytes: tiers[place]?.[1] ?? 0,
      });
      return {
        queue: names[index] ?? '',
        minutes: recorded,
        days: listOf<number>(days).map(isoDay),
        tiers: { minute: tier(0), hour: tier(1), day: tier(2) },
      };
    });
    return usageOf(rows);
  };

  readonly purge: MetricsStore['purge'] = async ({ queue, before }) => {
    if (queue !== undefined && !isStorableText(queue)) return { keysDeleted: 0, fieldsDeleted: 0 };
    const about = await this.#about();
    const latest = about.today + 1;
    const last = before === undefined ? latest : lastDayBefore(before, latest);
    const { minutes, hours, days } = about;
    // The rollup comes last, so that it is empty even where shares were not exact; where a recorder has written meanwhile,
    // it keeps that.
    const names = queue === undefined ? [...about.queues, globalQueue] : [queue];
    const answers = await this.#runInTurn(
      purgeScript,
      names
        .filter((name) => queue === undefined || name !== globalQueue)
        .map((name) => ({
          queue: name,
          last,
          began: about.today,
          minutes,
          hours,
          days,
          whole: before === undefined || last === latest,
        })),
    );
    const sum = (place: 0 | 1): number =>
      answers.reduce<number>((total, answer) => total + (answer as [number, number])[place], 0);
    return { keysDeleted: sum(0), fieldsDeleted: sum(1) };
  };

  /**
   * The buckets of each queue in order, from hashes with the ends of their keys and their first buckets. A field has the
   * values of `width` buckets.
   */
  async #series<Value>(
    queues: readonly string[],
    hashes: readonly (readonly [ending: string, first: number])[],
    width: number,
    { from, to }: Range,
    valuesOf: (raw: unknown) => readonly Value[],
    part: { readonly fields?: readonly number[] | undefined; readonly only?: string } = {},
  ): Promise<Series<Value>[]> {
    const inputs = chunksOf(queues, queuesPerScript).map((some) => ({
      queues: some.map(storable),
      endings: hashes.map(([ending]) => ending),
      ...part,
    }));
    const letters = part.only?.length;
    const pointsOf = (fields: unknown, first: number): Series<Value> =>
      listOf<readonly [string | number, unknown]>(fields)
        .map(([field, raw]) => [first + Number(String(field).slice(letters)) * width, raw] as const)
        .toSorted(([left], [right]) => left - right)
        .flatMap(([place, raw]) => valuesOf(raw).map((value, at) => [place + at, value] as const))
        .filter(([bucket]) => bucket >= from && bucket <= to);
    const answers = await this.#run(readScript, inputs);
    return answers.flatMap((answer) =>
      listOf(answer).map((read) => {
        const hashesRead = listOf(read);
        return hashes.flatMap(([, first], index) => pointsOf(hashesRead[index], first));
      }),
    );
  }

  async #about() {
    const [answer] = await this.#run(aboutScript, [{}]);
    const [queues, ...numbers] = answer as [unknown, ...number[]];
    const [minutes = 0, hours = 0, days = 0, today = 0, written = 0] = numbers;
    return { queues: listOf<string>(queues), minutes, hours, days, today, written };
  }

  /** Runs a script for each input, some at a time: each of them has the time limit of a write. */
  async #runInTurn(script: Script, inputs: readonly object[]): Promise<unknown[]> {
    const answers: unknown[] = [];
    let atATime = fewestAtATime;
    while (answers.length < inputs.length) {
      const begun = performance.now();
      const some = inputs.slice(answers.length, answers.length + atATime);
      answers.push(...(await this.#run(script, some)));
      const fitting = Math.floor((atATime * shareMs) / (performance.now() - begun));
      atATime = Math.min(Math.max(fitting, fewestAtATime), atATime * 2, mostAtATime);
    }
    return answers;
  }

  /** Runs a script for each input, in one write. */
  async #run(script: Script, inputs: readonly object[]): Promise<unknown[]> {
    if (inputs.length === 0) return [];
    const calls = inputs.map((input) => ({
      script,
      keys: [this.#namespace],
      args: [JSON.stringify(input)],
    }));
    try {
      const { replies } = await sendScripts(this.#client, calls);
      return replies.map((reply): unknown => {
        if ('error' in reply) throw reply.error;
        return JSON.parse(String(reply.value));
      });
    } catch (error) {
      const [, otherVersion] =
        /SLUICE (.*)/s.exec(error instanceof Error ? error.message : '') ?? [];
      const isAway = otherVersion !== undefined || isUnavailable(error);
      throw isAway ? new HistoryUnavailableError(error, otherVersion) : error;
    }
  }
}

/** A name that a script can decode; another is not recorded, like that of NUL. */
function storable(queue: string): string {
  return isStorableText(queue) ? queue : '\0';
}

function chunksOf<Member>(list: readonly Member[], size: number): Member[][] {
  const chunks: Member[][] = [];
  for (let start = 0; start < list.length; start += size)
    chunks.push(list.slice(start, start + size));
  return chunks;
}
