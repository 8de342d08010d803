/** The versions of pg-boss that the board is tested with: the oldest, one in between and the newest of the supported range. */

import * as middle from 'pg-boss';
import * as oldest from 'pg-boss-12.24';
import * as newest from 'pg-boss-12.38';

/** A version of the library. */
export interface Library {
  readonly name: string;
  readonly module: typeof middle;
  readonly schemaVersion: number;
  /** Whether it can preview schedules. */
  readonly previews: boolean;
}

export const newestLibrary: Library = {
  name: 'pg-boss 12.38',
  // Its types name its own classes.
  module: newest as unknown as typeof middle,
  schemaVersion: 46,
  previews: true,
};

export const middleLibrary: Library = {
  name: 'pg-boss 12.35',
  module: middle,
  schemaVersion: 43,
  previews: true,
};

export const oldestLibrary: Library = {
  name: 'pg-boss 12.24',
  // Later methods are missing; common methods have the same names.
  module: oldest as unknown as typeof middle,
  schemaVersion: 35,
  previews: false,
};
