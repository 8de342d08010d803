/** A client of PostgreSQL whose statements are kept, and the plans by which they are run. */

import type pg from 'pg';

/** A statement with its values. */
export interface Sent {
  readonly text: string;
  readonly values?: unknown[];
}

export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The client as a connection that adds each statement to `sent`. */
export function heard(client: pg.Client): {
  readonly connection: pg.Client;
  readonly sent: Sent[];
} {
  const sent: Sent[] = [];
  const query = (statement: Sent, ...rest: unknown[]): unknown => {
    sent.push(statement);
    return (client.query as (...given: unknown[]) => unknown).call(client, statement, ...rest);
  };
  return { connection: Object.assign(Object.create(client) as pg.Client, { query }), sent };
}

const nodesOf = (node: PlanNode): PlanNode[] =>
  node['Actual Loops'] === 0 ? [] : [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Runs a statement once more, and returns the nodes of its plan that were run. */
export async function explained(client: pg.Client, { text, values }: Sent): Promise<PlanNode[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (analyze, format json) ${text}`,
    values,
  );
  return rows[0]?.['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)) ?? [];
}

/** How many rows the tables have given to the nodes. */
export const rowsRead = (nodes: readonly PlanNode[]): number =>
  nodes.reduce(
    (sum, node) => sum + (node['Relation Name'] ? node['Actual Rows'] * node['Actual Loops'] : 0),
    0,
  );

/** How many rows of tables the nodes have read, also those that do not meet their conditions. */
export const rowsExamined = (nodes: readonly PlanNode[]): number =>
  nodes.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), rowsRead(nodes));
