/** Plans of PostgreSQL, with the values of a statement and as a prepared statement that has run before. */

import pg from 'pg';
import type { Sent, Told } from './told.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] =>
  node['Actual Loops'] === 0 ? [] : [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const given = (node: PlanNode): number => node['Actual Rows'] * node['Actual Loops'];
const removed = (node: PlanNode): number =>
  ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  node['Actual Loops'];

function told(plan: PlanNode): Told {
  const nodes = nodesOf(plan);
  return {
    scans: nodes
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'] ?? ''),
    sorted: nodes
      .filter((node) => node['Node Type'].includes('Sort'))
      .map(({ Plans = [] }) => Plans.reduce((sum, node) => sum + given(node), 0)),
    read: nodes
      .filter((node) => node['Relation Name'] ?? node['Index Name'])
      .reduce((sum, node) => sum + given(node) + removed(node), 0),
    text: JSON.stringify(plan, undefined, 1),
  };
}

/** Runs of a prepared statement from which on PostgreSQL may take one plan for all values. */
const runs = 6;

export async function explained(
  client: pg.Client,
  { text, values, isSteered }: Sent,
): Promise<Told[]> {
  const literals = values.map((value) =>
    client.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : String(value)),
  );
  const explain = async (sql: string): Promise<Told[]> => {
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (analyze, format json) ${sql}`,
    );
    return rows[0]?.['QUERY PLAN'].map(({ Plan }) => told(Plan)) ?? [];
  };
  await client.query(`prepare page as ${text}`);
  try {
    const all: Told[] = [];
    for (let run = 0; run < (isSteered ? 1 : runs); run += 1) {
      all.push(
        ...(await explain(`execute page${values.length > 0 ? `(${literals.join()})` : ''}`)),
      );
    }
    return all;
  } finally {
    await client.query('deallocate page');
  }
}
