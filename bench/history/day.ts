/**
 * The storage of a day of ticks in PostgreSQL, without a vacuum: each tick writes the rows of its hour and day again, and
 * their earlier versions count.
 */

import pg from 'pg';
import { metricsMigration, sqlMetricsStore } from '../../src/metrics/index.ts';
import { hoursOf } from '../../src/metrics/model/samples.ts';
import { dayOf, minuteMs, minutesPerDay } from '../../src/metrics/model/time.ts';
import { figure } from '../markdown.ts';

const queues = Array.from({ length: 100 }, (_none, index) => `queue-${index}`);
const tables = ['minutes', 'hours', 'days', 'present', 'queues'] as const;

/** Days for which minutes, and hours and days, are kept. */
const [minuteDays, hourDays] = [7, 90];

/** Rows of the figures. The recorder ticks in the middle of each minute of yesterday. */
export async function benchDay(url: string): Promise<string[][]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const prefix = 'day_';
  await pool.query(metricsMigration({ prefix }));
  for (const table of tables) {
    await pool.query(`alter table sluice."${prefix}${table}" set (autovacuum_enabled = false)`);
  }
  const store = sqlMetricsStore(pool, { prefix });
  const first = (dayOf(Date.now()) - 1) * minutesPerDay;
  const perMinute = (queue: number, minute: number): number =>
    20 + ((minute * 37 + queue * 11) % 90);
  for (let minute = first; minute < first + minutesPerDay; minute += 1) {
    const to = minute * minuteMs + 30_000;
    const jobs = (queue: number) =>
      Array.from({ length: perMinute(queue, minute) }, (_none, index) => ({
        finished: to - 30_000 + index,
        ran: 10 ** ((index % 30) / 8),
        waited: 10 ** ((index % 20) / 8),
      }));
    await store.commit({
      holder: 'bench',
      leaseMs: 60_000,
      instance: undefined,
      retention: { minutes: minuteDays, hours: hourDays, days: hourDays },
      writes: queues.map((queue, index) => {
        const some = jobs(index);
        return {
          queue,
          // The minute before is over, and this one is half over.
          completed: [minute - 1, minute].map((each) => [
            each,
            Math.ceil(perMinute(index, each) / (each === minute ? 2 : 1)),
          ]),
          failed: minute % 3 === 0 ? [[minute, 2]] : [],
          age: { at: to, value: 400 + ((minute * 7) % 90) * 100 },
          samples: {
            from: minute === first ? null : to - minuteMs,
            to,
            hours: hoursOf(some, some.length),
          },
        };
      }),
    });
  }
  const { rows } = await pool.query<Record<(typeof tables)[number], number>>(
    `select ${tables.map((table) => `pg_total_relation_size('sluice."${prefix}${table}"')::float8 as ${table}`).join(', ')}`,
  );
  await pool.end();
  const [sizes] = rows;
  if (!sizes) throw new Error('The sizes were not read.');
  const ofQueue = (bytes: number): number => bytes / (queues.length + 1) / 1_000;
  const once = ofQueue(sizes.present + sizes.queues);
  const mean =
    (ofQueue(sizes.minutes) * minuteDays + once) / hourDays + ofQueue(sizes.hours + sizes.days);
  const kb = (name: string, value: number): string[] => [
    `PostgreSQL without vacuum, after a day of ticks: ${name}, kB`,
    figure(value),
  ];
  return [
    kb('minutes of a queue-day', ofQueue(sizes.minutes)),
    kb('hours and day of a queue-day', ofQueue(sizes.hours + sizes.days)),
    kb('present hour and state of a queue', once),
    kb('mean of a queue-day over 90 days', mean),
  ];
}
