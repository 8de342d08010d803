/** Requests and answers without a framework, and what hooks and visibility guards see of them. */

/** A query string or body before it is checked. */
export type RawRecord = Readonly<Record<string, unknown>>;

/** A body that has been read: its value (undefined when there was none), or why it cannot be used. */
export type ReadBody =
  | { readonly value: unknown }
  | { readonly refused: 'malformed' | 'too-large' | 'not-json' };

/** A request as a server adapter hands it to a board. */
export interface BoardRequest {
  readonly method: string;
  /** Path below the board's mount, still encoded, without the query string: `/api/pgq/queues/a%2Fb`. */
  readonly path: string;
  /** The query string without its question mark, still encoded. */
  readonly rawQuery: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Reads the body, of at most `limit` bytes. Called at most once. */
  readBody(limit: number): Promise<ReadBody>;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
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

/** What hooks and visibility guards see. */
export interface HookRequest {
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Raw in the before-hook; checked and coerced from then on. */
  query: unknown;
  /** Raw in the before-hook; checked from then on. */
  body: unknown;
  /** Names in lower case. */
  readonly headers: BoardRequest['headers'];
  readonly uiConfig: Readonly<Record<string, unknown>>;
  /** The request of the framework (Express: `req`), with whatever the host's middleware put on it. */
  readonly native: unknown;
}
