/** The kinds of connection to pg-boss, each with the oldest and the newest library where that matters. */

import pg from 'pg';
import type { PgqOptions } from '../../../src/board/pgq/index.ts';
import { seed } from '../../seed.ts';
import { isSharedOut, newestOf } from '../../setup/left-to-ci.ts';
import { type Library, middleLibrary, newestLibrary, oldestLibrary } from './libraries.ts';
import type { World } from './world.ts';

/** A kind of connection and a library. */
export interface Cell {
  readonly name: string;
  readonly library: Library;
  /** Options besides those of the test database, and the cleanup of their resources. */
  options(world: World): { readonly pgq: Partial<PgqOptions>; close?(): Promise<void> };
}

const connection = (library: Library): Cell => ({
  name: `${library.name}, a connection`,
  library,
  options: () => ({ pgq: {} }),
});

const instance = (library: Library): Cell => ({
  name: `${library.name}, an instance`,
  library,
  options: ({ boss }) => ({ pgq: { connection: undefined, instance: boss } }),
});

const both = (library: Library): Cell => ({
  name: `${library.name}, an instance and a connection`,
  library,
  options: ({ boss }) => ({ pgq: { instance: boss } }),
});

const borrowed = (library: Library): Cell => ({
  name: `${library.name}, a pool of the host's`,
  library,
  options: ({ url }) => {
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    return { pgq: { connection: pool }, close: () => pool.end() };
  },
});

const all: readonly Cell[] = [
  connection(newestLibrary),
  instance(newestLibrary),
  both(newestLibrary),
  borrowed(newestLibrary),
  connection(middleLibrary),
  connection(oldestLibrary),
  instance(oldestLibrary),
];

/** Every other kind of connection, by the seed, and all in runs of everything. */
export const cells = newestOf(all, ({ library }) => library !== newestLibrary).filter(
  (_, at) => !isSharedOut || at % 2 === seed % 2,
);
