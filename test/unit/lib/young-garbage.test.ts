/** Garbage of a request is freed by young collections: none of it waits for a full one. */

import { EventEmitter } from 'node:events';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  type Deadline,
  addDeadline,
  dropDeadline,
} from '../../../src/lib/concurrency/deadlines.ts';
import { ClientGone } from '../../../src/http/endpoint/handlers.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const requests = 20_000;
const atATime = 64;
const megabyte = 2 ** 20;

function oldBytes(): number {
  const old = getHeapSpaceStatistics().find((space) => space.space_name === 'old_space');
  return old?.space_used_size ?? Number.NaN;
}

/** The old objects that many requests leave, some of them at a time. `begin` returns what ends one. */
function left(begin: () => () => void): number {
  const running: (() => void)[] = [];
  const run = (count: number): void => {
    for (let request = 0; request < count; request += 1) {
      running.push(begin());
      if (running.length > atATime) running.shift()?.();
    }
  };
  run(requests / 10);
  collect();
  const before = oldBytes();
  run(requests);
  const grown = oldBytes() - before;
  for (const end of running) end();
  return grown;
}

/** The least of some runs: other work in the process can only add old objects. */
const leastLeft = (begin: () => () => void): number =>
  Math.min(...Array.from({ length: 4 }, () => left(begin)));

/** About 4 kB of what a request holds. */
const held = (): object[] => Array.from({ length: 100 }, (_, id) => ({ id }));

describe('young collections free', () => {
  it('what a dropped deadline refers to', () => {
    const begin = (): (() => void) => {
      const rows = held();
      const deadline: Deadline = addDeadline(performance.now() + 60_000, () => rows.pop());
      return () => dropDeadline(deadline);
    };
    expect(leastLeft(begin)).toBeLessThan(4 * megabyte);
  });

  it('the response whose disconnect was watched', () => {
    const begin = (): (() => void) => {
      const response = Object.assign(new EventEmitter(), { closed: false, rows: held() });
      const gone = new ClientGone(response);
      return () => gone.end();
    };
    expect(leastLeft(begin)).toBeLessThan(4 * megabyte);
  });
});
