/** Commands of two boards beside a worker of pg-boss leave each job as one of their orders does. */

import { afterAll, beforeAll, describe, it } from 'vitest';
import { seed } from '../../seed.ts';
import { isQuick, isSharedOut } from '../../setup/left-to-ci.ts';
import { newestLibrary, oldestLibrary } from '../pgq/libraries.ts';
import { type BoardUnderTest, type World, makeWorld } from '../pgq/world.ts';
import { pgqQueue } from './pgq.ts';
import { followsModel } from './run-model.ts';

const versions = [newestLibrary, oldestLibrary];
/** A run of a developer has the newest, and CI the one that the seed chooses. */
const libraries = isSharedOut
  ? versions.filter((_, at) => at === (isQuick ? 0 : seed % 2))
  : versions;

describe.each(libraries)('with $name', (library) => {
  let world: World;
  let boards: readonly BoardUnderTest[];

  beforeAll(async () => {
    world = await makeWorld(library, 'pgq_model');
    boards = [await world.board(), await world.board()];
  });
  afterAll(() => world?.close());

  it('jobs move as the model does', () => followsModel(() => pgqQueue(world, boards)));
});
