/** A cell of the matrix: one ORM on one database, filled with the dataset. */

import type { DatabaseFamily, QuerySource } from '../../src/index.ts';
import type { SchemaRegistry } from '../../src/schema/index.ts';

/** What the contract suite needs of a cell. */
export interface Cell {
  /** Shown in the closing table: `drizzle on postgresql`. */
  readonly name: string;
  readonly family: DatabaseFamily;
  /** What runs it, for the closing table. */
  readonly about: string;
  /** The registry that the cell's ORM describes. */
  readonly registry: SchemaRegistry;
  source(model: string): QuerySource;
  dispose(): Promise<void>;
}

/** Makes a cell; a text says in one line why there is none and how to get it. */
export type CellFactory = () => Promise<Cell | string>;
