/**
 * Who has paused a queue and why, in Redis: the key `<queue>:sluice-pause`. The libraries keep no such note, and none of
 * them removes it with a resumption. The next script that finds the queue running removes it, here or in `read-facts.ts`.
 */

import type { QueuePause } from '../../contract/index.ts';
import type { ChangedQueue } from './changes/bulk.ts';
import { defineScript } from './connect/script.ts';

/** `ARGV`: 1 for Bull, and the note, or nothing to look. Returns whether the queue runs. */
const noteScript = defineScript(`
local call, base = redis.call, KEYS[1]
local paused = ARGV[1] == '1' and call('EXISTS', base .. 'meta-paused') or call('HEXISTS', base .. 'meta', 'paused')
if paused == 0 then
  call('DEL', base .. 'sluice-pause')
  return 1
end
if ARGV[2] ~= '' then call('SET', base .. 'sluice-pause', ARGV[2], 'NX') end
return 0
`);

/** A queue is paused and resumed also where the note cannot be kept. */
const note = ({ settings, run }: ChangedQueue, text: string): Promise<unknown> =>
  run(noteScript, [Number(settings.legacy), text]).catch(() => 0);

/** Pauses the queue, with a note if it ran before. */
export async function pauseOnRedis(
  queue: ChangedQueue,
  pause: () => Promise<void>,
  given: QueuePause,
): Promise<void> {
  const ran = (await note(queue, '')) === 1;
  await pause();
  if (ran) await note(queue, JSON.stringify(given));
}

export async function resumeOnRedis(
  queue: ChangedQueue,
  resume: () => Promise<void>,
): Promise<void> {
  await resume();
  await note(queue, '');
}
