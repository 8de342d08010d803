/** A database family: everything that differs between databases, in two objects per folder of `databases`. */

import type { ReadCatalogue } from './catalogue.ts';
import type { CompanionDialect } from './companions/dialect.ts';
import type { Dialect } from './compile/dialect.ts';
import type { ErrorClass } from './read/driver-error.ts';
import type { RowChannel } from './compile/row-channel.ts';
import type { ReadNullable } from './profile/nullable-columns.ts';
import type { CheckProfile, CheckSearch } from './profile/violation.ts';
import type { TimeLimit } from './read/time-limit.ts';

export interface Family {
  /** How plans are written as SQL. */
  readonly dialect: Dialect;
  /** Whether a database has several connections, so that two statements can run concurrently. */
  readonly pooled: boolean;
  /** The class of an error of the database, its drivers or the network; `undefined` for other errors. */
  errorClass(error: unknown): ErrorClass | undefined;
  /** How the server stops a statement that takes too long. */
  readonly timeLimit: TimeLimit;
  /** The words before a statement whose plan is asked for; the last column of the rows is the text of the plan. */
  readonly explain: string;
  /** The row format of drivers that return objects, with values parsed by the host's settings. */
  readonly objectRows: RowChannel;
  /** Values for drivers that write them into the text of a statement; safe in every mode of the session. */
  readonly textValues: (values: readonly unknown[]) => unknown[];
}

/** The part of a family that lists do not load: it is for commands, checks of databases, and registries from a catalogue. */
export interface FamilyTools {
  /** How companion columns are added and filled. */
  readonly companions: CompanionDialect;
  /** How the catalogue is read. */
  readonly readCatalogue: ReadCatalogue;
  /** Compares a database with the family's profile. */
  readonly profile: CheckProfile;
  /** The columns of a table that accept nulls. */
  readonly nullableColumns: ReadNullable;
  /** Whether indexes serve a search in any case; absent where no index of the family does. */
  readonly searchIndexes?: CheckSearch;
}
