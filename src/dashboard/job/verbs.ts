/** The commands for a job, by engine and state, and their requests. */

import type { Board } from '../api/boards.ts';
import type { IconName } from '../kit/icon.tsx';

export type Verb = 'retry' | 'promote' | 'cancel' | 'resume' | 'release' | 'remove';

export const verbIcons: Readonly<Record<Verb, IconName>> = {
  retry: 'retry',
  promote: 'chevrons',
  cancel: 'slash',
  resume: 'play',
  release: 'out',
  remove: 'trash',
};

export const verbKeys: Readonly<Partial<Record<Verb, string>>> = {
  retry: 'r',
  promote: 'p',
  remove: 'd',
};

/** The action of the board that a verb needs. */
export const actionOf = (verb: Verb, many = false): string => `${many ? 'jobs' : 'job'}.${verb}`;

export interface QueueRights {
  readonly writable: boolean;
  readonly retries: boolean;
  readonly completedRetries: boolean;
  readonly promote: boolean;
}

export const noRights: QueueRights = {
  writable: false,
  retries: false,
  completedRetries: false,
  promote: false,
};

const pgqVerbs: Readonly<Record<string, readonly Verb[]>> = {
  created: ['cancel', 'remove'],
  deferred: ['cancel', 'remove'],
  blocked: ['cancel', 'remove'],
  retry: ['cancel', 'remove'],
  active: ['cancel'],
  failed: ['retry', 'remove'],
  cancelled: ['resume', 'remove'],
  completed: ['remove'],
};

export function verbsOf(
  engine: 'kvq' | 'pgq',
  state: string,
  { writable, retries, completedRetries, promote }: QueueRights,
  orphaned = false,
): readonly Verb[] {
  if (!writable) return [];
  if (engine === 'pgq') return pgqVerbs[state] ?? [];
  if (state === 'failed') return retries ? ['retry', 'remove'] : ['remove'];
  if (state === 'completed') return completedRetries ? ['retry', 'remove'] : ['remove'];
  if (state === 'delayed') return promote ? ['promote', 'remove'] : ['remove'];
  if (state === 'active') return orphaned ? ['release'] : [];
  return ['remove'];
}

/** States of pg-boss that rows call otherwise. */
export const storedState = (state: string): string =>
  state === 'deferred' || state === 'blocked' ? 'created' : state;

/** Does it to one job, if it is still in the state that was seen. */
export async function doVerb(
  { client, engine }: Board,
  queueName: string,
  job: { readonly id: string; readonly state: string },
  verb: Verb,
): Promise<void> {
  const params = { queueName, jobId: job.id };
  if (engine === 'pgq') {
    const body = { expectedState: storedState(job.state) } as { expectedState: 'failed' };
    const name = verb as 'retry' | 'cancel' | 'resume' | 'remove';
    await client.call(`PUT /api/pgq/queues/{queueName}/jobs/{jobId}/${name}`, { params, body });
    return;
  }
  const name = (verb === 'remove' ? 'clean' : verb) as 'clean' | 'retry' | 'promote' | 'release';
  const body = { expectedState: job.state } as { expectedState: 'failed' };
  await client.call(`PUT /api/queues/{queueName}/{jobId}/${name}`, { params, body });
}
