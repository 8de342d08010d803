/** The disconnect of a client, seen at Node's response. */

/** The part of a response that tells of a disconnect. */
export interface ClosableResponse {
  readonly closed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** A signal that is aborted when the client disconnects, and the end of the watch. */
export function watchClient(response: ClosableResponse): { signal: AbortSignal; end(): void } {
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  response.once('close', abort);
  // A client that disconnected before this point causes no further event.
  if (response.closed) abort();
  return { signal: gone.signal, end: () => void response.off('close', abort) };
}
