/** Generated legal requests on generated rows answer the same bytes in every cell as in memory. */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { CompiledQueryRules, QueryPlan, QuerySource } from '../../src/index.ts';
import { QueryError, planQuery, runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import type { MatrixCell } from './cells.ts';
import { cells } from './cells.ts';
import type { EndpointName } from './corpus/index.ts';
import { compileEndpoints } from './corpus/index.ts';
import { curated } from './fixtures/dataset.ts';
import { generatedWorld, joined, toMilliseconds } from './fixtures/generated-world.ts';
import { insertWorld, knexOn } from './fixtures/load.ts';
import { registry } from './fixtures/models.ts';
import { legalRequest } from './legal-request.ts';
import { referenceSource } from './reference/source.ts';

type Rules = { readonly [name in EndpointName]: CompiledQueryRules };

/** `SLUICE_FUZZ_SEED` makes other rows and requests, `SLUICE_FUZZ_RUNS` is how many requests a cell gets. */
const seed = Number(process.env['SLUICE_FUZZ_SEED'] ?? 20261120);
const runs = Number(process.env['SLUICE_FUZZ_RUNS'] ?? 5000);
/** A pattern of cell names; `npm run matrix` chooses with it. */
const chosen = new RegExp(`^${process.env['SLUICE_FUZZ_CELLS'] ?? '.*'}$`);

const generated = generatedWorld(seed);
const world = joined(curated, generated);
/** The rows as a database holds them: SQLite has no microseconds. */
const worlds = {
  micro: { generated, all: world },
  milli: { generated: toMilliseconds(generated), all: toMilliseconds(world) },
};
const precisionOf = ({ family }: MatrixCell) => (family === 'sqlite' ? 'milli' : 'micro');

const meant = compileEndpoints(registry);
const names = (Object.keys(meant) as EndpointName[]).filter((name) => name !== 'usersBounded');
const runsEach = Math.ceil(runs / names.length);

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

/** One request, the condition a host adds to it, and which way its cursors are followed. */
interface Asked {
  readonly request: string;
  readonly within: string;
  readonly travel: readonly ('nextCursor' | 'prevCursor')[];
}

const described = ({ request, within }: Asked): string =>
  `${decodeURIComponent(request)}\nwithin ${decodeURIComponent(within)}`;

const withCursor = (request: string, cursor: string): string =>
  `${request.replace(/&cursor=$/, '')}&cursor=${encodeURIComponent(cursor)}`;

/** The bytes of an answer, and of the pages its cursors lead to; the cap on `paginate=false` is an answer too. */
async function bytesOf(
  source: QuerySource,
  rules: CompiledQueryRules,
  { request, within, travel }: Asked,
): Promise<string> {
  const scope = planQuery(within, rules);
  const options = { transformPlan: (plan: QueryPlan) => widened(plan, scope) };
  const pages: string[] = [];
  const ask = async (text: string): Promise<{ readonly [key: string]: unknown }> => {
    const answer = await runQuery(source, text, rules, options);
    pages.push(JSON.stringify(answer));
    return { ...answer };
  };
  try {
    let answer = await ask(request);
    for (const way of travel) {
      const cursor = answer[way];
      if (typeof cursor === 'string') answer = await ask(withCursor(request, cursor));
    }
  } catch (error) {
    if (!(error instanceof QueryError) || error.code !== 'PAGINATION_INVALID') throw error;
    pages.push(error.code);
  }
  return pages.join('\n');
}

describe('generated requests', () => {
  const opened: { readonly of: MatrixCell; readonly cell: DatabaseCell; readonly rules: Rules }[] =
    [];

  beforeAll(async () => {
    for (const of of cells.filter(({ name }) => chosen.test(name))) {
      const cell = await of.adapter.open(of.family, 'differential');
      if (typeof cell === 'string') {
        if (everyServiceRequired()) throw new Error(cell);
        continue;
      }
      const knex = knexOn(cell.database);
      const rows = worlds[precisionOf(of)].generated;
      await insertWorld(knex, cell.database, rows, of.adapter.instant).finally(() =>
        knex.destroy(),
      );
      opened.push({ of, cell, rules: compileEndpoints(cell.registry) });
    }
  });
  afterAll(async () => {
    for (const { cell } of opened) await cell.dispose();
  });

  it.each(names)('answer alike on %s', { timeout: 3_600_000 }, async (name) => {
    const rules = meant[name];
    const request = legalRequest(world, rules);
    const asked = fc.record<Asked>({
      request,
      within: fc.oneof(
        { weight: 2, arbitrary: fc.constant('') },
        { weight: 1, arbitrary: request },
      ),
      travel: fc.array(fc.constantFrom('nextCursor', 'nextCursor', 'prevCursor'), {
        maxLength: 3,
      }),
    });
    await fc.assert(
      fc.asyncProperty(asked, async (one) => {
        const expected = new Map<string, string>();
        for (const precision of new Set(opened.map(({ of }) => precisionOf(of)))) {
          const source = referenceSource(rules.model, worlds[precision].all);
          expected.set(precision, await bytesOf(source, rules, one));
        }
        const answers = await Promise.all(
          opened.map(async ({ of, cell, rules: own }) => ({
            of,
            given: await bytesOf(cell.source(rules.model), own[name], one),
          })),
        );
        for (const { of, given } of answers) {
          const due = expected.get(precisionOf(of));
          if (given === due) continue;
          throw new Error(`${of.name}: ${described(one)}\nanswered ${given}\ninstead of ${due}`);
        }
      }),
      { seed, numRuns: runsEach },
    );
  });
});
