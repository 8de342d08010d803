/** The databases that the matrix makes are on the profile that parity holds on. */

import { describe, expect, it } from 'vitest';
import type { DatabaseFamily } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import { drizzleCell } from './drizzle-cell.ts';

const families: readonly DatabaseFamily[] = ['sqlite', 'postgresql', 'mysql'];

describe('the database profile', () => {
  it.for(families)('holds for the dataset on %s', async (family, context) => {
    const cell = await drizzleCell(family, 'profile');
    if (typeof cell === 'string') {
      if (everyServiceRequired()) throw new Error(cell);
      return context.skip(cell);
    }
    const violations = await cell.violations().finally(() => cell.dispose());
    expect(violations).toEqual([]);
  });
});
