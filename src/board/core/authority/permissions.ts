/** The actions that the sender of a request may do: asks the host once per request, and refuses the others. */

import { BoardAction, isBoardAction, type Route, type RouteTable } from '../../contract/index.ts';
import { isRecord } from '../../../lib/index.ts';
import { BoardError } from '../board-error.ts';
import type { HookRequest } from '../request/request.ts';

type Part<Text, Which extends 'noun' | 'verb'> = Text extends `${infer Noun}.${infer Verb}`
  ? { noun: Noun; verb: Verb }[Which]
  : never;

/** Actions by name, such as `job.retry`; by noun, such as `job.*`; by verb, such as `*.read`; or all: `*`. */
export type Grant =
  | BoardAction
  | '*'
  | `${Part<BoardAction, 'noun'>}.*`
  | `*.${Part<BoardAction, 'verb'>}`;

/** The actions that a sender may do. */
export interface Permissions {
  /** Actions on the board and on every queue that `queues` does not name. Default none. */
  readonly allowed?: readonly Grant[];
  /** Actions on single queues by name, instead of `allowed`. Default none. */
  readonly queues?: Readonly<Record<string, readonly Grant[]>>;
}

/**
 * Tells the actions that the sender of a request may do: a list for the board and all queues, or a list per queue. A
 * queue whose `queue.read` is not allowed is hidden from the sender.
 */
export type PermissionsOf = (
  request: HookRequest,
) => readonly Grant[] | Permissions | Promise<readonly Grant[] | Permissions>;

const actions = BoardAction.options;

/** The actions of every valid grant. */
const granted = new Map<string, readonly BoardAction[]>([['*', actions]]);
for (const action of actions) {
  const [noun = '', verb = ''] = action.split('.');
  for (const [name, part] of [
    [`${noun}.*`, (other: string) => other.startsWith(`${noun}.`)],
    [`*.${verb}`, (other: string) => other.endsWith(`.${verb}`)],
    [action, (other: string) => other === action],
  ] as const) {
    granted.set(name, actions.filter(part));
  }
}

type Actions = ReadonlySet<BoardAction>;

function actionsOf(grants: unknown, place: string): Actions {
  if (!Array.isArray(grants)) throw new TypeError(`${place} must be a list of actions`);
  return new Set(
    grants.flatMap((grant: unknown) => {
      const found = typeof grant === 'string' ? granted.get(grant) : undefined;
      if (!found) throw new TypeError(`${place} has an unknown action: ${nameOf(grant)}`);
      return found;
    }),
  );
}

/** A value of the host in a message, cut. */
const nameOf = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : typeof value;

/** The actions that the sender of one request may do. */
export class Grants {
  readonly #everywhere: Actions;
  readonly #byQueue: ReadonlyMap<string, Actions>;
  readonly #mounted: readonly BoardAction[];
  #signature: string | undefined;

  constructor(
    everywhere: Actions,
    byQueue: ReadonlyMap<string, Actions>,
    mounted: readonly BoardAction[],
  ) {
    this.#everywhere = everywhere;
    this.#byQueue = byQueue;
    this.#mounted = mounted;
  }

