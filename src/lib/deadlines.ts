/** Calls functions at their deadlines, with one timer for all: work that ends in time costs an entry in a set. */

/** A function that is called at a time, unless the deadline is dropped before it. */
export interface Deadline {
  /** Time of `performance.now()`. */
  readonly at: number;
  readonly call: () => void;
}

/** Longest delay of a timer in milliseconds; a longer one would fire at once. */
const longestDelay = 2 ** 31 - 1;

const pending = new Set<Deadline>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** The time for which the timer is set. */
let wakes = Infinity;

/**
 * Calls the function once the time of `performance.now()` is `at`; never where that is `Infinity`. The timer does not keep
 * the process alive.
 */
export function addDeadline(at: number, call: () => void): Deadline {
  const deadline = { at, call };
  if (at === Infinity) return deadline;
  pending.add(deadline);
  if (at < wakes) wakeAt(at);
  return deadline;
}

/** The function is no longer called. */
export function dropDeadline(deadline: Deadline): void {
  // The timer stays: most deadlines are dropped, and the next one is later.
  pending.delete(deadline);
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
  for (const deadline of pending) {
    if (deadline.at <= now) due.push(deadline);
    else next = Math.min(next, deadline.at);
  }
  // Those that are called may add others.
  if (next < wakes) wakeAt(next);
  for (const deadline of due.toSorted((left, right) => left.at - right.at)) {
    // One that is called may drop another.
    if (pending.delete(deadline)) deadline.call();
  }
}
