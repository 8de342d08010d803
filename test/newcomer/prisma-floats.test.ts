/**
 * The packed package in an empty folder with Prisma 6.19 and its engine `client`, which rounds numbers on their way: walks
 * by floating-point numbers end, and filters find the values that are shown.
 */

import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runPrisma } from '../matrix/fixtures/prisma/generate.ts';
import { type Host, installedWith, manifest, root } from '../package/package.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const adapters = {
  postgresql: (url: string) => `
    import { PrismaPg } from '@prisma/adapter-pg';
    const adapter = new PrismaPg({ connectionString: '${url}', max: 1 });`,
  mysql: (url: string) => {
    const { hostname, port, username, password, pathname } = new URL(url);
    const place = {
      host: hostname,
      port: Number(port || 3306),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database: pathname.slice(1),
      connectionLimit: 1,
    };
    return `
    import { PrismaMariaDb } from '@prisma/adapter-mariadb';
    const adapter = new PrismaMariaDb(${JSON.stringify(place)});`;
  },
} as const;

const schema = (family: string) => `
  generator client {
    provider = "prisma-client"
    output = "./${family}/client"
    engineType = "client"
    moduleFormat = "esm"
  }
  generator sluice {
    provider = "sluice-prisma"
    output = "./${family}/sluice.ts"
  }
  datasource db {
    provider = "${family}"
    url = "file:unused"
  }
  model Reading {
    id Int @id
    amount Float
    @@map("readings")
  }`;

const program = (family: 'postgresql' | 'mysql', url: string) => `
  import { defineQueryRules, runQuery } from 'sluice';
  import { prismaSource } from 'sluice/prisma';
  import { PrismaClient } from './${family}/client/client.ts';
  import { registry } from './${family}/sluice.ts';
  ${adapters[family](url)}
  const client = new PrismaClient({ adapter });
  const type = ${family === 'mysql'} ? 'double' : 'double precision';
  await client.$executeRawUnsafe('create table readings (id int primary key, amount ' + type + ' not null)');
  await client.$executeRawUnsafe('insert into readings values (1, 10e0 / 3), (2, 100e0 / 7), (3, 0.5), (4, 1.797e308)');
  const source = prismaSource({ client, registry, model: 'reading' });
  const rules = defineQueryRules(registry, 'reading', {
    sorts: ['amount'],
    filters: [{ path: 'amount', operators: ['eq', 'lte'] }],
    fields: 'all',
    pagination: { mode: 'both' },
  });
  const walked = [];
  for (let cursor = ''; cursor !== null && walked.length < 9;) {
    const page = await runQuery(source, 'sort=amount&perPage=1&cursor=' + cursor, rules);
    walked.push(...page.data);
    cursor = page.nextCursor;
  }
  const found = [];
  for (const { amount } of walked) {
    for (const operator of ['eq', 'lte']) {
      const { data } = await runQuery(source, 'sort=-amount&filter[amount][' + operator + ']=' + encodeURIComponent(amount), rules);
      found.push(data[0]?.id);
    }
  }
  console.log(JSON.stringify({ walked: walked.map(({ id }) => id), found }));
  await client.$disconnect();
  process.exit();
`;

let host: Host;
beforeAll(() => {
  host = installedWith();
  const modules = path.join(host.directory, 'node_modules');
  mkdirSync(path.join(modules, '@prisma'), { recursive: true });
  for (const name of ['client', 'adapter-pg', 'adapter-mariadb']) {
    const link = path.join(modules, '@prisma', name);
    symlinkSync(path.join(root, `node_modules/@prisma/${name}-6`), link);
  }
  const generator = path.join(host.installed, manifest.bin['sluice-prisma'] ?? '');
  chmodSync(generator, 0o755);
  mkdirSync(path.join(modules, '.bin'), { recursive: true });
  symlinkSync(generator, path.join(modules, '.bin/sluice-prisma'));
});
afterAll(() => host?.remove());

it.each(['postgresql', 'mysql'] as const)('walks and finds floats on %s', async (family) => {
  const database = await scratchDatabase(family, 'newcomer_floats');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return;
  }
  try {
    const file = host.write(`${family}.prisma`, schema(family));
    await runPrisma(file, 6, path.join(host.directory, 'node_modules/.bin'));
    const answer = host.run(program(family, database.url));
    expect(answer).toEqual({ walked: [3, 1, 2, 4], found: [3, 3, 1, 1, 2, 2, 4, 4] });
  } finally {
    await database.drop();
  }
});