  /** Whether the action is allowed on the queue; without a queue, on the board or on some queue. */
  allows(action: BoardAction, queueName?: string): boolean {
    if (queueName !== undefined && !isBoardAction(action)) {
      return (this.#byQueue.get(queueName) ?? this.#everywhere).has(action);
    }
    if (this.#everywhere.has(action)) return true;
    return !isBoardAction(action) && [...this.#byQueue.values()].some((own) => own.has(action));
  }

  /** Whether a request for the action goes on: on a hidden queue, as on one that does not exist. */
  admits(action: BoardAction, queueName?: string): boolean {
    const isHidden = queueName !== undefined && !this.allows('queue.read', queueName);
    return isHidden ? this.#everywhere.has(action) : this.allows(action, queueName);
  }

  /** Whether the action is allowed on every queue. */
  allowsEverywhere(action: BoardAction): boolean {
    return (
      this.#everywhere.has(action) && [...this.#byQueue.values()].every((own) => own.has(action))
    );
  }

  /** The allowed actions that the board serves, in a fixed order. */
  get allowed(): BoardAction[] {
    return this.#mounted.filter((action) => this.#everywhere.has(action));
  }

  /** The allowed actions of a queue, if they differ from those of the board; `most` limits them further. */
  ownOf(queueName: string, most?: (action: BoardAction) => boolean): BoardAction[] | undefined {
    const set = this.#byQueue.get(queueName);
    if (!set && !most) return undefined;
    const own = this.#mounted.filter(
      (action) =>
        !isBoardAction(action) && (set ?? this.#everywhere).has(action) && (!most || most(action)),
    );
    const shared = this.allowed.filter((action) => !isBoardAction(action));
    return own.length === shared.length && own.every((action, at) => action === shared[at])
      ? undefined
      : own;
  }

  /** Equal for senders who may do the same. */
  get signature(): string {
    const list = (set: Actions): string => actions.filter((action) => set.has(action)).join();
    this.#signature ??= JSON.stringify([
      list(this.#everywhere),
      ...[...this.#byQueue]
        .map(([name, set]) => [name, list(set)])
        .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
    ]);
    return this.#signature;
  }
}

/** The permissions of a board. */
export class BoardPermissions {
  readonly #ask: PermissionsOf | undefined;
  readonly #mounted: readonly BoardAction[];
  readonly #all: Grants;
  readonly #answers = new WeakMap<HookRequest, Promise<Grants>>();

  /** @param routes the mounted routes, whose actions are told to clients */
  constructor(ask: PermissionsOf | undefined, routes: RouteTable) {
    this.#ask = ask;
    const served = new Set<string>(Object.values(routes).map(({ action }) => action));
    // A run of a bulk command names its action in the body.
    this.#mounted = actions.filter((action) => served.has(action));
    this.#all = new Grants(new Set(actions), new Map(), this.#mounted);
  }

  /** Whether the host decides; otherwise everything is allowed. */
  get isAsked(): boolean {
    return this.#ask !== undefined;
  }

  /** The grants of the sender; the host is asked once per request. Rejects when the host's function fails. */
  of(request: HookRequest): Promise<Grants> {
    let answer = this.#answers.get(request);
    if (!answer) this.#answers.set(request, (answer = this.#read(request)));
    return answer;
  }

  /**
   * Requires an action of a request, on a queue if it names one. Whether this queue exists and is visible is for the
   * handler to say.
   *
   * @throws {BoardError} ACTION_NOT_ALLOWED when the sender may not do it
   */
  async require(request: HookRequest, action: BoardAction, queueName?: string): Promise<void> {
    if (!this.#ask) return;
    const grants = await this.of(request);
    if (grants.admits(action, queueName)) return;
    throw new BoardError('ACTION_NOT_ALLOWED', {
      code: 'ACTION_NOT_ALLOWED',
      options: { action },
    });
  }

  /** As `require`, for the action of a route. The host is asked anew. */
  async requireRoute(
    { action }: Route,
    queueName: string | undefined,
    request: HookRequest,
  ): Promise<void> {
    this.#answers.delete(request);
    if (action !== 'session') await this.require(request, action, queueName);
  }

  /** As `require`, for the action that the body names. */
  async requireNamed({ bodyAction }: Route, request: HookRequest): Promise<void> {
    const named = this.#ask && bodyAction?.(request.body);
    if (named) await this.require(request, named.action, named.queueName);
  }

  async #read(request: HookRequest): Promise<Grants> {
    if (!this.#ask) return this.#all;
    const answer: unknown = await this.#ask(request);
    const { allowed, queues } = Array.isArray(answer) ? { allowed: answer } : partsOf(answer);
    const byQueue = Object.entries(queues ?? {}).map(
      ([name, grants]) => [name, actionsOf(grants, `"permissions" of a queue`)] as const,
    );
    return new Grants(actionsOf(allowed ?? [], '"permissions"'), new Map(byQueue), this.#mounted);
  }
}

function partsOf(answer: unknown): { readonly allowed?: unknown; readonly queues?: object } {
  if (!isRecord(answer)) {
    throw new TypeError('"permissions" must return a list of actions, or an object with lists');
  }
  const { allowed, queues, ...others } = answer;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new TypeError(`"permissions" returned the unknown member ${nameOf(unknown)}`);
  }
  if (queues !== undefined && !isRecord(queues)) {
    throw new TypeError('"queues" of "permissions" must be an object');
  }
  return { allowed, ...(queues && { queues }) };
}
