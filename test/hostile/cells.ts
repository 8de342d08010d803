/** The endpoints of the hostile suite: every adapter on every family. Drizzle on SQLite is the reference. */

import { afterAll, beforeAll } from 'vitest';
import type { DatabaseFamily } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import { drizzleHostile } from './drizzle-cell.ts';
import type { HostileCell, OpenHostile } from './hostile-cell.ts';
import { prismaHostile } from './prisma-cell.ts';
import { sqlHostile } from './sql-cell.ts';
import { typeormHostile } from './typeorm-cell.ts';

/** One endpoint, not opened yet. */
export interface HostileEndpoint {
  readonly name: string;
  readonly adapter: string;
  readonly family: DatabaseFamily;
  readonly open: OpenHostile;
}

const adapters: { readonly [name: string]: OpenHostile } = {
  Drizzle: drizzleHostile,
  TypeORM: typeormHostile,
  Prisma: prismaHostile,
  'the driver': sqlHostile,
};
const families: readonly DatabaseFamily[] = ['sqlite', 'postgresql', 'mysql'];

/** Every endpoint. */
export const allEndpoints: readonly HostileEndpoint[] = Object.entries(adapters).flatMap(
  ([adapter, open]) =>
    families.map((family) => ({ name: `${adapter} on ${family}`, adapter, family, open })),
);

/** All but Drizzle on SQLite. */
export const otherEndpoints = allEndpoints.slice(1);

/** Drizzle on SQLite, which needs no server. */
export async function sqliteCell(): Promise<HostileCell> {
  const cell = await drizzleHostile('sqlite');
  if ('missing' in cell) throw new Error(cell.advice);
  return cell;
}

/** Opens an endpoint before the tests of a `describe` and closes it after them; `undefined` without a server. */
export function openedCell({ open, family }: HostileEndpoint): () => HostileCell | undefined {
  let cell: HostileCell | undefined;
  beforeAll(async () => {
    const opened = await open(family);
    if (!('missing' in opened)) cell = opened;
    else if (everyServiceRequired()) throw new Error(opened.advice);
    else console.warn(opened.advice);
  }, 120_000);
  afterAll(() => cell?.close());
  return () => cell;
}
