/** Errors that a person of this browser does not want to see until they come again. */

import { keptValue } from '../live/shared-value.ts';
import type { StoredError } from './data.ts';

/** The most errors that are kept; those muted first go first. */
const mostMuted = 500;

/** An error, and its last failure when it was muted. */
type Muted = readonly [id: string, lastAt: number];

const muted = keptValue('sluice:muted', (stored): readonly Muted[] =>
  (Array.isArray(stored) ? stored : []).filter(
    (entry): entry is Muted =>
      Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number',
  ),
);

export const useMuted = muted.use;

/** Whether the error was muted, and has not come again. */
export const isMuted = (known: readonly Muted[], { id, lastAt }: StoredError): boolean =>
  known.some(([name, moment]) => name === id && lastAt <= moment);

/** Mutes the error until its next failure, or ends that. */
export function setMuted({ id, lastAt }: StoredError, wanted: boolean): void {
  const others = muted.get().filter(([name]) => name !== id);
  muted.set([...others, ...(wanted ? [[id, lastAt] as const] : [])].slice(-mostMuted));
}
