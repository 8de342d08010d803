/** Live updates of a board: one reader for all streams, which runs only while there are any. */

import { randomBytes } from 'node:crypto';
import { BoardError } from '../board-error.ts';
import type { HookRequest } from '../request/request.ts';
import { RawBody } from '../request/respond.ts';
import { LiveEvent, eventText } from './event.ts';
import { type ListQueues, type ListedQueues, signatureKey } from './listing.ts';
import { LiveListener } from './listener.ts';
import { LiveView, type ShownQueues } from './view.ts';
import { liveRoutes } from '../../contract/index.ts';
import type { BoardAuth } from '../authority/board-auth.ts';
import { askBefore, hookContext } from '../hooks.ts';
import type { ResolvedOptions } from '../options.ts';
import type { BoardPermissions } from '../authority/permissions.ts';
import { preferredEncoding } from '../reply/complete.ts';

/** Settings of live updates. */
export interface LiveOptions {
  /** Milliseconds between two reads of the queues while somebody listens, from 100. Default 2000. */
  readonly intervalMs?: number;
  /** Milliseconds after which guards, permissions and session of a listener are asked again. Default 30000. */
  readonly recheckMs?: number;
  /** Milliseconds between two comments that keep connections open. Default 15000. */
  readonly heartbeatMs?: number;
}

/** The parts of a board that live updates use. */
export interface LiveHost {
  readonly list: ListQueues;
  /** Checks the sender anew, who was let in before, and returns the request for guards. Rejects a refusal. */
  recheck(request: HookRequest): Promise<HookRequest>;
  /** The error that a client may see. */
  answer(error: unknown): BoardError;
}

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Middleware and proxies would keep events back to compress them.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  vary: 'accept-encoding',
};

/** Milliseconds after a change through the board until it is read. */
const touchMs = 50;

/** Views without listeners that are kept, for clients that come back. */
const mostIdleViews = 50;

export class Live {
  readonly #host: LiveHost;
  readonly #timing: Required<LiveOptions>;
  readonly #listeners = new Set<LiveListener>();
  readonly #views = new Map<string, LiveView>();
  /** Distinguishes the ids of this board from those of another process. */
  readonly #epoch = randomBytes(6).toString('base64url');
  #made = 0;
  #timer: NodeJS.Timeout | undefined;
  #beat: NodeJS.Timeout | undefined;
  #isReading = false;
  #isTouched = false;
  #isDown = false;
  #isClosed = false;
  #names: string | undefined;

  constructor(host: LiveHost, options: LiveOptions = {}) {
    this.#host = host;
    this.#timing = { intervalMs: 2000, recheckMs: 30_000, heartbeatMs: 15_000, ...options };
  }

