/** The corpus on every cell and on the reference; prints the closing table. */

import { writeSync } from 'node:fs';
import { afterAll } from 'vitest';
import { cells } from './cells.ts';
import type { Outcome } from './closing-table.ts';
import { closingTable } from './closing-table.ts';
import { referenceCell } from './reference-cell.ts';
import { runCorpus } from './run-corpus.ts';

const outcomes: Outcome[] = [];
const report = (outcome: Outcome): void => void outcomes.push(outcome);

runCorpus('reference in memory', referenceCell, report);
for (const { name, adapter, family } of cells) {
  runCorpus(name, () => adapter.open(family, 'corpus'), report);
}

afterAll(() => {
  // Past the reporter, which would put a heading over it.
  writeSync(1, `${closingTable(outcomes)}\n`);
});
