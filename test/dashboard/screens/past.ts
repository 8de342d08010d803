/** A made-up past for the charts of the dashboard. */

import type { StoreWorld } from '../../metrics/worlds.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;

/** Two days in which jobs finished every half hour and took from milliseconds to minutes. */
export async function makePast({ store }: StoreWorld, queue: string): Promise<void> {
  const now = Math.floor(Date.now() / minuteMs);
  const every = (value: (index: number) => number) =>
    Array.from({ length: 96 }, (_, index) => [now - (index + 1) * 30, value(index)] as const);
  const hour = Math.floor(Date.now() / hourMs);
  const bucket = [0, 0, 2, 9, 20, 31, 18, 6, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0];
  await store.commit({
    holder: 'past',
    leaseMs: 1,
    instance: undefined,
    retention: { minutes: 7, hours: 90, days: 90 },
    writes: [
      {
        queue,
        completed: every((index) => 40 + (index % 7) * 5).toReversed(),
        failed: every((index) => index % 5).toReversed(),
        samples: {
          from: null,
          to: Date.now() - 60_000,
          hours: Array.from({ length: 48 }, (_, index) => ({
            hour: hour - 48 + index,
            runtime: { counts: bucket, ms: 60_000 },
            waittime: { counts: bucket.toReversed(), ms: 90_000 },
          })),
        },
      },
    ],
  });
}
