/** A source without a database, for tests of the code around a source: coloured tiles. */

import { defineQueryRules, defineSchemaRegistry } from '../../src/index.ts';
import type { QueryPlan, QuerySource } from '../../src/index.ts';
import type { ReadOptions } from '../../src/rules/index.ts';

/** A row. */
export interface Tile {
  readonly id: number;
  readonly colour: string;
}

/** A registry with one model, `tile`. */
export const tileRegistry = defineSchemaRegistry([
  {
    model: 'tile',
    primaryKey: ['id'],
    fields: [
      { path: 'id', kind: 'integer', nullable: false, primaryKey: true },
      { path: 'colour', kind: 'string', nullable: false, primaryKey: false },
    ],
    relations: [],
  },
]);

/** The rules of the endpoint. */
export const tileRules = defineQueryRules(tileRegistry, 'tile', {
  filters: [{ path: 'colour', operators: ['eq', 'in'] }],
  fields: { root: { allowed: ['id', 'colour'], default: ['id', 'colour'] } },
});

/** All rows. */
export const tiles: readonly Tile[] = ['red', 'green', 'red & blue'].map((colour, index) => ({
  id: index + 1,
  colour,
}));

/** Reads the rows of a plan. */
export type ReadTiles = (plan: QueryPlan, options: ReadOptions) => Promise<readonly Tile[]>;

/** Reads the tiles whose colour matches the plan's filter. */
export const byColour: ReadTiles = async ({ where }) =>
  tiles.filter(
    ({ colour }) =>
      where?.type !== 'condition' || [where.value].flat().some((value) => value === colour),
  );

/** A source of tiles that reads its rows with `answer`. */
export function tileSource(answer: ReadTiles = byColour): QuerySource<Tile> {
  return {
    model: 'tile',
    family: 'sqlite',
    registry: tileRegistry,
    prepare(plan, _rules, options) {
      const found = (): Promise<readonly Tile[]> => answer(plan, options);
      return {
        concurrent: false,
        countKey: '',
        rows: async () => ({ rows: [...(await found())], hasMore: false }),
        count: async () => (await found()).length,
      };
    },
  };
}
