/** The corpus on Prisma's three cells, on both of its major versions; prints the closing table. */

import { writeSync } from 'node:fs';
import { afterAll } from 'vitest';
import type { CellFactory } from './cell.ts';
import type { Outcome } from './closing-table.ts';
import { closingTable } from './closing-table.ts';
import { prismaCell } from './prisma-cell.ts';
import { runCorpus } from './run-corpus.ts';

const cells: { readonly [name: string]: CellFactory } = {
  'prisma on sqlite': () => prismaCell('sqlite', 'prisma_corpus'),
  'prisma on postgresql': () => prismaCell('postgresql', 'prisma_corpus'),
  'prisma on mysql': () => prismaCell('mysql', 'prisma_corpus'),
};

const outcomes: Outcome[] = [];

for (const [name, factory] of Object.entries(cells)) {
  runCorpus(name, factory, (outcome) => outcomes.push(outcome));
}

afterAll(() => {
  // Past the reporter, which would put a heading over it.
  writeSync(1, `${closingTable(outcomes)}\n`);
});
