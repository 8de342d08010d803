/**
 * Reads a trace of Chromium: what the main thread of the page did, in processor time, which other work on the machine
 * does not change.
 */

interface Event {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export interface Work {
  /** Milliseconds of work in a sixtieth of a second of the trace, the mean. */
  readonly perMoment: number;
  /** Frames that were drawn. */
  readonly frames: number;
  /** Milliseconds of all tasks for a drawn frame, also those of the browser's own work: the mean, and the most. */
  readonly perFrame: number;
  readonly most: number;
  /** Of these, milliseconds of scripting, style and layout alone: the mean. */
  readonly scripting: number;
  /** Tasks of more than 50 ms. */
  readonly long: number;
  /** The longest task, in milliseconds. */
  readonly longest: number;
  /** All of it, in milliseconds. */
  readonly total: number;
}

const longMs = 50;

/** Events of scripts, with their garbage, of style and of layout. They may be within each other. */
const ofScripts = new Set([
  'EvaluateScript',
  'EventDispatch',
  'FireAnimationFrame',
  'FireIdleCallback',
  'FunctionCall',
  'MajorGC',
  'MinorGC',
  'RunMicrotasks',
  'TimerFire',
  'UpdateLayoutTree',
  'Layout',
  'v8.compile',
]);

/** Milliseconds of the outermost events of scripts, style and layout. */
function scriptingOf(events: readonly Event[]): number {
  let [total, end] = [0, 0];
  const own = events.filter(({ name, ph }) => ph === 'X' && ofScripts.has(name));
  for (const { ts, dur = 0, tdur = 0 } of own.toSorted((left, right) => left.ts - right.ts)) {
    if (ts < end) continue;
    total += tdur;
    end = ts + dur;
  }
  return total / 1_000;
}

/** The thread with most work among the main threads of renderers. */
function mainThread(events: readonly Event[]): readonly Event[] {
  const threads = new Map<string, Event[]>();
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  for (const event of events) {
    const id = `${event.pid} ${event.tid}`;
    if (!mains.has(id)) continue;
    const known = threads.get(id);
    if (known) known.push(event);
    else threads.set(id, [event]);
  }
  return [...threads.values()].toSorted((left, right) => right.length - left.length)[0] ?? [];
}

export function readTrace(trace: Buffer): Work {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly Event[] };
  const events = mainThread(traceEvents);
  const tasks = events
    .filter(({ name, ph }) => name.endsWith('RunTask') && ph === 'X')
    .map(({ ts, tdur = 0 }) => ({ ts, ms: tdur / 1_000 }))
    .toSorted((left, right) => left.ts - right.ts);
  const starts = events
    .filter(({ name }) => name === 'PrePaint')
    .map(({ ts }) => ts)
    .toSorted((left, right) => left - right);
  // The tasks since the last frame are the work for this one.
  const frames: number[] = [];
  let at = 0;
  for (const start of starts) {
    let sum = 0;
    for (; at < tasks.length && (tasks[at]?.ts ?? 0) <= start; at += 1) sum += tasks[at]?.ms ?? 0;
    frames.push(sum);
  }
  const total = tasks.reduce((sum, { ms }) => sum + ms, 0);
  const seconds = ((tasks.at(-1)?.ts ?? 0) - (tasks[0]?.ts ?? 0)) / 1e6;
  return {
    perMoment: seconds > 0 ? total / (seconds * 60) : 0,
    frames: frames.length,
    perFrame: frames.length > 0 ? total / frames.length : 0,
    most: Math.max(0, ...frames),
    scripting: frames.length > 0 ? scriptingOf(events) / frames.length : 0,
    long: tasks.filter(({ ms }) => ms > longMs).length,
    longest: tasks.reduce((longest, { ms }) => Math.max(longest, ms), 0),
    total,
  };
}
