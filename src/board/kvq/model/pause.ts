/** The note of a pause, as it is kept beside a queue. */

import { QueuePause } from '../../contract/index.ts';

/** Reads a note; undefined for a text that is not one, or that cannot be read. */
export function pauseOf(text: () => string): QueuePause | undefined {
  try {
    return QueuePause.safeParse(JSON.parse(text())).data;
  } catch {
    return undefined;
  }
}
