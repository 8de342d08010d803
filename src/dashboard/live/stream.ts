/**
 * Changes as the board tells them: one stream per board while the page is visible and has a place for it. It brings the
 * queues themselves; of everything else that is shown of a queue it says when to read again.
 */

import type { QueryClient } from '@tanstack/react-query';

import { allBoards } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import { setStreaming } from './loop.ts';

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
const mayStream = (): boolean => !document.hidden && (locks !== undefined || document.hasFocus());

/** Begins as soon as a place is free; the function returned gives the place up. */
function takePlace(begin: () => void): () => void {
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

interface Named {
  readonly name: string;
}

interface Listing {
  readonly queues: readonly Named[];
}

interface Diff {
  readonly changed: readonly Named[];
  readonly removed: readonly string[];
}

/** Milliseconds in which changes of queues are gathered before their jobs are read again. */
const gatherMs = 1_000;

/** Milliseconds until a stream that was open is tried again where something else was answered. */
const againMs = 10_000;

/** The properties of a listing that an event leaves out. */
const absent = { jobs: [], pagination: { pageCount: 1, range: { start: 0, end: 0 } } };

const complete = (queue: Named): Named => ({ ...absent, ...queue });

class Stream {
  readonly #board: Board;
  readonly #queries: QueryClient;
  readonly #changed = new Set<string>();
  #source: EventSource | undefined;
  /** Gives up the place of the stream, or the wait for one. */
  #leave: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the board has no stream. */
  #absent = false;
  /** Whether events have arrived; a proxy may keep them back. */
  #told = false;

  constructor(board: Board, queries: QueryClient) {
    this.#board = board;
    this.#queries = queries;
  }

  get open(): boolean {
    return this.#told && this.#source?.readyState === EventSource.OPEN;
  }

  start(onState: () => void): void {
    if (this.#leave || this.#absent) return;
    this.#leave = takePlace(() => this.#connect(onState));
  }

  #connect(onState: () => void): void {
    const source = new EventSource(`${this.#board.basePath}/api/live`);
    this.#source = source;
    const on = <Data>(name: string, take: (data: Data) => void) =>
      source.addEventListener(name, ({ data }: MessageEvent<string>) =>
        take(JSON.parse(data) as Data),
      );
    on<Listing>('snapshot', (listing) => {
      this.#told = true;
      onState();
      this.#set({ ...listing, queues: listing.queues.map(complete) });
    });
    on<Diff>('diff', (diff) => this.#merge(diff));
    source.addEventListener('unavailable', () => {
      // The poll finds the reason, and says how old the page is.
      void this.#queries.invalidateQueries({ queryKey: [this.#board.basePath, 'queues'] });
    });
    source.addEventListener('revoked', () => {
      // The browser connects again, which is refused unless the session only had to be refreshed.
      void this.#queries.invalidateQueries({ queryKey: [this.#board.basePath] });
    });
    source.addEventListener('open', onState);
    source.addEventListener('error', () => {
      // The browser tries again by itself, unless the answer was not a stream.
      if (source.readyState === EventSource.CLOSED) {
        this.#absent = true;
        this.stop();
        // A server that is being restarted is not one without a stream.
        if (this.#told) setTimeout(() => this.reopen(onState), againMs);
      }
      onState();
    });
  }

  /** Tries again where the stream was refused. */
  reopen(onState: () => void): void {
    if (!this.#absent) return;
    this.#absent = false;
    if (mayStream()) this.start(onState);
  }

  stop(): void {
    this.#source?.close();
    this.#source = undefined;
    this.#leave?.();
    this.#leave = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #set(listing: Listing): void {
    const queryKey = [this.#board.basePath, 'queues'];
    // The answer of a read that is under way would be older.
    void this.#queries.cancelQueries({ queryKey });
    this.#queries.setQueryData(queryKey, listing);
  }

  #merge({ changed, removed, ...rest }: Diff): void {
    const key = [this.#board.basePath, 'queues'];
    const before = this.#queries.getQueryData<Listing>(key);
    if (!before) return;
    const fresh = new Map(changed.map((queue) => [queue.name, complete(queue)]));
    const kept = before.queues
      .filter(({ name }) => !removed.includes(name))
      .map((queue) => {
        const now = fresh.get(queue.name);
        fresh.delete(queue.name);
        return now ?? queue;
      });
    this.#set({ ...before, ...rest, queues: [...kept, ...fresh.values()] });
    for (const { name } of changed) this.#changed.add(name);
    this.#timer ??= setTimeout(() => this.#readChanged(), gatherMs);
  }

  /** Reads again what is shown of the queues that have changed. */
  #readChanged(): void {
    this.#timer = undefined;
    const names = new Set(this.#changed);
    this.#changed.clear();
    void this.#queries.refetchQueries(
      {
        type: 'active',
        queryKey: [this.#board.basePath],
        predicate: ({ queryKey: [, , queue], meta, state }) =>
          meta?.['live'] === true && names.has(String(queue)) && state.error === null,
      },
      // A read that is under way is not begun anew, or a slow one would never end.
      { cancelRefetch: false },
    );
  }
}

let streams: readonly Stream[] = [];

const state = () => setStreaming(streams.every(({ open }) => open));

/** Opens streams that were refused, after a person has signed in again. */
export function reopenStreams(): void {
  for (const stream of streams) stream.reopen(state);
}

/** Opens the streams while the page may have them. */
export function startStreams(queries: QueryClient): void {
  streams = allBoards.map((board) => new Stream(board, queries));
  const follow = () => {
    for (const stream of streams) {
      if (mayStream()) stream.start(state);
      else stream.stop();
    }
    state();
  };
  document.addEventListener('visibilitychange', follow);
  addEventListener('focus', follow);
  addEventListener('blur', follow);
  // After the first paint has had the connections for itself.
  setTimeout(follow, 500);
}
