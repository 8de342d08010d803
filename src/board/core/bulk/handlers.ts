/** The handlers of runs, for every engine. */

import type { BulkRun, sharedRoutes, StartBulkBody } from '../../contract/index.ts';
import { BoardError } from '../board-error.ts';
import type { EngineHost, Handler } from '../engine.ts';
import type { HookRequest } from '../request/request.ts';
import { internalError } from '../request/respond.ts';
import { BoardEvents } from '../events.ts';
import { errorLog } from '../error-log.ts';
import { BulkRuns, type PreparedRun, type RunWorks } from './runs.ts';

type Operation = 'startBulk' | 'listBulk' | 'getBulk' | 'cancelBulk' | 'undoBulk';

type Handlers = { readonly [Name in Operation]: Handler<(typeof sharedRoutes)[Name]> };

/** The parts of runs that an engine has. */
export interface BulkEngine extends RunWorks {
  /** Checks the request and returns its run. Throws a `BoardError` if the queue does not allow it. */
  prepare(request: HookRequest, body: StartBulkBody): Promise<PreparedRun>;
  /** The run that gives the jobs of a run back. Throws a `BoardError` if the queue does not allow it. */
  prepareUndo(request: HookRequest, run: BulkRun): Promise<PreparedRun>;
  /** Whether the sender may see the queue. */
  sees(request: HookRequest, queueName: string): Promise<boolean>;
  translateError(error: unknown, queueName: string): BoardError | undefined;
}

/** Runs of an engine. */
export interface Bulk {
  readonly handlers: Handlers;
  /** Starts a run for the rest of a command, and waits a moment for its end; undefined where there are runs enough. */
  handOver(run: PreparedRun): Promise<BulkRun | undefined>;
  close(): Promise<void>;
}

/** Milliseconds for which an answer waits for a run that is short. */
const waitMs = 500;

/** Milliseconds after which a request leaves the rest of a command on many jobs to a run. */
export const requestMs = 2_000;

/** Errors of a board or queue that has runs enough: the request goes on itself. */
const busy: ReadonlySet<string> = new Set(['BULK_RUNNING', 'BULK_LIMIT']);

/** The form of an id; any other text could be the key of something else. */
const isRunId = /^[\da-f-]{36}$/;

/** The runs of an engine: their handlers, and how to start and end them. */
export function bulkOf({ readOnly, options, permissions }: EngineHost, engine: BulkEngine): Bulk {
  const log = errorLog(options.logger);
  const runs = new BulkRuns(engine, {
    events: new BoardEvents(options.onEvent, options.logger),
    problemOf(thrown, queueName) {
      const known =
        thrown instanceof BoardError ? thrown : engine.translateError(thrown, queueName);
      const error = known ?? internalError(thrown, options);
      if (error.status >= 500) log('startBulk', error);
      return error;
    },
    warn: (message) => options.logger.warn(`Board: ${message}`),
  });
  if (!readOnly) runs.takeOver();
  const shown = async (request: HookRequest, id: string): Promise<BulkRun> => {
    const [run] = isRunId.test(id) ? await runs.list(id) : [];
    if (!run || !(await engine.sees(request, run.queueName)))
      throw new BoardError('BULK_NOT_FOUND');
    return run;
  };
  /** The run, for a sender who may do its action. */
  const own = async (request: HookRequest, id: string): Promise<BulkRun> => {
    const run = await shown(request, id);
    await permissions.require(request, `jobs.${run.action}`, run.queueName);
    return run;
  };
  /** The run, once it has ended or a moment has passed. */
  const settled = async (id: string): Promise<BulkRun> => {
    await runs.settled(id, waitMs);
    const [run] = await runs.list(id);
    if (!run) throw new BoardError('BULK_NOT_FOUND');
    return run;
  };
  const start = async (run: PreparedRun): Promise<BulkRun> => settled((await runs.start(run)).id);
  return {
    handlers: {
      async startBulk({ request, body }) {
        return { run: await start(await engine.prepare(request, body)) };
      },
      async listBulk({ request }) {
        const all = await runs.list();
        const seen = await Promise.all(all.map(({ queueName }) => engine.sees(request, queueName)));
        return { runs: all.filter((_run, index) => seen[index]) };
      },
      async getBulk({ request, params }) {
        return { run: await shown(request, params.runId) };
      },
      async cancelBulk({ request, params }) {
        const run = await own(request, params.runId);
        await runs.cancel(run);
        return { run: await settled(run.id) };
      },
      async undoBulk({ request, params }) {
        const run = await own(request, params.runId);
        if (run.state === 'running')
          throw new BoardError('BULK_RUNNING', { options: { id: run.id } });
        if (!run.undoable) throw new BoardError('BULK_NOT_UNDOABLE');
        return { run: await start(await engine.prepareUndo(request, run)) };
      },
    },
    async handOver(run) {
      try {
        return await start(run);
      } catch (error) {
        if (error instanceof BoardError && busy.has(error.key)) return undefined;
        throw error;
      }
    },
    close: () => runs.close(),
  };
}
