/** The course of a job as lengths of time: what it waited for, its attempts, and the times between them. */

/** A moment of the course as the board tells it. */
interface Moment {
  readonly at: number;
  readonly event:
    | 'added'
    | 'waiting'
    | 'delayed'
    | 'waiting-children'
    | 'active'
    | 'stalled'
    | 'completed'
    | 'failed'
    | 'deduplicated';
  readonly jobId?: string | undefined;
}

/** The times that a job has of itself. */
export interface TimedJob {
  readonly state: string;
  readonly added?: number | undefined;
  readonly runsAt?: number | undefined;
  readonly started?: number | undefined;
  readonly finished?: number | undefined;
}

export interface Segment {
  readonly kind: 'delayed' | 'waited' | 'ran' | 'backoff' | 'children' | 'unknown';
  /** Which attempt it leads to or is, from 1. */
  readonly attempt: number;
  readonly from: number;
  readonly to: number;
  /** Whether it still goes on. */
  readonly open: boolean;
  /** How an attempt has ended. */
  readonly outcome?: 'completed' | 'failed' | 'stalled' | 'again' | undefined;
}

export interface Course {
  readonly segments: readonly Segment[];
  /** Attempts of which no times are kept. */
  readonly missing: number;
  /** Later jobs that were not added because of this one: when, and their ids. */
  readonly deduplicated: readonly Moment[];
}

/** The kinds of segments that events begin. */
const begins: Partial<Readonly<Record<Moment['event'], Segment['kind']>>> = {
  waiting: 'waited',
  delayed: 'delayed',
  'waiting-children': 'children',
  active: 'ran',
};

const endings: ReadonlySet<string> = new Set(['completed', 'failed', 'stalled']);

/** States in which a job has come to rest. */
const ended: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** The course by the events that the datastore has kept; their times are those of its clock. */
function fromMoments(
  moments: readonly Moment[],
  { added = 0, finished, state }: TimedJob,
  attempts: number,
  now: number,
): Course {
  const segments: Segment[] = [];
  const began = moments.filter(({ event }) => event === 'active').length;
  const missing = Math.max(0, attempts - began);
  let attempt = missing;
  let kind: Segment['kind'] | undefined = moments[0]?.event === 'added' ? undefined : 'unknown';
  let from = Math.min(added, moments[0]?.at ?? added);
  const close = (to: number, outcome?: Segment['outcome'], open = false) => {
    if (kind !== undefined && (to > from || open)) {
      const own = kind === 'ran' ? attempt : attempt + 1;
      segments.push({ kind, attempt: Math.max(1, own), from, to, open, outcome });
    }
    kind = undefined;
  };
  for (const { event, at } of moments) {
    const next = begins[event];
    if (endings.has(event)) close(at, event as Segment['outcome']);
    else if (next) {
      // Whether the attempt has failed, or given the job back, is not among the events.
      close(at, kind === 'ran' && next !== 'children' ? 'again' : undefined);
      kind = next === 'delayed' && attempt > 0 ? 'backoff' : next;
      if (event === 'active') attempt += 1;
    } else continue;
    from = at;
  }
  if (!ended.has(state)) close(Math.max(now, from), undefined, true);
  // The clocks of worker and datastore may differ by more than is read.
  else if (kind === 'ran' && (state === 'completed' || state === 'failed'))
    close(Math.max(finished ?? from, from + 1), state);
  return {
    segments,
    missing,
    deduplicated: moments.filter(({ event }) => event === 'deduplicated'),
  };
}

/** The course by the fields of the job, which tell the times of its last attempt. */
function fromFields(job: TimedJob, attempts: number, now: number): Course {
  const { added, started, finished, runsAt, state } = job;
  if (added === undefined) return { segments: [], missing: 0, deduplicated: [] };
  const segments: Segment[] = [];
  const isOpen = !ended.has(state);
  const put = (
    kind: Segment['kind'],
    attempt: number,
    from: number,
    to: number,
    rest: Partial<Segment> = {},
  ) => {
    if (to > from) segments.push({ kind, attempt, from, to, open: false, ...rest });
  };
  const missing = Math.max(0, attempts - 1);
  if (started === undefined || runsAt === undefined || runsAt < started) {
    const due = runsAt ?? added;
    const until = started ?? finished ?? now;
    const waits = Math.min(due, until);
    put('delayed', 1, added, waits, { open: isOpen && started === undefined && due > until });
    const open = isOpen && started === undefined && due <= until;
    put(missing > 0 ? 'unknown' : 'waited', attempts || 1, waits, until, { open });
  } else put(missing > 0 ? 'unknown' : 'waited', attempts, added, started);
  if (started === undefined) return { segments, missing, deduplicated: [] };
  const runs = state === 'active';
  const outcome = state === 'completed' || state === 'failed' ? state : undefined;
  const to = finished ?? (runs ? now : started);
  put('ran', attempts || 1, started, to, { open: runs, outcome });
  return { segments, missing, deduplicated: [] };
}

/** @param attempts those that have begun */
export const courseOf = (
  job: TimedJob,
  attempts: number,
  moments: readonly Moment[],
  now: number,
): Course =>
  moments.some(({ event }) => event in begins)
    ? fromMoments(moments, job, attempts, now)
    : fromFields(job, attempts, now);

/** The moment at the beginning of a line of a log, where it has one with a date. */
export function momentOfLine(line: string): number | undefined {
  const [text] = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)/.exec(
    line.slice(0, 80),
  ) ?? [undefined];
  if (text === undefined) return undefined;
  const time = Date.parse(text.replace(' ', 'T').replace(',', '.'));
  return Number.isFinite(time) ? time : undefined;
}
