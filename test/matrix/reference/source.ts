/** The reference source, which evaluates plans in memory. Databases must give the same results. */

import type { QueryPlan, QuerySource } from '../../../src/index.ts';
import { curated } from '../fixtures/dataset.ts';
import type { World } from '../fixtures/dataset.ts';
import type { StoredRow } from '../fixtures/model.ts';
import { registry } from '../fixtures/models.ts';
import { modelOf } from './graph.ts';
import { compareToPosition, inOrder, positionOf, project, satisfies } from './evaluate.ts';
import type { PreparedRead } from '../../../src/rules/index.ts';

/** The rows of a window, and whether more rows follow. */
function windowOf(
  world: World,
  { model, order, page }: QueryPlan,
  rows: readonly StoredRow[],
): { rows: readonly StoredRow[]; hasMore: boolean } {
  if (page.mode === 'all') {
    return { rows: rows.slice(0, page.maxRows), hasMore: rows.length > page.maxRows };
  }
  if (page.mode === 'offset') {
    const end = page.offset + page.perPage;
    return { rows: rows.slice(page.offset, end), hasMore: rows.length > end };
  }
  const { position, perPage } = page;
  if (!position) return { rows: rows.slice(0, perPage), hasMore: rows.length > perPage };
  const side = position.direction === 'after' ? 1 : -1;
  const beyond = rows.filter((row) => {
    const at = compareToPosition(world, model, order, row, position.values) * side;
    return position.inclusive ? at >= 0 : at > 0;
  });
  const kept = side > 0 ? beyond.slice(0, perPage) : beyond.slice(-perPage);
  return { rows: kept, hasMore: beyond.length > perPage };
}

/** The plan with complete values of the position, where a cursor contains the beginning of a text. */
function completed(world: World, plan: QueryPlan): QueryPlan {
  const { page, order, model } = plan;
  if (page.mode !== 'keyset' || !page.position?.begins) return plan;
  const { position } = page;
  const keys = modelOf(model, world).fields.flatMap(({ path, primaryKey }) =>
    primaryKey ? [[path, order.findIndex((term) => term.path === path)] as const] : [],
  );
  const row = world.rows
    .get(model)
    ?.find((each) =>
      keys.every(([path, at]) => String(each[path]) === String(position.values[at])),
    );
  if (!row) throw new TypeError('The row of the cursor is gone.');
  const values = positionOf(world, model, order, row);
  return { ...plan, page: { ...page, position: { ...position, values } } };
}

function prepare(world: World, given: QueryPlan): PreparedRead {
  const plan = completed(world, given);
  const found = (world.rows.get(plan.model) ?? []).filter((row) =>
    satisfies(world, plan.model, row, plan.where),
  );
  const matching = inOrder(world, plan.model, plan.order, found);
  const position = (row: StoredRow | undefined) =>
    row && positionOf(world, plan.model, plan.order, row);
  return {
    concurrent: false,
    countKey: '',
    count: async () => matching.length,
    rows: async () => {
      const { rows, hasMore } = windowOf(world, plan, matching);
      return {
        rows: rows.map((row) => project(world, plan.projection, row)),
        hasMore,
        first: position(rows[0]),
        last: position(rows.at(-1)),
      };
    },
  };
}

/** The reference source of a model. */
export function referenceSource(
  model: string,
  world: World = curated,
  described: Pick<QuerySource, 'family' | 'registry'> = { family: 'sqlite', registry },
): QuerySource {
  return { model, ...described, prepare: (plan) => prepare(world, plan) };
}
