/** The versions of pg-boss that the board is tested with: the oldest and the newest of the supported range. */

import * as newest from 'pg-boss';
import * as oldest from 'pg-boss-12.24';

/** A version of the library. */
export interface Library {
  readonly name: string;
  readonly module: typeof newest;
  readonly schemaVersion: number;
  /** Whether it can preview schedules. */
  readonly previews: boolean;
}

export const newestLibrary: Library = {
  name: 'pg-boss 12.35',
  module: newest,
  schemaVersion: 43,
  previews: true,
};

export const oldestLibrary: Library = {
  name: 'pg-boss 12.24',
  // Later methods are missing; common methods have the same names.
  module: oldest as unknown as typeof newest,
  schemaVersion: 35,
  previews: false,
};
