/** A source without a database: coloured tiles, to show what happens around a source. */

import { defineQueryRules, defineSchemaRegistry } from '../../src/index.ts';
import type { QueryPlan, QuerySource, ReadOptions } from '../../src/index.ts';

/** One row. */
export interface Tile {
  readonly id: number;
  readonly colour: string;
}

/** One model, `tile`. */
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

/** What the endpoint of the tiles allows. */
export const tileRules = defineQueryRules(tileRegistry, 'tile', {
  filters: [{ path: 'colour', operators: ['eq', 'in'] }],
  fields: { root: { allowed: ['id', 'colour'], default: ['id', 'colour'] } },
});

/** Every tile there is. */
export const tiles: readonly Tile[] = ['red', 'green', 'red & blue'].map((colour, index) => ({
  id: index + 1,
  colour,
}));

/** What a source was asked, and the rows it answers with. */
export type Answering = (plan: QueryPlan, options: ReadOptions) => Promise<readonly Tile[]>;

/** The tiles whose colour the plan asks for. */
export const byColour: Answering = async ({ where }) =>
  tiles.filter(
    ({ colour }) =>
      where?.type !== 'condition' || [where.value].flat().some((value) => value === colour),
  );

/** A source of tiles that answers so. */
export function tileSource(answer: Answering = byColour): QuerySource<Tile> {
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
