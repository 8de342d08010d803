/** Every way to find a server that is available on this machine provides a working one. */

import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { mysqlSteps } from './mysql.ts';
import { postgresqlSteps } from './postgresql.ts';
import { redisSteps } from './redis.ts';
import { scratchDatabase } from './scratch-database.ts';
import { firstFound } from './service.ts';
import type { Service, Step } from './service.ts';

/** The versions of MySQL and MariaDB that the documents name: any patch of them. */
const testedVersions =
  /"(?:(?:8\.0|8\.4|9\.7)\.\d+(?!.*MariaDB)|(?:10\.6|10\.11|11\.4|11\.8)\.\d+-MariaDB)/;

const works: { readonly [name in Service['name']]: (url: string) => Promise<unknown> } = {
  postgresql: async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('select 1').finally(() => client.end());
  },
  mysql: async (url) => {
    const connection = await createConnection({ uri: url });
    const [rows] = await connection
      .query('select version() as version')
      .finally(() => connection.end());
    console.info(rows);
    expect(JSON.stringify(rows)).toMatch(testedVersions);
  },
  redis: async () => {},
};

const steps: readonly (readonly [string, Step])[] = [
  ...Object.entries(postgresqlSteps).map(([name, step]) => [`postgresql ${name}`, step] as const),
  ...Object.entries(mysqlSteps).map(([name, step]) => [`mysql ${name}`, step] as const),
  ...Object.entries(redisSteps).map(([name, step]) => [`redis ${name}`, step] as const),
];

describe('services', () => {
  it.each(steps)(
    '%s provides a working server or null',
    { timeout: 60_000 },
    async (name, step) => {
      const service = await step();
      if (name === 'postgresql embedded') expect(service).not.toBeNull();
      if (!service) return;
      await works[service.name](service.url);
      await service.dispose();
    },
  );

  it('explains in one line how to provide a missing server', async () => {
    const missing = await firstFound('redis', 'Redis: install it.', [async () => null]);
    expect(missing).toEqual({ name: 'redis', missing: true, advice: 'Redis: install it.' });
  });

  it('creates PostgreSQL databases with code-point order and UTC', async () => {
    const scratch = await scratchDatabase('postgresql', 'services');
    if ('missing' in scratch) throw new Error(scratch.advice);
    const client = new pg.Client({ connectionString: scratch.url });
    await client.connect();
    const { rows } = await client.query(
      `select 'Z' < 'a' as code_points, current_setting('TimeZone') as zone`,
    );
    await client.end();
    await scratch.drop();
    expect(rows).toEqual([{ code_points: true, zone: 'UTC' }]);
  });
});
