/**
 * The cost of each subpath: compressed bytes and CPU time of its import, without and with the packages that it imports.
 * Drizzle, for one, loads most of itself with any of its drivers; that time is not counted twice in a host.
 */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Host,
  type Imported,
  addressOf,
  importing,
  installed,
  root,
  specifiers,
} from './package.ts';

/** Milliseconds of CPU time on a machine without other work; a busy one may need three times as much. */
const ownMilliseconds: { readonly [specifier: string]: number } = {
  sluice: 10,
  'sluice/board': 45,
};
const otherMilliseconds = 25;
/** CPU time of loading zod on the machine on which those were measured. */
const zodMilliseconds = 30;
/** Kilobytes, compressed. Boards contain zod, which has 36 of them. */
const kilobytes: { readonly [specifier: string]: number } = {
  'sluice/board': 257,
  // The board, under other names.
  'sluice/migrate/bull-board': 257,
  // It reads the queues of both engines.
  'sluice/metrics': 260,
  // List endpoints; boards are loaded with their first use.
  'sluice/nestjs': 80,
  // It reads entities with joins of its own, and rows.
  'sluice/typeorm': 157,
};
/** Those of an ORM share 52 of them with the core. */
const otherKilobytes = 153;

let host: Host;
beforeAll(() => {
  host = installed();
});
afterAll(() => host.remove());

/** CPU time of zod, of the packages that a subpath imports, and then of the subpath itself. */
const timesOf = (specifier: string, packages: readonly string[]): string => `
  const packages = ${JSON.stringify(packages)};
  const spent = async (load) => {
    const before = process.threadCpuUsage();
    await load();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  const zod = await spent(() => import('${addressOf(root)}node_modules/zod/index.js'));
  const theirs = await spent(() => Promise.all(packages.map((name) => import(name))));
  const own = await spent(() => import('${specifier}'));
  console.log(JSON.stringify({ own, theirs, zod }));
`;

it.each(specifiers)('%s stays within its budget', (specifier) => {
  const { loaded } = host.run(importing(specifier)) as Imported;
  const dist = addressOf(`${host.installed}/dist`);
  const own = loaded.filter((url) => url.startsWith(dist));
  const names = loaded.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]);
  const packages = [...new Set(names)].filter(
    (name) =>
      name !== undefined &&
      ['@nestjs/common', '@nestjs/core', 'drizzle-orm', 'typeorm'].includes(name),
  ) as string[];
  const bytes = Buffer.concat(own.map((url) => readFileSync(fileURLToPath(url))));
  const size = gzipSync(bytes, { level: 9 }).length / 1000;
  const usual = ownMilliseconds[specifier] ?? otherMilliseconds;
  const runs: { readonly own: number; readonly theirs: number; readonly zod: number }[] = [];
  // Other load on the machine can only increase the time, so that one run within the limit suffices.
  const least = (part: 'own' | 'theirs' | 'zod'): number =>
    Math.min(...runs.map((each) => each[part]));
  // A slow machine takes longer for zod as well.
  const limit = (): number => 3 * usual * Math.max(1, least('zod') / zodMilliseconds);
  do runs.push(host.run(timesOf(specifier, packages)) as (typeof runs)[number]);
  while (runs.length < 12 && least('own') >= limit());
  const theirs =
    packages.length > 0 ? `, and ${least('theirs').toFixed(0)} ms of ${packages.join(', ')}` : '';
  console.log(`${specifier}: ${size.toFixed(0)} kB, ${least('own').toFixed(1)} ms${theirs}`);
  expect(size).toBeLessThan(kilobytes[specifier] ?? otherKilobytes);
  expect(least('own')).toBeLessThan(limit());
});
