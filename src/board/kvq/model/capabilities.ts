/** The capabilities of each library. */

import type { QueueCapabilities } from './types.ts';

const kinds: QueueCapabilities['jobSchedulers']['kinds'] = ['every', 'cron'];

/** BullMQ. `globalRateLimit` depends on the installed version. */
export function currentCapabilities(globalRateLimit: boolean): QueueCapabilities {
  return {
    pause: true,
    logs: true,
    progress: true,
    flows: true,
    promote: true,
    updateData: true,
    changeDelay: true,
    changePriority: true,
    removeUnprocessedChildren: true,
    completedRetry: true,
    globalConcurrency: true,
    globalRateLimit,
    nativeMetrics: true,
    workers: true,
    jobSchedulers: { update: true, run: true, create: true, preview: true, kinds },
    jobOptionsSchema: 'current',
  };
}

/** Bull. */
export const legacyCapabilities: QueueCapabilities = {
  ...currentCapabilities(false),
  flows: false,
  changeDelay: false,
  changePriority: false,
  removeUnprocessedChildren: false,
  completedRetry: false,
  globalConcurrency: false,
  jobSchedulers: { update: false, run: false, create: true, preview: true, kinds },
  jobOptionsSchema: 'legacy',
};
