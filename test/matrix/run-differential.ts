/** The differential suite: generated legal requests on generated rows answer the same bytes in cells as in memory. */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type {
  CompiledQueryRules,
  DatabaseFamily,
  QueryPlan,
  QuerySource,
} from '../../src/index.ts';
import { QueryError, planQuery, runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import { repeatable, seed, shareOf } from '../seed.ts';
import type { DatabaseCell } from './cell.ts';
import type { MatrixCell } from './cells.ts';
import { cells } from './cells.ts';
import type { EndpointName } from './corpus/index.ts';
import { compileEndpoints } from './corpus/index.ts';
import { curated } from './fixtures/dataset.ts';
import type { World } from './fixtures/dataset.ts';
import { generatedWorld, joined, toMilliseconds } from './fixtures/generated-world.ts';
import { insertWorld, knexOn } from './fixtures/load.ts';
import { registry } from './fixtures/models.ts';
import { legalRequest } from './legal-request.ts';
import { referenceSource } from './reference/source.ts';

type Rules = { readonly [name in EndpointName]: CompiledQueryRules };

/** Requests that a cell gets: `SLUICE_REQUESTS` names another number. */
const requests = Number(process.env['SLUICE_REQUESTS'] ?? shareOf(5000));
/** A pattern of cell names; `npm run matrix` chooses with it. */
const chosen = new RegExp(`^${process.env['SLUICE_CELLS'] ?? '.*'}$`);

const generated = generatedWorld(seed);
const world = joined(curated, generated);
/** Rows as a family holds them: SQLite has no microseconds. */
const heldBy = (family: DatabaseFamily, rows: World): World =>
  family === 'sqlite' ? toMilliseconds(rows) : rows;

const meant = compileEndpoints(registry);
const names = (Object.keys(meant) as EndpointName[]).filter((name) => name !== 'usersBounded');
const requestsEach = Math.ceil(requests / names.length);

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

/**
 * Declares the suite for the cells of one family. Each family has a file of its own, so that they run beside each
 * other. All cells are asked at once; a difference is shrunk, and printed with the command that repeats it.
 */
export function runDifferential(family: DatabaseFamily): void {
  describe(`generated requests on ${family}`, () => {
    const opened: Opened[] = [];
    const inMemory = heldBy(family, world);

    beforeAll(async () => {
      for (const of of cells.filter((cell) => cell.family === family && chosen.test(cell.name))) {
        const cell = await of.adapter.open(family, 'differential');
        if (typeof cell === 'string') {
          if (everyServiceRequired()) throw new Error(cell);
          continue;
        }
        const knex = knexOn(cell.database);
        const rows = heldBy(family, generated);
        await insertWorld(knex, cell.database, rows, of.adapter.instant).finally(() =>
          knex.destroy(),
        );
        opened.push({ of, cell, rules: compileEndpoints(cell.registry) });
      }
    }, 300_000);
    afterAll(async () => {
      for (const { cell } of opened) await cell.dispose();
    });

    it.each(names)('answer alike on %s', { timeout: 3_600_000 }, async (name) => {
      const rules = meant[name];
      const reference = referenceSource(rules.model, inMemory);
      const alike = fc.asyncProperty(askedOf(rules), async (one) => {
        const meantBytes = await bytesOf(reference, rules, one);
        await Promise.all(
          opened.map(async ({ of, cell, rules: own }) => {
            const due = cell.asGiven?.(meantBytes) ?? meantBytes;
            const given = await bytesOf(cell.source(rules.model), own[name], one);
            if (given === due) return;
            throw new Error(`${of.name}: ${described(one)}\nanswered ${given}\ninstead of ${due}`);
          }),
        );
      });
      await repeatable(() => fc.assert(alike, { seed, numRuns: requestsEach }));
    });
  });
}

interface Opened {
  readonly of: MatrixCell;
  readonly cell: DatabaseCell;
  readonly rules: Rules;
}

/** Requests of an endpoint, some within the condition of another one, and the way their cursors are followed. */
function askedOf(rules: CompiledQueryRules): fc.Arbitrary<Asked> {
  const request = legalRequest(world, rules);
  return fc.record<Asked>({
    request,
    within: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 1, arbitrary: request }),
    travel: fc.array(fc.constantFrom('nextCursor', 'nextCursor', 'prevCursor'), { maxLength: 3 }),
  });
}
