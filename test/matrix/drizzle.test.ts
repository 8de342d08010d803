/** The corpus on Drizzle's three cells and on the reference; prints the closing table. */

import { writeSync } from 'node:fs';
import { afterAll } from 'vitest';
import type { CellFactory } from './cell.ts';
import type { Outcome } from './closing-table.ts';
import { closingTable } from './closing-table.ts';
import { drizzleCell } from './drizzle-cell.ts';
import { referenceCell } from './reference-cell.ts';
import { runCorpus } from './run-corpus.ts';

const cells: { readonly [name: string]: CellFactory } = {
  'reference in memory': referenceCell,
  'drizzle on sqlite': () => drizzleCell('sqlite', 'corpus'),
  'drizzle on postgresql': () => drizzleCell('postgresql', 'corpus'),
  'drizzle on mysql': () => drizzleCell('mysql', 'corpus'),
};

const outcomes: Outcome[] = [];

for (const [name, factory] of Object.entries(cells)) {
  runCorpus(name, factory, (outcome) => outcomes.push(outcome));
}

afterAll(() => {
  // Past the reporter, which would put a heading over it.
  writeSync(1, `${closingTable(outcomes)}\n`);
});
