/** Counts per minute from the metrics of the libraries, and the cost of reading them for many queues. */

import { expect, it } from 'vitest';
import { lastMinutes } from '../../../src/board/kvq/model/activity.ts';

const minute = 60_000;
const at = 1_000 * minute;

it.each<readonly [string, number, readonly number[], readonly number[]]>([
  // The library stores minutes before the one of the last job, newest first.
  ['in this minute', at + 5_000, [5, 4, 3], [5, 4, 3]],
  ['in the minute before', at - 1_000, [5, 4, 3], [7, 5, 4]],
  ['three minutes ago', at - 3 * minute + 1_000, [5, 4, 3], [0, 0, 7]],
  ['long ago', at - 100 * minute, [5], [0, 0, 0]],
  ['in the minute before, without others', at - 1, [], [7, 0, 0]],
])('counts full minutes when the last job ended %s', (_, prevTS, data, counts) => {
  const metrics = { prevTS, prevCount: 10, count: 17, data };
  expect(lastMinutes(metrics, at + 30_000, 3)).toEqual(counts);
});
