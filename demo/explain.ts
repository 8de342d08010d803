/** Explains one request: its plan, SQL, response and time. */

import type { QueryErrorEnvelope } from '../src/schema/index.ts';
import { QueryError } from '../src/schema/index.ts';
import type {
  CompiledQueryRules,
  ListResult,
  QueryPlan,
  QuerySource,
  Row,
} from '../src/rules/index.ts';
import { planQuery, runQuery } from '../src/rules/index.ts';
import type { Statement } from './statements.ts';

/** The explanation of a request on the index page. */
export interface Explanation {
  /** Path and query of the list endpoint. */
  readonly request: string;
  /** HTTP status of the endpoint. */
  readonly status: number;
  /** `null` if the request is refused. */
  readonly plan: QueryPlan | null;
  readonly statements: readonly Statement[];
  readonly answer: ListResult<Row> | QueryErrorEnvelope;
  /** Milliseconds from the query string to the response, with planning. */
  readonly ms: number;
}

/** A list, and where it is found. */
export interface Explained {
  readonly path: string;
  readonly source: QuerySource;
  readonly rules: CompiledQueryRules;
}

/** Runs a task and appends its statements to a list. */
export type Collect = <T>(statements: Statement[], task: () => Promise<T>) => Promise<T>;

/** Runs a raw query string on an endpoint and explains it. Rethrows errors other than `QueryError`. */
export async function explain(
  { path, source, rules }: Explained,
  query: string,
  collect: Collect,
): Promise<Explanation> {
  const statements: Statement[] = [];
  const request = query === '' ? path : `${path}?${query}`;
  const started = performance.now();
  const ms = () => Math.round((performance.now() - started) * 100) / 100;
  try {
    const answer = await collect(statements, () => runQuery(source, query, rules));
    const took = ms();
    const plan = planQuery(query, rules);
    return { request, status: 200, plan, statements, answer, ms: took };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const answer = error.toJSON();
    return { request, status: error.status, plan: null, statements, answer, ms: ms() };
  }
}
