/**
 * Calls functions at their deadlines, with one timer for all. Work that ends in time costs an entry in a list, which keeps
 * nothing of it: tables that a set has outgrown would refer to later ones, and, once they are old, keep the work of all
 * requests since then until a full collection of garbage.
 */

/** A function that is called at a time, unless the deadline is dropped before it. */
export interface Deadline {
  /** Time of `performance.now()`. */
  readonly at: number;
  /** `undefined` once it is called or dropped. */
  call: (() => void) | undefined;
  before: Deadline | undefined;
  after: Deadline | undefined;
}

/** Longest delay of a timer in milliseconds; a longer one would fire at once. */
const longestDelay = 2 ** 31 - 1;

/** The last of those that are pending. */
let last: Deadline | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
/** The time for which the timer is set. */
let wakes = Infinity;

/**
 * Calls the function once the time of `performance.now()` is `at`; never where that is `Infinity`. The timer does not keep
 * the process alive.
 */
export function addDeadline(at: number, call: () => void): Deadline {
  if (at === Infinity) return { at, call: undefined, before: undefined, after: undefined };
  const deadline: Deadline = { at, call, before: last, after: undefined };
  if (last) last.after = deadline;
  last = deadline;
  if (at < wakes) wakeAt(at);
  return deadline;
}

/** The function is no longer called. */
export function dropDeadline(deadline: Deadline): void {
  if (!deadline.call) return;
  // The timer stays: most deadlines are dropped, and the next one is later.
  const { before, after } = deadline;
  if (before) before.after = after;
  if (after) after.before = before;
  else last = before;
  deadline.call = undefined;
  deadline.before = undefined;
  deadline.after = undefined;
}

function wakeAt(at: number): void {
  clearTimeout(timer);
  wakes = at;
  const delay = Math.min(longestDelay, Math.max(1, Math.ceil(at - performance.now())));
  timer = setTimeout(wake, delay);
  // Runtimes other than Node.js may have numbers for timers.
  if (typeof timer === 'object') timer.unref();
}

function wake(): void {
  wakes = Infinity;
  const now = performance.now();
  const due: Deadline[] = [];
  let next = Infinity;
  for (let deadline = last; deadline; deadline = deadline.before) {
    if (deadline.at <= now) due.push(deadline);
    else next = Math.min(next, deadline.at);
  }
  // Those that are called may add others.
  if (next < wakes) wakeAt(next);
  // Of equal times, the first comes first.
  for (const deadline of due.reverse().sort((left, right) => left.at - right.at)) {
    // One that is called may drop another.
    const { call } = deadline;
    dropDeadline(deadline);
    call?.();
  }
}
