/** Commands of two boards beside a worker of pg-boss leave each job as one of their orders does. */

import { afterAll, beforeAll, describe, it } from 'vitest';
import { newestOf } from '../../setup/left-to-ci.ts';
import { newestLibrary, oldestLibrary } from '../pgq/libraries.ts';
import { type BoardUnderTest, type World, makeWorld } from '../pgq/world.ts';
import { pgqQueue } from './pgq.ts';
import { followsModel } from './run-model.ts';

describe.each(newestOf([newestLibrary, oldestLibrary], (library) => library === oldestLibrary))(
  'with $name',
  (library) => {
    let world: World;
    let boards: readonly BoardUnderTest[];

    beforeAll(async () => {
      world = await makeWorld(library, 'pgq_model');
      boards = [await world.board(), await world.board()];
    });
    afterAll(() => world?.close());

    it('jobs move as the model does', () => followsModel(() => pgqQueue(world, boards)));
  },
);
