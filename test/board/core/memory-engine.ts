/** A `pgq` engine with queues in memory, sufficient to test the board around it over HTTP. */

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  BoardError,
  QueueVisibility,
  datastoreUnavailable,
} from '../../../src/board/core/index.ts';
import type {
  BoardEngine,
  EngineFactory,
  EngineHandlers,
  EngineHost,
  HookRequest,
  VisibilityGuard,
} from '../../../src/board/core/index.ts';
import { pgqRoutes } from '../../../src/board/contract/index.ts';
import type { PgqCommandResponse, PgqQueueSummary } from '../../../src/board/contract/index.ts';

export interface MemoryEngineOptions {
  readonly visibilityGuard?: VisibilityGuard;
  /** Delay of listing queues. */
  readonly delayMs?: number;
  /** Whether listing queues waits until the client has disconnected. */
  readonly untilGone?: boolean;
  /** Listing queues waits for it. */
  readonly until?: Promise<unknown>;
}

/** An engine whose state a test can read and change. */
export interface MemoryEngine {
  readonly factory: EngineFactory<'pgq'>;
  /** Jobs by queue. */
  readonly queues: Map<string, string[]>;
  /** Operations in the order they ran. */
  readonly ran: string[];
  closed: number;
  opened: number;
  /** Number of reads of all queues. */
  listed: number;
  /** Thrown by `listPgqQueues` instead of a response, and by reads of all queues. */
  failure: unknown;
  /** Thrown when the engine is opened. */
  openFailure: unknown;
}

function summary(name: string, total: number): PgqQueueSummary {
  const counts = { queued: total, deferred: 0, ready: total, active: 0, failed: 0, total };
  const time = '2026-01-01T00:00:00.000Z';
  return {
    name,
    policy: 'standard',
    partition: false,
    counts,
    statsCapturedOn: null,
    readyHistory: [],
    deadLetter: null,
    retryLimit: 2,
    retryDelay: 0,
    retryBackoff: false,
    retryDelayMax: null,
    expireInSeconds: 900,
    retentionSeconds: 1_209_600,
    deleteAfterSeconds: 604_800,
    warningQueueSize: 0,
    backlogged: false,
    heartbeatSeconds: null,
    notify: false,
    singletonsActive: null,
    scheduleCount: 0,
    createdOn: time,
    updatedOn: time,
  };
}

export function memoryEngine(options: MemoryEngineOptions = {}): MemoryEngine {
  let visibility: QueueVisibility | undefined;
  const sees: VisibilityGuard = (request, name) => visibility?.allows(request, name) ?? false;
  const state: MemoryEngine = {
    factory: { engine: 'pgq', open },
    queues: new Map([
      ['mail', ['1', '2']],
      ['a/b %', []],
      ['secret', ['3']],
    ]),
    ran: [],
    listed: 0,
    closed: 0,
    opened: 0,
    failure: undefined,
    openFailure: undefined,
  };

  async function jobsOf(request: HookRequest, name: string): Promise<string[]> {
    const jobs = state.queues.get(name);
    if (!jobs || !(await sees(request, name))) throw new BoardError('QUEUE_NOT_FOUND');
    return jobs;
  }

  const removeAll = async ({
    request,
    params,
  }: {
    readonly request: HookRequest;
    readonly params: { readonly queueName: string };
  }): Promise<PgqCommandResponse> => {
    const { length } = (await jobsOf(request, params.queueName)).splice(0);
    return { requested: length, affected: length };
  };

  const known: Partial<EngineHandlers<'pgq'>> = {
    async listPgqQueues({ request, signal }) {
      if (options.untilGone) await once(signal, 'abort');
      if (options.delayMs) await delay(options.delayMs);
      await options.until;
      if (state.failure !== undefined) throw state.failure;
      const shown = [];
      for (const [name, { length }] of state.queues) {
        if (await sees(request, name)) shown.push(summary(name, length));
      }
      return { queues: shown };
    },
    async getPgqQueue({ request, params }) {
      const { length } = await jobsOf(request, params.queueName);
      return { queue: summary(params.queueName, length) };
    },
    async sendPgqJob({ request, params, body }) {
      const jobs = await jobsOf(request, params.queueName);
      jobs.push(JSON.stringify(body));
      return { id: String(jobs.length) };
    },
    async retryPgqJobs({ request, params, body }) {
      await jobsOf(request, params.queueName);
      return { requested: body.ids.length, affected: 0 };
    },
    removePgqJob: async ({ request, params }) => {
      await jobsOf(request, params.queueName);
      throw new BoardError('JOB_IS_ACTIVE', {
        message: { key: 'JOB_IS_ACTIVE_DETAILS', options: { jobId: params.jobId } },
      });
    },
    deleteQueuedPgqJobs: removeAll,
    deleteStoredPgqJobs: removeAll,
    previewPgqSchedule: ({ body }) => ({
      runs: Array.from({ length: body.count }, () => body.expression),
    }),
  };

  async function open({ permissions }: EngineHost): Promise<BoardEngine<'pgq'>> {
    visibility = new QueueVisibility(options.visibilityGuard, permissions);
    state.opened += 1;
    if (state.openFailure !== undefined) throw state.openFailure;
    const handlers = Object.keys(pgqRoutes).map((operation) => [
      operation,
      (context: never) => {
        state.ran.push(operation);
        const handler = Object.entries(known).find(([name]) => name === operation)?.[1] as
          | ((context: never) => unknown)
          | undefined;
        if (!handler)
          throw new BoardError('PGQ_FEATURE_UNAVAILABLE', { options: { feature: operation } });
        return handler(context);
      },
    ]);
    return {
      engine: 'pgq',
      handlers: Object.fromEntries(handlers) as EngineHandlers<'pgq'>,
      translateError: (error) =>
        error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
          ? datastoreUnavailable(error)
          : undefined,
      async listQueues() {
        state.listed += 1;
        if (state.failure !== undefined) throw state.failure;
        const all = [...state.queues].map(([name, jobs]) => summary(name, jobs.length));
        const shown = async (request: HookRequest): Promise<PgqQueueSummary[]> => {
          const names = await visibility?.visibleAmong(request, state.queues.keys());
          return all.filter(({ name }) => names?.has(name));
        };
        return {
          snapshot: all,
          names: [...state.queues.keys()],
          counted: all.map(({ name, counts }) => ({ queue: name, counts })),
          signature: async (request) =>
            [
              (await permissions.of(request)).signature,
              ...(await shown(request)).map(({ name }) => name),
            ].join(' '),
          shownTo: async (request) => ({ queues: await shown(request) }),
        };
      },
      async close() {
        state.closed += 1;
      },
    };
  }
  return state;
}
