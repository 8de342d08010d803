/** The form in which a store receives a write, and in which it answers. */

import { globalQueue } from '../../board/core/index.ts';
import { bucketCount } from './histogram.ts';
import type { Durations, QueueState, QueueWrite } from './store.ts';
import { hourMs } from './time.ts';

/** A write in the form of the scripts and functions. */
export function encodedWrite(write: QueueWrite): object {
  const { queue, completed, failed, completedNext = -1, failedNext = -1, age, samples } = write;
  return {
    q: queue,
    full: queue !== globalQueue,
    c: completed,
    f: failed,
    cn: completedNext,
    fn: failedNext,
    ...(age && { a: [Math.floor(age.at / hourMs), age.value] }),
    ...(samples && {
      s: {
        from: samples.from ?? -1,
        to: samples.to,
        hours: samples.hours.map(({ hour, runtime, waittime }) => [
          hour,
          sparse(runtime),
          sparse(waittime),
        ]),
      },
    }),
  };
}

/** The buckets that are not empty, and the sum of the durations in the place after the last bucket. */
function sparse({ counts, ms }: Durations): (readonly [number, number])[] {
  return [...counts.slice(0, bucketCount), ms].flatMap((count, bucket) =>
    count > 0 ? [[bucket, count] as const] : [],
  );
}

/** The state of a queue from the numbers of a store, of which -1 is none. */
export function stateOf([completed, failed, sampled, leased]: readonly number[]): QueueState {
  const known = (value: number | undefined): number | null =>
    value === undefined || value < 0 ? null : value;
  return {
    completedNext: known(completed),
    failedNext: known(failed),
    sampledTo: known(sampled),
    leased: leased === 1,
  };
}
