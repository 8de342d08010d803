/** Generated legal requests answer the same bytes in every cell as in memory. */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { CompiledQueryRules, DatabaseFamily, QueryPlan } from '../../src/index.ts';
import { planQuery, runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { Cell } from './cell.ts';
import type { EndpointName } from './corpus/index.ts';
import { compileEndpoints } from './corpus/index.ts';
import { drizzleCell } from './drizzle-cell.ts';
import { registry } from './fixtures/models.ts';
import { legalRequest } from './legal-request.ts';
import { referenceCell } from './reference-cell.ts';

type Rules = { readonly [name in EndpointName]: CompiledQueryRules };

const families: readonly DatabaseFamily[] = ['sqlite', 'postgresql', 'mysql'];
/** `SLUICE_FUZZ_SEED` and `SLUICE_FUZZ_RUNS` (requests per endpoint) look further. */
const seed = Number(process.env['SLUICE_FUZZ_SEED'] ?? 20261120);
const numRuns = Number(process.env['SLUICE_FUZZ_RUNS'] ?? 40);

const meant = compileEndpoints(registry);
const names = (Object.keys(meant) as EndpointName[]).filter((name) => name !== 'usersBounded');

/** A host's own condition: one side of an OR from another legal request. */
function widened(plan: QueryPlan, other: QueryPlan): QueryPlan {
  if (!other.where) return plan;
  const parts = other.where.type === 'and' ? other.where.predicates : [other.where];
  const either = { type: 'or', predicates: parts } as const;
  return {
    ...plan,
    where: { type: 'and', predicates: [...(plan.where ? [plan.where] : []), either] },
  };
}

describe('generated requests', () => {
  const cells: { readonly cell: Cell; readonly rules: Rules }[] = [];

  beforeAll(async () => {
    for (const family of families) {
      const made = await drizzleCell(family, 'differential');
      if (typeof made !== 'string')
        cells.push({ cell: made, rules: compileEndpoints(made.registry) });
      else if (everyServiceRequired()) throw new Error(made);
    }
  });
  afterAll(async () => {
    for (const { cell } of cells) await cell.dispose();
  });

  /** The bytes of an answer; the cap on `paginate=false` is an answer too. */
  const bytes = async (cell: Cell, rules: CompiledQueryRules, request: string, other: string) => {
    const scope = planQuery(other, rules);
    const options = { transformPlan: (plan: QueryPlan) => widened(plan, scope) };
    try {
      return JSON.stringify(await runQuery(cell.source(rules.model), request, rules, options));
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (code === 'PAGINATION_INVALID') return code;
      throw error;
    }
  };

  it.each(names)('answer alike on %s', async (name) => {
    const reference = await referenceCell();
    const request = legalRequest(meant[name]);
    const scope = fc.oneof(
      { weight: 2, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: request },
    );
    await fc.assert(
      fc.asyncProperty(request, scope, async (asked, other) => {
        const expected = await bytes(reference, meant[name], asked, other);
        for (const { cell, rules } of cells) {
          const given = await bytes(cell, rules[name], asked, other);
          if (given === expected) continue;
          throw new Error(
            `${cell.name}: ${decodeURIComponent(asked)}\nwithin ${decodeURIComponent(other)}\n` +
              `answered ${given}\ninstead of ${expected}`,
          );
        }
      }),
      { seed, numRuns },
    );
  });
});
