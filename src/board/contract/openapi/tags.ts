/** Tags group the operations of a document by resource. */

import type { Route } from '../routes/route.ts';

export const tagTexts = {
  queues: 'Queues: their counts, settings and commands.',
  jobs: 'Jobs: reads, search and commands.',
  schedules: 'Job schedulers and schedules.',
  metrics: 'Recorded history, of boards with a history provider.',
  board: 'The board as a whole: permissions, activity, changes as they happen.',
  installation: 'The datastore and the installation of the queue library.',
  auth: 'The session of a browser; answered by the authentication in front of the board.',
} as const;

export function tagOf({ path, owner }: Pick<Route, 'path' | 'owner'>): keyof typeof tagTexts {
  if (owner === 'auth') return 'auth';
  if (/^\/metrics$|^\/api\/(?:live|activity|errors|running|timeline|permissions|bulk)\b/.test(path))
    return 'board';
  if (path.startsWith('/api/metrics/')) return 'metrics';
  if (path.includes('schedule')) return 'schedules';
  if (/job|search/.test(path) && !/job-data|job-options/.test(path)) return 'jobs';
  return path.includes('/queues') ? 'queues' : 'installation';
}
