/** The hostile suite's endpoint through one ORM on one database family. */

import type { CompiledQueryRules, DatabaseFamily, QuerySource } from '../../src/index.ts';
import type { MissingService } from '../services/index.ts';

/** The endpoint, opened. */
export interface HostileCell {
  readonly rules: CompiledQueryRules;
  readonly source: QuerySource<object>;
  /** How many statements have been sent so far. */
  statements(): number;
  /** Most statements of one request: rows and count, and those of the included relations. */
  readonly mostStatements: number;
  close(): Promise<void>;
}

/** Opens the endpoint in a separate database. */
export type OpenHostile = (family: DatabaseFamily) => Promise<HostileCell | MissingService>;
