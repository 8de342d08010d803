/** The cells of the matrix: every adapter on every database family. */

import { readFileSync } from 'node:fs';
import type { DatabaseFamily } from '../../src/index.ts';
import { seed } from '../seed.ts';
import { isSharedOut, newestOf } from '../setup/left-to-ci.ts';
import type { OpenCell } from './cell.ts';
import { drizzleCell } from './drizzle-cell.ts';
import type { SqliteInstant } from './fixtures/column-types.ts';
import { currentPrismaCell, olderPrismaCell } from './prisma-cell.ts';
import { sqlCell } from './sql-cell.ts';
import { hydrateCell, plainCell } from './typeorm-cell.ts';

/** One adapter, and how it opens its cells. */
export interface MatrixAdapter {
  readonly name: string;
  /** The ORM as it calls itself, with the version that is installed. */
  readonly orm: string;
  /** How the ORM writes an instant to SQLite. */
  readonly instant: SqliteInstant;
  readonly open: OpenCell;
}

/** One cell, not opened yet. */
export interface MatrixCell {
  /** `drizzle on postgresql`. */
  readonly name: string;
  readonly adapter: MatrixAdapter;
  readonly family: DatabaseFamily;
}

/** Read as a file: not every package lets its manifest be imported. */
function versionOf(name: string): string {
  const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  return version;
}

/** Adapters in the order of the printed table. */
export const adapters: readonly MatrixAdapter[] = [
  {
    name: 'drizzle',
    orm: `Drizzle ${versionOf('drizzle-orm')}`,
    instant: 'epoch-milliseconds',
    open: drizzleCell,
  },
  {
    name: 'typeorm',
    orm: `TypeORM ${versionOf('typeorm')}`,
    instant: 'blank-text',
    open: plainCell,
  },
  {
    name: 'typeorm hydrate',
    orm: 'the same, as entities',
    instant: 'blank-text',
    open: hydrateCell,
  },
  {
    name: 'prisma',
    orm: `Prisma ${versionOf('@prisma/client')}`,
    instant: 'offset-text',
    open: currentPrismaCell,
  },
  {
    name: 'sql',
    orm: `pg ${versionOf('pg')}, mysql2 ${versionOf('mysql2')}, better-sqlite3 ${versionOf('better-sqlite3')}`,
    instant: 'epoch-milliseconds',
    open: sqlCell,
  },
];

/** Families in the order of the printed table. */
export const families: readonly DatabaseFamily[] = ['postgresql', 'mysql', 'sqlite'];

/** Every cell. */
export const cells: readonly MatrixCell[] = adapters.flatMap((adapter) =>
  families.map((family) => ({ name: `${adapter.name} on ${family}`, adapter, family })),
);

const olderPrisma: MatrixAdapter = {
  name: 'prisma 6',
  orm: `Prisma ${versionOf('@prisma/client-6')}`,
  instant: 'offset-text',
  open: olderPrismaCell,
};

/** Every cell, and those of the older Prisma, whose engine takes values another way. */
export const cellsOfVersions: readonly MatrixCell[] = newestOf(
  [...adapters, olderPrisma],
  (adapter) => adapter === olderPrisma,
).flatMap((adapter) =>
  families.map((family) => ({ name: `${adapter.name} on ${family}`, adapter, family })),
);

/** The cells of a suite: each adapter on one of its databases, by the seed, but in runs of everything on all. */
export const sharedOut = <Cell extends { readonly adapter: unknown }>(
  suite: readonly Cell[],
): readonly Cell[] =>
  isSharedOut
    ? [...Map.groupBy(suite, ({ adapter }) => adapter).values()].flatMap((own, at) =>
        own.slice((at + seed) % own.length).slice(0, 1),
      )
    : suite;
