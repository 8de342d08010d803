/** The versions of pg-boss that the board is held against: the oldest of its range and the newest that installs. */

import * as newest from 'pg-boss';
import * as oldest from 'pg-boss-12.24';

/** One version of the library. */
export interface Library {
  readonly name: string;
  readonly module: typeof newest;
  readonly schemaVersion: number;
  /** Whether it foretells the runs of a schedule. */
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
  // Methods that came later are missing; what both have is called alike.
  module: oldest as unknown as typeof newest,
  schemaVersion: 35,
  previews: false,
};
