/** The datastores of runs, for tests that open them in several processes: their queues, and a board of a queue. */

import Bull from 'bull';
import * as bullmq from 'bullmq';
import { Cluster, Redis } from 'ioredis';
import * as pgBoss from 'pg-boss-12.38';
import type { BoardEvent, BoardOptions } from '../../../src/board/index.ts';
import { bullmqQueue, bullQueue, kvqEngine } from '../../../src/board/kvq/index.ts';
import type { BoardQueue } from '../../../src/board/kvq/index.ts';
import { pgqEngine } from '../../../src/board/pgq/index.ts';
import { openBoard } from '../../../src/board/core/index.ts';
import type { Board } from '../../../src/board/core/index.ts';
import { quiet } from '../../quiet.ts';

export type StoreName =
  | 'BullMQ on Redis'
  | 'BullMQ on a cluster'
  | 'BullMQ on PostgreSQL'
  | 'Bull'
  | 'pg-boss';

/** A datastore, for another process. */
export interface StoreSettings {
  readonly store: StoreName;
  readonly url: string;
  readonly prefix: string;
}

/** The settings of a process: its queues, and whether it may write. */
export interface InstanceSettings extends StoreSettings {
  readonly queues: readonly string[];
  readonly readOnly?: boolean;
  /** The number of the part at which it holds its runs until it is told to go on, from 1. */
  readonly holdsAt?: number;
  /** After which pg-boss's database ends a part; default: none that a test waits for. */
  readonly writeTimeoutMs?: number;
}

/** A message of a process: the address of its board, an event, or that the board is closed. */
export type InstanceEvent =
  | { readonly url: string }
  | BoardEvent
  | { readonly closed: true }
  | { readonly held: true };

/** The options of queues and workers of BullMQ. */
export function bullmqOptions({ store, url, prefix }: StoreSettings) {
  if (store === 'BullMQ on PostgreSQL') {
    return {
      options: { connection: { connectionString: url, max: 6, migrate: true } },
      backend: [bullmq.createPostgresBackend],
    };
  }
  const settings = { maxRetriesPerRequest: null };
  const client =
    store === 'BullMQ on a cluster'
      ? new Cluster([url], { redisOptions: settings })
      : new Redis(url, settings);
  client.on('error', quiet);
  return { client, options: { connection: client, prefix: `{${prefix}}` }, backend: [] };
}

/** A class of BullMQ on its datastore. */
export function made<Made>(constructor: unknown, ...args: unknown[]): Made {
  const object = Reflect.construct(constructor as new () => object, args);
  (object as { on?(name: string, listener: () => void): void }).on?.('error', quiet);
  return object as Made;
}

export function bullAt({ url, prefix }: StoreSettings, name: string): Bull.Queue {
  return made<Bull.Queue>(Bull, name, url, { prefix });
}

/** A board of the queues, which serves requests of the Fetch API. `passes` is awaited before each part of a run. */
export function boardOf(
  settings: InstanceSettings,
  options: BoardOptions,
  passes: () => Promise<void>,
): Board {
  const { store, url, queues } = settings;
  if (store === 'pg-boss') {
    class Held extends pgBoss.PgBoss {
      override async retry(...args: Parameters<pgBoss.PgBoss['retry']>) {
        await passes();
        return super.retry(...args);
      }
    }
    const library = { ...pgBoss, PgBoss: Held } as never;
    const { writeTimeoutMs = 600_000 } = settings;
    const engine = pgqEngine({ connection: url, library, snapshotMs: 0, writeTimeoutMs });
    return openBoard(engine, undefined, options, false);
  }
  const { options: given, backend } = bullmqOptions(settings);
  const registered = queues.map((name): BoardQueue => {
    const queue =
      store === 'Bull'
        ? bullQueue(bullAt(settings, name))
        : bullmqQueue(made<bullmq.Queue>(bullmq.Queue, name, given, ...backend));
    const { driver } = queue;
    const selectionStep = driver.selectionStep.bind(driver);
    driver.selectionStep = (...args) => {
      const step = selectionStep(...args);
      return async () => {
        await passes();
        return step();
      };
    };
    return queue;
  });
  return openBoard(kvqEngine({ queues: registered, snapshotMs: 0 }), undefined, options, false);
}
