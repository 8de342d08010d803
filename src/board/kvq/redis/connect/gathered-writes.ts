/** Gathers the commands of one turn of the event loop into one write, as a pipeline would, but from several callers. */

import { nextTick } from 'node:process';
import { isObject } from '../../../../lib/index.ts';

/** The socket of a connection. */
interface Corkable {
  cork(): void;
  uncork(): void;
}

/** Sockets that write at the end of the turn. */
const gathering = new WeakSet<Corkable>();

function isCorkable(stream: unknown): stream is Corkable {
  return (
    isObject(stream) &&
    ['cork', 'uncork'].every((name) => typeof Reflect.get(stream, name) === 'function')
  );
}

/**
 * Holds back what is written to the connection until the microtasks of this turn have run. False when its socket cannot
 * do so, for example because the client is not connected yet: each command is then a write of its own.
 */
export function gatherWrites(connection: object): boolean {
  const stream: unknown = Reflect.get(connection, 'stream');
  if (!isCorkable(stream)) return false;
  if (gathering.has(stream)) return true;
  gathering.add(stream);
  stream.cork();
  nextTick(() => {
    gathering.delete(stream);
    stream.uncork();
  });
  return true;
}
