/** The reference as a cell, so that the corpus holds it to the same expectations. */

import type { Cell } from './cell.ts';
import { registry } from './fixtures/models.ts';
import { referenceSource } from './reference/source.ts';

/** The cell that evaluates in memory. */
export async function referenceCell(): Promise<Cell> {
  return {
    name: 'reference in memory',
    family: 'sqlite',
    about: 'no database',
    registry,
    source: (model) => referenceSource(model),
    dispose: async () => {},
  };
}
