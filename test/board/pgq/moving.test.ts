/** Pages over all states while jobs change their state: every job is on the page once. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cells } from './cells.ts';
import { newestLibrary } from './libraries.ts';
import { type BoardUnderTest, type World, createListingIndexes, makeWorld } from './world.ts';

const ways = cells.filter(({ library }) => library === newestLibrary);

/** The state transitions of a job, forth and back. */
const way = ['created', 'active', 'completed', 'failed', 'retry', 'active', 'cancelled'];

describe.each(ways)('$name', (cell) => {
  let world: World;
  let board: BoardUnderTest;
  let closeCell: (() => Promise<void>) | undefined;
  let ids: string[];

  beforeAll(async () => {
    world = await makeWorld(cell.library, 'pgq_moving');
    await world.boss.createQueue('a');
    await world.admin.query(
      `insert into pgboss.job (name, policy) select 'a', 'standard' from generate_series(1, 50)`,
    );
    await createListingIndexes(world.admin);
    const { rows } = await world.admin.query<{ id: string }>('select id from pgboss.job');
    ids = rows.map(({ id }) => id).sort();
    const { pgq, close } = cell.options(world);
    closeCell = close;
    board = await world.board(pgq);
  });
  afterAll(async () => {
    await world?.close();
    await closeCell?.();
  });

  it('shows every job once despite concurrent transitions', async () => {
    const mover = new pg.Client({ connectionString: world.url });
    await mover.connect();
    let stopped = false;
    let moves = 0;
    const moving = (async () => {
      while (!stopped) {
        await mover.query(
          `update pgboss.job set state = $1::text::pgboss.job_state where id < $2::uuid`,
          [way[moves % way.length], ids[25]],
        );
        moves += 1;
      }
    })();
    try {
      const began = performance.now();
      let pages = 0;
      while (performance.now() - began < 2_000 || pages < 50) {
        const { status, body } = await board.get('/api/pgq/queues/a/jobs?limit=100');
        expect(status).toBe(200);
        const shown = (body['jobs'] as unknown as { id: string }[]).map(({ id }) => id);
        expect(shown.sort()).toEqual(ids);
        pages += 1;
      }
    } finally {
      stopped = true;
      await moving;
      await mover.end();
    }
    expect(moves).toBeGreaterThan(20);
  });
});
