/** The handlers of runs, for every engine. */

import type { BulkRun, sharedRoutes, StartBulkBody } from '../../contract/index.ts';
import { BoardError } from '../board-error.ts';
import type { EngineHost, Handler } from '../engine.ts';
import type { HookRequest } from '../request/request.ts';
import { internalError } from '../request/respond.ts';
import { BoardEvents } from '../events.ts';
import { errorLog } from '../error-log.ts';
import { BulkRuns } from './runs.ts';
import type { BulkWork } from './runs.ts';

type Operation = 'startBulk' | 'listBulk' | 'getBulk' | 'cancelBulk';

type Handlers = { readonly [Name in Operation]: Handler<(typeof sharedRoutes)[Name]> };

/** The parts of runs that an engine has. */
export interface BulkEngine {
  /** Checks the request and returns its work. Throws a `BoardError` if the queue does not allow it. */
  prepare(request: HookRequest, body: StartBulkBody): Promise<BulkWork>;
  /** Whether the sender may see the queue. */
  sees(request: HookRequest, queueName: string): Promise<boolean>;
  translateError(error: unknown): BoardError | undefined;
}

/** Milliseconds for which an answer waits for a run that is short. */
const waitMs = 500;

/** The runs of an engine: their handlers, and how to end them. */
export function bulkOf(
  { options, permissions }: EngineHost,
  engine: BulkEngine,
): { readonly handlers: Handlers; close(): Promise<void> } {
  const log = errorLog(options.logger);
  const events = new BoardEvents(options.onEvent, options.logger);
  const runs = new BulkRuns(events, (thrown) => {
    const known = thrown instanceof BoardError ? thrown : engine.translateError(thrown);
    const error = known ?? internalError(thrown, options);
    if (error.status >= 500) log('startBulk', error);
    return error;
  });
  const shown = async (request: HookRequest, id: string): Promise<BulkRun> => {
    const run = runs.find(id);
    if (!run || !(await engine.sees(request, run.queueName)))
      throw new BoardError('BULK_NOT_FOUND');
    return run;
  };
  const answer = async (id: string): Promise<{ run: BulkRun }> => {
    await runs.settled(id, waitMs);
    const run = runs.find(id);
    if (!run) throw new BoardError('BULK_NOT_FOUND');
    return { run };
  };
  return {
    handlers: {
      async startBulk({ request, body }) {
        const { id } = runs.start(await engine.prepare(request, body));
        return answer(id);
      },
      async listBulk({ request }) {
        const all = runs.all();
        const seen = await Promise.all(all.map(({ queueName }) => engine.sees(request, queueName)));
        return { runs: all.filter((_run, index) => seen[index]) };
      },
      async getBulk({ request, params }) {
        return { run: await shown(request, params.runId) };
      },
      async cancelBulk({ request, params }) {
        const { id, action, queueName } = await shown(request, params.runId);
        await permissions.require(request, `jobs.${action}`, queueName);
        runs.cancel(id);
        return answer(id);
      },
    },
    close: () => runs.close(),
  };
}
