/** A cell of the matrix: one ORM on one database, filled with the dataset. */

import type { DatabaseFamily, QuerySource } from '../../src/index.ts';
import type { SchemaRegistry } from '../../src/schema/index.ts';
import type { Scratch, ScratchDatabase } from '../services/index.ts';

/** The parts of a cell that the contract suite uses. */
export interface Cell {
  /** Shown in the closing table: `drizzle on postgresql`. */
  readonly name: string;
  readonly family: DatabaseFamily;
  /** The versions in use, for the closing table. */
  readonly about: string;
  /** The registry that the cell's ORM describes. */
  readonly registry: SchemaRegistry;
  source(model: string): QuerySource;
  /** An answer as the cell's driver can give it, where it has fewer digits. Default: the answer itself. */
  readonly asGiven?: (answer: string) => string;
  dispose(): Promise<void>;
}

/** Makes a cell; a text says in one line why there is none and how to get it. */
export type CellFactory = () => Promise<Cell | string>;

/** Hears every statement that a cell sends. */
export interface StatementLogger {
  logQuery(statement: string): void;
}

/** Work on a source inside a transaction. */
export type InTransaction = (
  model: string,
  work: (source: QuerySource) => Promise<void>,
) => Promise<void>;

/** A cell on a real database. */
export interface DatabaseCell extends Cell {
  readonly database: ScratchDatabase;
  /** A source that asks the ORM's own queries where `source` asks SQL; absent where there is no such difference. */
  readonly ownQueries?: (model: string) => QuerySource;
  /** Where the database leaves the profile. */
  violations(): Promise<readonly unknown[]>;
  /** Runs the work in a transaction of the ORM; absent where the driver has no asynchronous one. */
  readonly transaction?: InTransaction;
}

/** Opens a cell on a scratch database of its own, or says in one line how to get the database. */
export type OpenCell = (
  family: DatabaseFamily,
  suite: string,
  logger?: StatementLogger,
  scratch?: Scratch,
) => Promise<DatabaseCell | string>;
