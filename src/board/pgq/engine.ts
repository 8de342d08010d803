/** The opened `pgq` engine: a handler for each of its routes. */

import type { BoardEngine, EngineHost } from '../core/index.ts';
import { translateError } from './connect/translate-error.ts';
import { openContext } from './handlers/context.ts';
import { jobHandlers } from './handlers/job-handlers.ts';
import { queueHandlers } from './handlers/queue-handlers.ts';
import { scheduleHandlers } from './handlers/schedule-handlers.ts';
import type { PgqSettings } from './options.ts';

/** Opens the engine. It connects at the first request. */
export function openEngine(settings: PgqSettings, host: EngineHost): BoardEngine<'pgq'> {
  const context = openContext(settings, host);
  const { installation, writer } = context;
  return {
    engine: 'pgq',
    handlers: {
      ...queueHandlers(context),
      ...jobHandlers(context),
      ...scheduleHandlers(context),
    },
    translateError,
    close: async () => {
      await Promise.all([installation.close(), writer.close()]);
    },
  };
}
