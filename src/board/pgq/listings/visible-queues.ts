/** The queues that a request may see: served by the board, existing, and allowed by the host's guard. */

import { BoundedCache, isRecord } from '../../../lib/index.ts';
import { type PlanOptions, type Predicate, runQuery } from '../../../rules/index.ts';
import { isStorableText } from '../../../schema/index.ts';
import type { BoardAction } from '../../contract/index.ts';
import {
  BoardError,
  type BoardPermissions,
  type HookRequest,
  QueueVisibility,
} from '../../core/index.ts';
import type { OpenSchema } from './installation.ts';
import { type PgqSettings, internalPrefix } from '../options.ts';

/** Milliseconds for which a queue that was found is assumed to exist. */
const knownMs = 1_000;
/** Queues up to which a list of all of them is planned quickly. */
const maxListed = 1000;

/** A schema with the jobs that the sender of a request may see. */
export interface JobSchema extends OpenSchema {
  /** Options of every plan over jobs. */
  readonly jobOptions: PlanOptions<object>;
}

/** The rights of a run that goes on without the request that began it: the jobs of that request's scope. */
export interface Authorised {
  /** The condition of the host's `scope`, `null` without one. */
  readonly authorised: Predicate | null;
}

/** A limit to some queues, or to all but some. */
export interface QueueLimit {
  readonly operator: 'in' | 'notIn';
  readonly names: readonly string[];
}

/** The queues of one board. */
export class VisibleQueues {
  readonly #visibility: QueueVisibility;
  readonly #known = new BoundedCache<string, number>(1_000);

  readonly #scope: PgqSettings['scope'];
  /** Whether the board serves a queue of that name. */
  readonly serves: PgqSettings['serves'];
  readonly #servesSome: boolean;
  /** Whether every sender sees every queue alike. */
  readonly showsAll: boolean;

  constructor(settings: PgqSettings, permissions: BoardPermissions) {
    const { serves, servesSome, visibilityGuard, scope } = settings;
    this.#scope = scope;
    this.serves = serves;
    this.#servesSome = servesSome;
    this.#visibility = new QueueVisibility(visibilityGuard, permissions);
    this.showsAll = !visibilityGuard && !permissions.isAsked;
  }

  /** The names of the queues that the sender may see, and in which they may do the action. */
  async visibleAmong(
    request: HookRequest,
    names: Iterable<string>,
    action?: BoardAction,
  ): Promise<ReadonlySet<string>> {
    const served = [...new Set(names)].filter((name) => this.serves(name));
    return this.#visibility.visibleAmong(request, served, action);
  }

  /**
   * Requires a visible queue. Asks the guard first. Then runs one statement, unless the sender may see the queue and it
   * was found within the last second. So hidden and missing queues take the same steps and the same time.
   *
   * @throws {BoardError} QUEUE_NOT_FOUND when the queue is missing or hidden
   */
  async require(
    schema: OpenSchema,
    request: HookRequest | Authorised,
    name: string,
  ): Promise<JobSchema> {
    const isAuthorised = 'authorised' in request;
    const allowed = isAuthorised ? this.serves(name) : await this.allows(request, name);
    const exists = (allowed && this.#isKnown(name)) || (await this.#exists(schema, name));
    if (!allowed || !exists) throw new BoardError('QUEUE_NOT_FOUND');
    if (!isAuthorised) return this.scoped(schema, request);
    const { authorised } = request;
    // An instance with other options could show more than the one where the run began.
    if ((authorised === null) !== (this.#scope === undefined)) {
      throw new BoardError('QUEUE_NOT_FOUND');
    }
    return { ...schema, jobOptions: authorised ? { scope: { jobs: authorised } } : {} };
  }

  /** The rights of a run of the request. */
  async authorise(request: HookRequest): Promise<Authorised> {
    if (!this.#scope) return { authorised: null };
    const authorised = await this.#scope(request);
    if (!isRecord(authorised)) throw new TypeError('"pgq.scope" must return a condition');
    return { authorised };
  }

  /** The schema with the scope of the request. */
  async scoped(schema: OpenSchema, request: HookRequest): Promise<JobSchema> {
    if (!this.#scope) return { ...schema, jobOptions: {} };
    return { ...schema, jobOptions: { scope: { jobs: await this.#scope(request) } } };
  }

  /** Whether the sender may see the queue of that name, if it exists. */
  async allows(request: HookRequest, name: string): Promise<boolean> {
    return this.serves(name) && this.#visibility.allows(request, name);
  }

  /** As `require`, with a statement also for a queue that was found within the last second. */
  requireNow(schema: OpenSchema, request: HookRequest, name: string): Promise<JobSchema> {
    this.forget(name);
    return this.require(schema, request, name);
  }

  /** Forgets a queue after a statement did not find it as expected. */
  forget(name: string): void {
    this.#known.set(name, -Infinity);
  }

  /** Names of all queues of the schema; only those that contain a text, if one is given. */
  async names({ listings, read }: OpenSchema, part?: string): Promise<string[]> {
    const filter = part === undefined ? {} : { filter: { name: { like: part } } };
    const { data } = await read((session) =>
      runQuery(
        listings.source(session, 'queue'),
        { ...filter, paginate: 'false' },
        listings.rules.queueNames,
      ),
    );
    return data.map((row) => row.name ?? '');
  }

  /**
   * The queues whose jobs the sender may see. Where only internal queues are hidden, these are named: a list of all
   * others costs PostgreSQL more time to plan than a page to read. For some states it is given all the same, because the
   * index of the listing of a queue then finds that few or no jobs are in them.
   */
  async ofJobs(
    schema: OpenSchema,
    request: HookRequest,
    {
      queues: chosen,
      ofStates,
    }: { readonly queues?: readonly string[] | undefined; readonly ofStates: boolean },
  ): Promise<QueueLimit> {
    const isUnlimited = this.showsAll && !this.#servesSome && !chosen;
    const existing = isUnlimited && !ofStates ? [] : await this.names(schema);
    if (isUnlimited && (!ofStates || existing.length > maxListed)) {
      const internal = await this.names(schema, internalPrefix);
      return { operator: 'notIn', names: internal.filter((name) => !this.serves(name)) };
    }
    const asked = chosen && new Set(chosen);
    const shown = await this.visibleAmong(request, existing, 'job.read');
    return { operator: 'in', names: [...shown].filter((name) => !asked || asked.has(name)) };
  }

  #isKnown(name: string): boolean {
    const met = this.#known.get(name);
    return met !== undefined && performance.now() - met < knownMs;
  }

  async #exists({ listings, read }: OpenSchema, name: string): Promise<boolean> {
    if (!isStorableText(name)) return false;
    const { data } = await read((session) =>
      runQuery(
        listings.source(session, 'queue'),
        { filter: { name: { eq: name } }, perPage: '1' },
        listings.rules.queueNames,
      ),
    );
    if (data.length > 0) this.#known.set(name, performance.now());
    return data.length > 0;
  }
}
