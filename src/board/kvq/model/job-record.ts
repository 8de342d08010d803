/** A stored job in the format of its library, from which responses are built. */

/** The field names are those of the libraries, because formatters and external links receive this object. */
export interface JobRecord {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
  readonly opts: Readonly<Record<string, unknown>>;
  readonly progress: unknown;
  readonly delay: number;
  readonly priority: number;
  /** When the job was added; epoch milliseconds, like all times here. */
  readonly timestamp: number;
  readonly attemptsMade: number;
  readonly attemptsStarted: number;
  readonly stalledCounter: number;
  readonly processedOn: number | null;
  readonly processedBy: string | null;
  readonly finishedOn: number | null;
  readonly failedReason: string | null;
  /** Oldest first, as stored. */
  readonly stacktrace: readonly string[];
  readonly returnvalue: unknown;
  readonly deduplicationId: string | null;
  readonly deferredFailure: string | null;
  /** Qualified name and id of the parent, `<prefix>:<queue>:<id>`. */
  readonly parentKey: string | null;
  /** Key of the scheduler that added the job. */
  readonly repeatJobKey: string | null;
}

/** A page of one state, newest first. */
export interface JobPage {
  readonly status: string;
  readonly jobs: readonly JobRecord[];
}
