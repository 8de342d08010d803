/** The answers of the demo's server: the endpoints with their rules, the examples, and the explanation of a request. */

import type { EndpointMeta as DescribedEndpoint } from '../meta.ts';

export type { FilterMeta, ProjectionMeta } from '../meta.ts';

/** One list over one database. */
export interface EndpointMeta extends DescribedEndpoint {
  readonly database: string;
  readonly list: string;
}

export interface Example {
  readonly title: string;
  readonly database: string;
  readonly list: string;
  readonly query: string;
}

export interface BoardMeta {
  readonly title: string;
  readonly path: string;
}

export interface Meta {
  readonly endpoints: readonly EndpointMeta[];
  readonly examples: readonly Example[];
  readonly boards: readonly BoardMeta[];
}

export type Row = Readonly<Record<string, unknown>>;

/** A page of rows, or the reason of a refusal. */
export interface Answer {
  readonly data?: readonly Row[];
  readonly page?: number;
  readonly total?: number;
  readonly lastPage?: number;
  readonly hasNextPage?: boolean;
  readonly nextCursor?: string | null;
  readonly prevCursor?: string | null;
  readonly code?: string;
  readonly message?: string;
}

export interface Explanation {
  readonly status: number;
  readonly plan: unknown;
  readonly statements: readonly { readonly sql: string; readonly params: readonly unknown[] }[];
  readonly answer: Answer;
  readonly ms: number;
}

export async function fetchMeta(): Promise<Meta> {
  return (await (await fetch('meta')).json()) as Meta;
}

/** Runs a request and explains it. */
export async function explain(
  { database, list, query }: { database: string; list: string; query: string },
  signal: AbortSignal,
): Promise<Explanation> {
  const path = `explain/${database}/${list}`;
  const response = await fetch(query === '' ? path : `${path}?${query}`, { signal });
  if (!response.ok) throw new Error(`The demo answered ${response.status}.`);
  return (await response.json()) as Explanation;
}
