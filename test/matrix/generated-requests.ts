/** Generated legal requests with the pages that their cursors lead to, and the cells that answer them. */

import fc from 'fast-check';
import { afterAll, beforeAll } from 'vitest';
import type {
  CompiledQueryRules,
  DatabaseFamily,
  QueryPlan,
  QuerySource,
} from '../../src/index.ts';
import { QueryError, planQuery, runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import { seed } from '../seed.ts';
import type { DatabaseCell } from './cell.ts';
import type { MatrixCell } from './cells.ts';
import { cellsOfVersions } from './cells.ts';
import { curated } from './fixtures/dataset.ts';
import type { World } from './fixtures/dataset.ts';
import { generatedWorld, joined, toMilliseconds } from './fixtures/generated-world.ts';
import { insertWorld, knexOn } from './fixtures/load.ts';
import { legalRequest } from './legal-request.ts';
import { withEmptyLists } from './prisma-cell.ts';

/** A pattern of cell names; `npm run matrix` chooses with it. */
const chosen = new RegExp(`^${process.env['SLUICE_CELLS'] ?? '.*'}$`);

const generated = generatedWorld(seed);
/** The rows of every cell: the curated ones, and those of the seed. */
export const world = joined(curated, generated);
/** Rows as a family holds them: SQLite has no microseconds. */
export const heldBy = (family: DatabaseFamily, rows: World): World =>
  family === 'sqlite' ? toMilliseconds(rows) : rows;

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
export interface Asked {
  readonly request: string;
  readonly within: string;
  readonly travel: readonly ('nextCursor' | 'prevCursor')[];
}

export const described = ({ request, within }: Asked): string =>
  `${decodeURIComponent(request)}\nwithin ${decodeURIComponent(within)}`;

const withCursor = (request: string, cursor: string): string =>
  `${request.replace(/&cursor=$/, '')}&cursor=${encodeURIComponent(cursor)}`;

/** The bytes of an answer, and of the pages its cursors lead to; the cap on `paginate=false` is an answer too. */
export async function bytesOf(
  source: QuerySource,
  rules: CompiledQueryRules,
  { request, within, travel }: Asked,
  scope?: object,
): Promise<string> {
  const other = planQuery(within, rules, { scope });
  const options = { scope, transformPlan: (plan: QueryPlan) => widened(plan, other) };
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

/** A cell that is open. */
export interface OpenedCell {
  readonly of: MatrixCell;
  readonly cell: DatabaseCell;
}

/** Opens the cells of a family before the tests of a suite, filled with the world. */
export function openedCells(family: DatabaseFamily, suite: string): readonly OpenedCell[] {
  const opened: OpenedCell[] = [];
  const disposals: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    for (const of of cellsOfVersions.filter(
      (cell) => cell.family === family && chosen.test(cell.name),
    )) {
      const cell = await of.adapter.open(family, suite);
      if (typeof cell === 'string') {
        if (everyServiceRequired()) throw new Error(cell);
        continue;
      }
      const knex = knexOn(cell.database);
      const rows = heldBy(family, generated);
      await insertWorld(knex, cell.database, rows, of.adapter.instant).finally(() =>
        knex.destroy(),
      );
      opened.push({ of, cell });
      disposals.push(() => cell.dispose());
      if (!cell.ownQueries) continue;
      const own = { ...of, name: `${of.name}, own queries` };
      const given = family === 'postgresql' ? withEmptyLists : {};
      opened.push({ of: own, cell: { ...cell, source: cell.ownQueries, ...given } });
    }
  }, 300_000);
  afterAll(async () => {
    for (const dispose of disposals) await dispose();
  });
  return opened;
}

/** Requests of an endpoint, with at most so many groups within each other, some within the condition of another one, and the way their cursors are followed. */
export function askedOf(rules: CompiledQueryRules, depth?: number): fc.Arbitrary<Asked> {
  const request = legalRequest(world, rules, depth);
  return fc.record<Asked>({
    request,
    within: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 1, arbitrary: request }),
    travel: fc.array(fc.constantFrom('nextCursor', 'nextCursor', 'prevCursor'), { maxLength: 3 }),
  });
}