  /** Opens a stream for a sender who may read queues. Rejects while the queues cannot be read. */
  async open(request: HookRequest, signal: AbortSignal): Promise<RawBody> {
    const listed = await this.#host.list();
    const view = await this.#viewOf(listed, request);
    const encoding = preferredEncoding(request.headers, ['gzip']) === 'gzip' ? 'gzip' : 'identity';
    const id = request.headers['last-event-id'];
    const first = view.since(id === undefined ? id : String(id)) ?? [view.snapshot()];
    const listener = new LiveListener(request, view, first, encoding, () => this.#leave(listener));
    this.#listeners.add(listener);
    if (signal.aborted || this.#isClosed) listener.end();
    signal.addEventListener('abort', () => listener.end(), { once: true });
    this.#start();
    return new RawBody(
      { ...headers, ...(encoding === 'gzip' && { 'content-encoding': encoding }) },
      listener,
    );
  }

  /** Reads soon: a command through this board has changed something. */
  touch(): void {
    if (this.#listeners.size === 0 || this.#isTouched) return;
    this.#isTouched = true;
    if (!this.#isReading) this.#schedule(touchMs);
  }

  /** Ends all streams. */
  close(): void {
    this.#isClosed = true;
    for (const listener of this.#listeners) listener.end();
  }

  #start(): void {
    if (this.#listeners.size === 0 || this.#beat) return;
    this.#schedule(this.#timing.intervalMs);
    this.#beat = setInterval(() => {
      for (const listener of this.#listeners) listener.beat();
    }, this.#timing.heartbeatMs).unref();
  }

  #leave(listener: LiveListener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    clearTimeout(this.#timer);
    clearInterval(this.#beat);
    this.#beat = undefined;
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tick(), delay).unref();
  }

  async #tick(): Promise<void> {
    this.#isReading = true;
    this.#isTouched = false;
    await this.#recheck();
    if (this.#listeners.size > 0) await this.#read();
    this.#isReading = false;
    if (this.#listeners.size > 0)
      this.#schedule(this.#isTouched ? touchMs : this.#timing.intervalMs);
  }

  /** Asks again whether those may listen who have not been asked for a while. Never rejects. */
  async #recheck(): Promise<void> {
    const before = performance.now() - this.#timing.recheckMs;
    const due = [...this.#listeners].filter(({ checkedAt }) => checkedAt <= before);
    await Promise.all(
      due.map(async (listener) => {
        try {
          listener.request = await this.#host.recheck(listener.request);
          listener.checkedAt = performance.now();
          // Asks the guards with the new request at the next read.
          this.#names = undefined;
        } catch (error) {
          listener.end(problem('revoked', this.#host.answer(error)));
        }
      }),
    );
  }

  /** Reads the queues and tells the listeners what has changed. Never rejects. */
  async #read(): Promise<void> {
    try {
      const listed = await this.#host.list();
      this.#isDown = false;
      const names = JSON.stringify(listed.names);
      if (names !== this.#names) await this.#regroup(listed);
      this.#names = names;
      const groups = Map.groupBy(this.#listeners, ({ view }) => view);
      for (const [view, listeners] of groups) await this.#update(listed, view, listeners);
    } catch (error) {
      if (this.#isDown) return;
      this.#isDown = true;
      const event = problem('unavailable', this.#host.answer(error));
      for (const listener of this.#listeners) listener.push(event);
    }
  }

  /** Finds the view of every listener again: queues have come or gone, or senders were checked anew. */
  async #regroup(listed: ListedQueues): Promise<void> {
    for (const [view, listeners] of Map.groupBy(this.#listeners, (listener) => listener.view)) {
      const byKey = new Map<string, LiveListener[]>();
      for (const listener of listeners) {
        try {
          const key = signatureKey(await listed.signature(listener.request));
          byKey.set(key, [...(byKey.get(key) ?? []), listener]);
        } catch (error) {
          listener.end(problem('revoked', this.#host.answer(error)));
        }
      }
      byKey.delete(view.key);
      const [[first] = []] = byKey;
      // Where all of them see something new, their view goes on under another key, and they get the difference.
      if (first !== undefined && byKey.size === 1 && this.#moves(view, first, byKey)) continue;
      for (const moved of byKey.values()) await this.#move(listed, moved);
    }
  }

  /** Gives a view another key, unless some of its listeners stay behind or the key has a view already. */
  #moves(
    view: LiveView,
    key: string,
    byKey: ReadonlyMap<string, readonly LiveListener[]>,
  ): boolean {
    const moving = new Set(byKey.get(key));
    const stays = [...this.#listeners].some((each) => each.view === view && !moving.has(each));
    if (stays || this.#views.has(key)) return false;
    this.#views.delete(view.key);
    view.rename(key);
    this.#views.set(key, view);
    return true;
  }

  /** Shows listeners of equal permissions another view. */
  async #move(listed: ListedQueues, listeners: readonly LiveListener[]): Promise<void> {
    for (const listener of listeners) {
      try {
        listener.show(await this.#viewOf(listed, listener.request));
      } catch (error) {
        listener.end(problem('revoked', this.#host.answer(error)));
      }
    }
  }

  /** Updates a view, as the first of its listeners sees it, and tells all of them. */
  async #update(
    listed: ListedQueues,
    view: LiveView,
    listeners: readonly LiveListener[],
  ): Promise<void> {
    const [first] = listeners;
    if (first) this.#tell(view, await listed.shownTo(first.request));
  }

  /** Also reaches those who have joined during the read, with a snapshot from before. */
  #tell(view: LiveView, shown: ShownQueues): void {
    const event = view.update(shown);
    if (!event) return;
    for (const listener of this.#listeners) if (listener.view === view) listener.push(event);
  }

  /** The view of a sender; one that nobody listens to is brought up to date first. */
  async #viewOf(listed: ListedQueues, request: HookRequest): Promise<LiveView> {
    const key = signatureKey(await listed.signature(request));
    const known = this.#views.get(key);
    const isLive = known && [...this.#listeners].some(({ view }) => view === known);
    if (isLive && !known.isOutdated) return known;
    const shown = await listed.shownTo(request);
    // Another request may have made it in the meantime.
    const view = this.#views.get(key) ?? new LiveView(key, `${this.#epoch}.${(this.#made += 1)}`);
    this.#tell(view, shown);
    this.#views.delete(key);
    this.#views.set(key, view);
    this.#dropIdle();
    return view;
  }

  #dropIdle(): void {
    if (this.#views.size <= mostIdleViews) return;
    const used = new Set([...this.#listeners].map(({ view }) => view));
    const idle = [...this.#views.values()].filter((view) => !used.has(view));
    for (const { key } of idle.slice(0, Math.max(0, idle.length - mostIdleViews))) {
      this.#views.delete(key);
    }
  }
}

const problem = (event: string, error: BoardError): LiveEvent =>
  new LiveEvent(eventText(event, JSON.stringify(error.toJSON())));

/** The parts of a board that let a sender in. */
interface Gates {
  readonly options: Pick<ResolvedOptions, 'handlerHooks'>;
  readonly permissions: BoardPermissions;
  readonly auth: BoardAuth | undefined;
}

/** The same for both engines as far as senders are checked. */
const route = liveRoutes.kvq.watchQueues;

/** Checks the sender of a stream anew: session, before-hook and permissions. */
export function recheckOf({ options, permissions, auth }: Gates): LiveHost['recheck'] {
  return async (before) => {
    if (auth?.authenticate && (await auth.authenticate(before.native as object)) === null) {
      throw new BoardError('UNAUTHORIZED');
    }
    // Guards and permissions remember their answers for a request: another object asks them again.
    const request = { ...before };
    await askBefore(options.handlerHooks, hookContext(route, request));
    await permissions.requireRoute(route, undefined, request);
    return request;
  };
}
