/** List requests as OpenTelemetry sees them, and their timings, on SQLite. */

import { SpanStatusCode, trace } from '@opentelemetry/api';
import type { SpanProcessor } from '@opentelemetry/sdk-trace-base';
import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { defineQueryRules, runOne, runQuery } from '../../src/index.ts';
import type { QueryTimings } from '../../src/index.ts';
import { openTelemetry } from './support.ts';
import type { Telemetry } from './support.ts';

const city = sqliteTable('cities', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
});
const database = new Database(':memory:');
database.exec(`create table cities (id integer primary key, name text not null);
  insert into cities values (1, 'Rome'), (2, 'Oslo'), (3, 'Lima')`);
const registry = drizzleRegistry({ city }, { city });
const rules = defineQueryRules(registry, 'city', {
  filters: [{ path: 'name', operators: ['eq'] }],
  sorts: ['name'],
  fields: { root: { allowed: ['id', 'name'], default: ['id', 'name'] } },
});
const cities = drizzleSource({
  db: drizzle(database),
  registry,
  tables: { city },
  model: 'city',
});

/** Fails at every step of a span while it is told to. */
const broken = { fails: false };
const failing = (): void => {
  if (broken.fails) throw new Error('the exporter is broken');
};
const processor: SpanProcessor = {
  onStart: failing,
  onEnd: failing,
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
};

let telemetry: Telemetry;
beforeAll(() => {
  telemetry = openTelemetry([processor]);
});
beforeEach(() => telemetry.reset());
afterAll(async () => {
  await telemetry.close();
  database.close();
});

const secret = 'a text of the client';

it('have a span with system, model and rows, and no value of the client', async () => {
  await runQuery(cities, `filter[name]=${secret}`, rules);
  await runQuery(cities, 'sort=name', rules);
  const [empty, full] = telemetry.spans();
  expect(full).toMatchObject({
    name: 'list city',
    attributes: {
      'db.system.name': 'sqlite',
      'db.query.summary': 'list city',
      'sluice.model': 'city',
      'db.response.returned_rows': 3,
    },
    status: { code: SpanStatusCode.UNSET },
  });
  expect(empty?.attributes['db.response.returned_rows']).toBe(0);
  expect(JSON.stringify([empty?.name, empty?.attributes, empty?.events])).not.toContain(secret);
});

it('are the parent of what runs inside of them, and the child of what runs around', async () => {
  const tracer = trace.getTracer('host');
  await tracer.startActiveSpan('around', async (around) => {
    let inner: string | undefined;
    await runQuery(cities, '', rules, {
      transformPlan: (plan) => {
        inner = trace.getActiveSpan()?.spanContext().spanId;
        return plan;
      },
    });
    const [span] = telemetry.spans();
    expect(span?.parentSpanContext?.spanId).toBe(around.spanContext().spanId);
    expect(inner).toBe(span?.spanContext().spanId);
    around.end();
  });
});

it('tell why they were refused, failed or left, and only a failure is an error', async () => {
  await expect(runQuery(cities, 'sort=secret', rules)).rejects.toThrow();
  await expect(runOne(cities, 9, '', rules)).rejects.toThrow();
  const gone = new AbortController();
  const left = runQuery(cities, '', rules, {
    signal: gone.signal,
    transformPlan: (plan) => {
      gone.abort();
      return plan;
    },
  });
  await expect(left).rejects.toThrow();
  const fails = runQuery(cities, '', rules, {
    transformPlan: () => {
      throw new RangeError(secret);
    },
  });
  await expect(fails).rejects.toThrow(secret);
  const told = telemetry.spans().map(({ name, attributes, status, events }) => {
    expect(JSON.stringify([attributes, status, events])).not.toContain(secret);
    return [name, attributes['error.type'], status.code];
  });
  expect(told).toEqual([
    ['list city', 'FIELD_NOT_ALLOWED', SpanStatusCode.UNSET],
    ['row city', 'ROW_NOT_FOUND', SpanStatusCode.UNSET],
    ['list city', 'AbortError', SpanStatusCode.UNSET],
    ['list city', 'RangeError', SpanStatusCode.ERROR],
  ]);
});

it('are answered by a process whose telemetry is broken', async () => {
  broken.fails = true;
  try {
    expect(await runQuery(cities, 'sort=name', rules)).toMatchObject({ total: 3 });
    expect(await runOne(cities, 1, '', rules)).toEqual({ id: 1, name: 'Rome' });
    await expect(runQuery(cities, 'sort=secret', rules)).rejects.toMatchObject({
      code: 'FIELD_NOT_ALLOWED',
    });
  } finally {
    broken.fails = false;
  }
});

it('tell the host their timings, once each and not of a refusal', async () => {
  const told: QueryTimings[] = [];
  const onTimings = (timings: QueryTimings): void => void told.push(timings);
  await runQuery(cities, 'sort=name', rules, { onTimings });
  await runOne(cities, 1, '', rules, { onTimings });
  await expect(runQuery(cities, 'sort=secret', rules, { onTimings })).rejects.toThrow();
  expect(told).toHaveLength(2);
  for (const { plan, database, present } of told) {
    expect(plan).toBeGreaterThan(0);
    expect(database).toBeGreaterThan(0);
    expect(present).toBeGreaterThanOrEqual(0);
  }
  await expect(runQuery(cities, '', rules, { onTimings: 1 as never })).rejects.toThrow('onTimings');
});
