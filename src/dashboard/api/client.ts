/**
 * The typed client of the board's API. Types come from the route table; the only part of a route that exists at run
 * time is its method and path, so that neither zod nor the table is in the bundle.
 */

import type * as z from 'zod';

import type { routeTable } from '../../board/contract/index.ts';
import { learnTime } from '../live/server-time.ts';
import { loadErrorTexts } from './error-text.ts';
import { ApiError, errorOf } from './errors.ts';
import { pathStep } from './path-name.ts';

type Table = typeof routeTable;

/** The routes by method and path. */
export type Calls = {
  [Id in keyof Table as `${Table[Id]['method']} ${Table[Id]['path']}`]: Table[Id];
};

export type CallName = keyof Calls;

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

/** The body of the answer. */
export type Answer<Name extends CallName> = Calls[Name] extends {
  readonly response: infer Schema extends z.core.$ZodType;
}
  ? z.output<Schema> & Partial<Begun<Name>>
  : undefined;

/** Members of the body of a 202 besides. */
type Begun<Name extends CallName> = Calls[Name] extends {
  readonly accepted: infer Schema extends z.core.$ZodType;
}
  ? z.output<Schema>
  : unknown;

type QueryOf<Name extends CallName> = Calls[Name] extends {
  readonly query: infer Schema extends z.core.$ZodType;
}
  ? { readonly [Key in keyof z.input<Schema>]?: string | number | boolean | undefined } & {
      readonly [filter: string]: string | number | boolean | undefined;
    }
  : Readonly<Record<string, string | number | boolean | undefined>>;

type BodyOf<Name extends CallName> = Calls[Name] extends {
  readonly body: infer Schema extends z.core.$ZodType;
}
  ? z.input<Schema>
  : undefined;

export interface CallOptions<Name extends CallName> {
  readonly params?: Readonly<Record<Names<Name>, string>>;
  readonly query?: QueryOf<Name>;
  readonly body?: BodyOf<Name>;
  /** The body as JSON text, for values that JavaScript would round. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Options are needed where the path has parameters. */
type Options<Name extends CallName> = [Names<Name>] extends [never]
  ? [CallOptions<Name>?]
  : [CallOptions<Name> & { readonly params: Readonly<Record<Names<Name>, string>> }];

/** A client of one board. */
export interface Client {
  readonly basePath: string;
  /** Calls a route; fails with `ApiError`. */
  call<Name extends CallName>(name: Name, ...options: Options<Name>): Promise<Answer<Name>>;
  /** A query of a route. Its key has the board first, and the queue, if it has one, in the third place. */
  read<Name extends CallName>(
    name: Name,
    ...options: Options<Name>
  ): {
    readonly queryKey: readonly unknown[];
    readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Answer<Name>>;
  };
  /** The address of a route. */
  url(
    path: string,
    query?: Readonly<Record<string, string | number | boolean | undefined>>,
  ): string;
}

/** The last answer of a GET, kept for `If-None-Match`. */
interface Kept {
  readonly tag: string;
  readonly body: unknown;
}

/** Answers that were asked for while the scripts were loading, by address. */
const { early: earlyAnswers } = globalThis as { readonly early?: Map<string, Promise<Response>> };

/** An early answer; it is used once. */
function takeEarly(method: string, address: string): Promise<Response> | undefined {
  const response = method === 'GET' ? earlyAnswers?.get(address) : undefined;
  earlyAnswers?.delete(address);
  return response;
}

/** Answers kept per client; older ones go first. */
const keptLimit = 100;

function fill(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathStep(params[name] ?? ''));
}

export function createClient(basePath: string): Client {
  const kept = new Map<string, Kept>();

  const url: Client['url'] = (path, query = {}) => {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)]],
    );
    const text = new URLSearchParams(given).toString();
    return `${basePath}${path}${text === '' ? '' : `?${text}`}`;
  };

  async function send(method: string, address: string, options: CallOptions<CallName>) {
    const known = method === 'GET' ? kept.get(address) : undefined;
    const body =
      options.rawBody ?? (options.body === undefined ? null : JSON.stringify(options.body));
    const early = takeEarly(method, address);
    const asked = Date.now() - (early ? performance.now() : 0);
    let response: Response;
    try {
      response = await (early ??
        fetch(address, {
          method,
          body,
          headers: {
            accept: 'application/json',
            ...(body !== null && { 'content-type': 'application/json' }),
            ...(known && { 'if-none-match': known.tag }),
            ...options.headers,
          },
          credentials: 'same-origin',
          // A session that has ended redirects to a login page on another origin: that is an answer, not a document.
          redirect: 'manual',
          cache: 'no-store',
          ...(options.signal && { signal: options.signal }),
        }));
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new ApiError({ status: 0, key: 'UNREACHABLE' });
    }
    learnTime(response.headers.get('date'), asked);
    if (response.status === 304 && known) return known.body;
    if (response.type === 'opaqueredirect')
      throw new ApiError({ status: 401, key: 'UNAUTHORIZED' });
    if (!response.ok) throw await errorOf(response);
    if (response.status === 204) return undefined;
    const answer: unknown = await response.json();
    const tag = response.headers.get('etag');
    if (method === 'GET' && tag !== null) {
      kept.delete(address);
      kept.set(address, { tag, body: answer });
      if (kept.size > keptLimit) kept.delete(kept.keys().next().value ?? '');
    }
    return answer;
  }

  const call: Client['call'] = async (name, ...[options]) => {
    const [method = 'GET', path = '/'] = name.split(' ');
    const given = (options ?? {}) as CallOptions<CallName>;
    try {
      const filled = fill(path, (given.params ?? {}) as Record<string, string>);
      const address = url(filled, given.query);
      return (await send(method, address, given)) as never;
    } catch (error) {
      await loadErrorTexts();
      throw error;
    }
  };

  return {
    basePath,
    url,
    call,
    read: (name, ...options) => {
      const { params = {}, query } = (options[0] ?? {}) as CallOptions<CallName>;
      const { queueName = '' } = params as { readonly queueName?: string };
      return {
        queryKey: [basePath, name, queueName, params, query],
        queryFn: ({ signal }) =>
          call(name, ...([{ ...options[0], signal }] as unknown as typeof options)),
      };
    },
  };
}
