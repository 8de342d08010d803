/**
 * Streams that all windows of a browser may have open together. Over HTTP/1.1 a browser has six connections to a server,
 * and a stream keeps one: without a limit, the seventh window would load nothing.
 */

const places = [1, 2, 3, 4];

/** Absent on a page that came over plain HTTP from another machine. */
const locks = navigator.locks as LockManager | undefined;

/** Streams of this page, where windows cannot agree on their places. */
let own = 0;

/** Whether the window may have streams: it can be seen, and is the one in use where windows cannot agree. */
export const mayStream = (): boolean =>
  !document.hidden && (locks !== undefined || document.hasFocus());

/** Begins as soon as a place is free; the function returned gives the place up. */
export function takePlace(begin: () => void): () => void {
  if (!locks) {
    own += 1;
    if (own <= places.length) begin();
    return () => {
      own -= 1;
    };
  }
  const wanted = new AbortController();
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  for (const place of places) {
    locks
      .request(`sluice live ${place}`, { signal: wanted.signal }, () => {
        if (wanted.signal.aborted) return undefined;
        // One place is enough.
        wanted.abort();
        begin();
        return left;
      })
      // A place that is not wanted any more.
      .catch(() => undefined);
  }
  return () => {
    wanted.abort();
    leave();
  };
}
