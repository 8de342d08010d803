/**
 * Plans of SQLite, which tells how tables are read and where rows are sorted, without their numbers. Views in front of the
 * tables count the rows.
 */

import type Sqlite from 'better-sqlite3';
import type { Sent, Told } from './told.ts';

interface Step {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

/** Rows up to which the part of a page is run that finds its rows first, by a test before it. */
const fewRows = 1000;

const table = /^(?:SCAN|SEARCH) (?:items|marks|companies|t[0-9]+)\b/;

/** Rows that the sort of a select takes: those of a page, those that a test has found to be few, or any number. */
function sortedIn(siblings: readonly Step[]): number {
  const reads = siblings.filter(({ detail }) => /^(?:SCAN|SEARCH) /.test(detail));
  const isPage = /^SCAN (?:t[0-9]+|\(subquery-[0-9]+\))$/.test(reads[0]?.detail ?? '');
  if (isPage && reads.slice(1).every(({ detail }) => detail.includes('PRIMARY KEY'))) return 0;
  return siblings.some(({ detail }) => detail.startsWith('SCALAR SUBQUERY')) ? fewRows : Infinity;
}

const tables = ['companies', 'items', 'marks'] as const;

/** The rows that a statement reads. */
function rowsRead(client: Sqlite.Database, { text, values }: Sent): number {
  let read = 0;
  client.function('is_read', { deterministic: false }, () => {
    read += 1;
    return 1;
  });
  for (const name of tables) {
    client.exec(`create temp view ${name} as select * from main.${name} where is_read()`);
  }
  try {
    client.prepare(text).all(...values);
  } finally {
    for (const name of tables) client.exec(`drop view temp.${name}`);
  }
  return read;
}

/** `isBehind` tells that the page begins behind a position, which an index is searched for. */
export async function explained(
  client: Sqlite.Database,
  sent: Sent,
  isBehind: boolean,
): Promise<Told[]> {
  const { text, values } = sent;
  const steps = client.prepare<unknown[], Step>(`explain query plan ${text}`).all(...values);
  const isDerived = new Set(
    steps.flatMap(({ detail }) => /^(?:CO-ROUTINE|MATERIALIZE) (.+)$/.exec(detail)?.[1] ?? []),
  );
  const scans = steps.filter(({ detail, parent }) => {
    const name = /^SCAN (\S+)/.exec(detail)?.[1];
    if (!name || isDerived.has(name) || !table.test(detail)) return false;
    const isOrdered = !steps.some(
      (other) => other.parent === parent && other.detail === 'USE TEMP B-TREE FOR ORDER BY',
    );
    return isBehind || !isOrdered || !detail.includes(' USING ');
  });
  const sorts = steps.filter(({ detail }) => detail === 'USE TEMP B-TREE FOR ORDER BY');
  return [
    {
      scans: scans.map(({ detail }) => detail),
      sorted: sorts.map(({ parent }) => sortedIn(steps.filter((step) => step.parent === parent))),
      read: rowsRead(client, sent),
      text: steps.map(({ id, parent, detail }) => `${id} ${parent} ${detail}`).join('\n'),
    },
  ];
}
