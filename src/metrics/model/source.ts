/** The interface of a source of readings. */

import type { SourceReading, SourceRequest } from '../../board/core/index.ts';

/** Queues of one kind, read together. */
export interface MetricsSource {
  /** The names of the queues at this moment, as on the board. */
  queues(): Promise<readonly string[]>;
  /** Readings by name; an error concerns its queue alone. */
  read(
    requests: ReadonlyMap<string, SourceRequest>,
  ): Promise<ReadonlyMap<string, SourceReading | Error>>;
}
