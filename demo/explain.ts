/** Explains one request: its plan, SQL, response and time. */

import type { QueryErrorEnvelope } from '../src/schema/index.ts';
import { QueryError } from '../src/schema/index.ts';
import type { ListResult, QueryPlan, Row } from '../src/rules/index.ts';
import { planQuery, runQuery } from '../src/rules/index.ts';
import type { Endpoint } from './endpoints.ts';
import type { Statement } from './statements.ts';
import { collectStatements } from './statements.ts';

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

/** Runs a raw query string on an endpoint and explains it. Rethrows errors other than `QueryError`. */
export async function explain(endpoint: Endpoint, query: string): Promise<Explanation> {
  const { source, rules } = endpoint;
  const statements: Statement[] = [];
  const request = query === '' ? endpoint.path : `${endpoint.path}?${query}`;
  const started = performance.now();
  const ms = () => Math.round((performance.now() - started) * 100) / 100;
  try {
    const answer = await collectStatements(statements, () => runQuery(source, query, rules));
    const took = ms();
    const plan = planQuery(query, rules);
    return { request, status: 200, plan, statements, answer, ms: took };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const answer = error.toJSON();
    return { request, status: error.status, plan: null, statements, answer, ms: ms() };
  }
}
