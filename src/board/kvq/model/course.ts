/** The course of one job as a datastore tells it: the events that were kept, and the jobs that come before it. */

import { JobEvent, mostMoments, type JobMoment } from '../../contract/index.ts';

/** The kept events of a job. */
export interface EventsOfJob {
  /** The latest first. */
  readonly moments: readonly JobMoment[];
  /** The time since when the events were found; earlier ones are not kept or not read. Null where none are kept. */
  readonly since: number | null;
}

/** The place of a job among others, as far as the datastore knows it. */
export interface JobPlace {
  /** Jobs that run first; null where that is not known. */
  readonly ahead: number | null;
  /** Whether counting them stopped at a limit. */
  readonly capped?: boolean;
  /** Children that the job waits for. */
  readonly children: number;
  /** The job with which others of its deduplication id are deduplicated, and until when; null for ever. */
  readonly holder: { readonly jobId: string; readonly until: number | null } | null;
}

/** The place of a job of which nothing is known. */
export const unknownPlace: JobPlace = { ahead: null, children: 0, holder: null };

/** Events as they are stored. */
interface StoredEvent {
  readonly at: number;
  readonly event: unknown;
  readonly until: unknown;
  readonly jobId: unknown;
}

const isEvent = (name: unknown): name is JobEvent =>
  JobEvent.options.some((known) => known === name);

/** The events of the job that has the id now, among those that were found since a moment: the latest first. */
export function eventsOf(found: readonly StoredEvent[], since: number | null): EventsOfJob {
  // An earlier job may have had the id.
  const added = found.findIndex(({ event }) => event === 'added');
  const own = added < 0 ? found : found.slice(0, added + 1);
  const shown = own.slice(0, mostMoments);
  const moments = shown.flatMap(({ at, event, until, jobId }) => {
    if (!isEvent(event)) return [];
    const due = Number(until);
    return {
      at,
      event,
      ...(event === 'delayed' && due > 0 && { until: due }),
      ...(event === 'deduplicated' && jobId != null && jobId !== '' && { jobId: String(jobId) }),
    };
  });
  const cut = shown.length < own.length ? (shown.at(-1)?.at ?? null) : null;
  return { moments, since: cut ?? since };
}
