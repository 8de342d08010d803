/** Requests and answers without a framework, and what hooks and visibility guards see of them. */

/** A body that has been read: its value (undefined when there was none), or why it cannot be used. */
export type ReadBody =
  | { readonly value: unknown }
  | { readonly refused: 'malformed' | 'too-large' | 'not-json' };

/** Headers of a request; names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request as a server adapter hands it to a board. */
export interface BoardRequest {
  readonly method: string;
  /** Path below the board's mount, still encoded, without the query string: `/api/pgq/queues/a%2Fb`. */
  readonly path: string;
  /** The query string without its question mark, still encoded. */
  readonly rawQuery: string;
  readonly headers: RequestHeaders;
  /** Reads the body, of at most `limit` bytes. Called at most once. */
  readBody(limit: number): Promise<ReadBody>;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** Where clients find the board: '' or a path without a slash at its end. */
  readonly basePath: string;
  /** The request of the framework, for hooks that need it. */
  readonly native?: unknown;
}

/** An answer for a server adapter to send. */
export interface BoardResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined sends none. */
  readonly body: string | undefined;
}

/** The request as hooks and visibility guards see it. */
export interface HookRequest {
  /** Parameters of the path, decoded; as they came where they cannot be. */
  readonly params: Readonly<Record<string, string>>;
  /** Raw in the before-hook; checked and coerced from then on. */
  query: unknown;
  /** Raw in the before-hook, and undefined where it cannot be read; checked from then on. */
  body: unknown;
  readonly headers: RequestHeaders;
  /** Queues that are registered on the board, by name; none on a `pgq` board. */
  readonly queues: ReadonlyMap<string, unknown>;
  readonly uiConfig: Readonly<Record<string, unknown>>;
  /** The request of the framework (Express: `req`), with whatever the host's middleware put on it. */
  readonly native: unknown;
}
