/** One request taken apart: what it asks, the plan it becomes, the SQL that is sent, the answer and its time. */

import type { QueryErrorEnvelope } from '../src/schema/index.ts';
import { QueryError } from '../src/schema/index.ts';
import type { ListResult, QueryPlan, Row } from '../src/rules/index.ts';
import { planQuery, runQuery } from '../src/rules/index.ts';
import type { Endpoint } from './endpoints.ts';
import type { Statement } from './statements.ts';
import { collectStatements } from './statements.ts';

/** What the index page shows of a request. */
export interface Explanation {
  /** Path and query of the list endpoint. */
  readonly request: string;
  /** The status the endpoint answers with. */
  readonly status: number;
  /** `null` where the request is refused. */
  readonly plan: QueryPlan | null;
  readonly statements: readonly Statement[];
  readonly answer: ListResult<Row> | QueryErrorEnvelope;
  /** Milliseconds from the query string to the answer, planning included. */
  readonly ms: number;
}

/** Runs the raw query `query` on an endpoint and tells how. Errors other than `QueryError` are thrown. */
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
