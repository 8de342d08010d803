/** The opened `pgq` engine: a handler for each of its routes. */

import { BulkCommands } from './commands/bulk-runs.ts';
import { runsTable } from './commands/undo.ts';
import { bulkOf, failureMinutes, memoryRunStore, sqlRunStore } from '../core/index.ts';
import type {
  AttentionReading,
  BoardEngine,
  EngineHost,
  HistoryScope,
  HookRequest,
} from '../core/index.ts';
import { translateError } from './connect/translate-error.ts';
import { type OpenSettings, type PgqContext, openContext } from './handlers/context.ts';
import { jobCommands } from './handlers/job-commands.ts';
import { jobReads } from './handlers/job-reads.ts';
import { type HandOver, queueCommands } from './handlers/queue-commands.ts';
import { queueHandlers, queueListing } from './handlers/queue-handlers.ts';
import { scheduleHandlers } from './handlers/schedule-handlers.ts';
import { activityOf } from './reads/activity.ts';
import { readWorkedQueues } from './reads/instances.ts';
import { Queues } from './reads/queues.ts';

/** The queues whose history the sender may see. A name that the board does not serve is like a hidden one. */
async function historyScope(
  { settings, installation, permissions, queues }: PgqContext,
  request: HookRequest,
): Promise<HistoryScope> {
  const grants = await permissions.of(request);
  const isGuarded = settings.visibilityGuard !== undefined || settings.servesSome;
  return {
    all: !isGuarded && grants.allowsEverywhere('queue.read'),
    readOnly: false,
    allows: (name) => queues.allows(request, name),
    names: async () => {
      const names = await installation.open((schema) => queues.names(schema));
      return [...(await queues.visibleAmong(request, names))];
    },
    isReadOnly: () => false,
  };
}

/** The readings that thresholds are compared with: the statistics that the library keeps. */
async function attentionReadings(context: PgqContext): Promise<AttentionReading[]> {
  const { installation, queues, queueReads, settings } = context;
  const rows = (await new Queues(installation, queues, queueReads).everyRow()).filter(({ name }) =>
    settings.serves(name ?? ''),
  );
  const [activity, worked] = await Promise.all([
    activityOf(installation, rows, null, failureMinutes),
    readWorkedQueues(installation),
  ]);
  const sum = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0);
  return activity.queues.map(({ queueName, oldestWaiting, minutes }, index) => ({
    queue: queueName,
    finished: minutes ? { completed: sum(minutes.completed), failed: sum(minutes.failed) } : null,
    oldestMs: oldestWaiting,
    waiting: rows[index]?.readyCount ?? null,
    hasWorkers: worked && worked.has(queueName),
  }));
}

/** Opens the engine. It connects at the first request. */
export function openEngine(settings: OpenSettings, host: EngineHost): BoardEngine<'pgq'> {
  const context = openContext(settings, host);
  const { installation, primary, commands, queues, schemas, values } = context;
  const store = sqlRunStore({
    key: 'pgq',
    schema: settings.catalogSchema,
    name: runsTable,
    memory: memoryRunStore(),
    read: (text, given) => primary.read((session) => session.query(text, given)),
    write: (text, given) => commands.transaction(({ session }) => session.query(text, given)),
  });
  const runs = new BulkCommands(installation, schemas, queues, values, store);
  const bulk = bulkOf(host, runs);
  const handOver: HandOver = async (...rest) => bulk.handOver(await runs.prepareRest(...rest));
  return {
    engine: 'pgq',
    handlers: {
      ...bulk.handlers,
      ...queueHandlers(context),
      ...queueCommands(context, handOver),
      ...jobReads(context),
      ...jobCommands(context),
      ...scheduleHandlers(context),
    },
    historyScope: (request) => historyScope(context, request),
    attentionReadings: () => attentionReadings(context),
    listQueues: queueListing(context),
    translateError,
    close: async () => {
      await bulk.close();
      await Promise.all([installation.close(), commands.close()]);
    },
  };
}
