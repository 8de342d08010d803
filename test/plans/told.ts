/** A statement as a source has sent it, and the work that its plan tells of, in one form for every database. */

/** A statement with its values. */
export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether its best plan depends on its values, so that it is not prepared under a name. */
  readonly isSteered: boolean;
}

export interface Told {
  /** Tables, and indexes whose order serves nothing, that are read from end to end. */
  readonly scans: readonly string[];
  /** Rows that each sort has taken, or may take at most. */
  readonly sorted: readonly number[];
  /** Rows that tables and indexes have given, with those that were thrown away. */
  readonly read: number;
  /** The plan itself. */
  readonly text: string;
}
