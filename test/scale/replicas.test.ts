/** Lists on PostgreSQL with two standbys, of which one applies every transaction a second late. */

import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runQuery } from '../../src/index.ts';
import type { DatabaseCell } from '../matrix/cell.ts';
import { adapters } from '../matrix/cells.ts';
import { compileEndpoints } from '../matrix/corpus/index.ts';
import { isPassing } from '../matrix/churn.ts';
import { dataset, withCompanions } from '../matrix/fixtures/dataset.ts';
import { boundRow, knexOn } from '../matrix/fixtures/load.ts';
import { modelOf } from '../matrix/reference/graph.ts';
import { everything } from '../seed.ts';
import { Walk } from '../matrix/walk.ts';
import type { Scratch } from '../services/index.ts';
import type { Replication } from '../services/replicas.ts';
import { startReplication } from '../services/replicas.ts';
import { onPostgresql, withDatabase } from '../services/scratch-database.ts';
import { leaveRunning } from '../services/service.ts';
import { runSuites, started } from './chosen.ts';
import { outcomesOf } from './outcomes.ts';

let servers: Replication | string = 'Standbys: not started.';

/** Scratch databases on the primary that are read from the standbys. */
function scratch(): Scratch | string {
  if (typeof servers === 'string') return servers;
  const { url, standbys } = servers;
  return async (_, suite) => {
    const service = {
      name: 'postgresql',
      url,
      found: 'started here',
      dispose: leaveRunning,
    } as const;
    const database = await onPostgresql(service, suite);
    const name = new URL(database.url).pathname.slice(1);
    return {
      ...database,
      replicas: standbys.map((standby) => withDatabase(standby.url, name)),
      replicated: async () => {
        for (const standby of standbys) await standby.caughtUp();
      },
    };
  };
}

beforeAll(async () => {
  servers = await started(() => startReplication([1000, 0]));
});
afterAll(async () => {
  if (typeof servers !== 'string') await servers.dispose();
});

runSuites('standbys', 'postgresql', 0, scratch);

/** A request often enough that every replica is chosen. */
const often = 24;

/** Orders in which the new users come first, last and in between. */
const sorts = ['id', '-id', '-name', 'active,-id', 'company.name,id'];

const isStaying = (id: number): boolean => !isPassing(id);

/** Inserts users like the first with these keys, each with an order. */
async function insertUsers(knex: Knex, database: DatabaseCell['database'], ids: readonly number[]) {
  for (const model of ['user', 'order'].map((name) => modelOf(name))) {
    const [first = {}] = dataset.get(model.model) ?? [];
    const rows = ids.map((id) =>
      boundRow(
        database,
        model,
        withCompanions(model, { ...first, id, userId: id, managerId: null }),
      ),
    );
    await knex(model.table).insert(rows);
  }
}

describe('a replica that lags', () => {
  const cells: DatabaseCell[] = [];

  beforeAll(async () => {
    const made = scratch();
    if (typeof made === 'string') return;
    for (const { open } of adapters) {
      const cell = await open('postgresql', 'scale', undefined, made);
      if (typeof cell !== 'string') cells.push(cell);
    }
  });
  afterAll(async () => {
    for (const cell of cells) await cell.dispose();
  });

  describe.each(adapters)('read through $name', ({ name }) => {
    let knex: Knex;
    const cellOf = () => cells.find((cell) => cell.name === `${name} on postgresql`);

    beforeAll(async () => {
      const cell = cellOf();
      if (!cell || typeof servers === 'string') return;
      const [late, fresh] = servers.standbys;
      knex = knexOn(cell.database);
      await late?.pause();
      await insertUsers(knex, cell.database, [-2, -1, 1001, 1002, 1003]);
      await fresh?.caughtUp();
    });
    afterAll(async () => {
      if (typeof servers === 'string') return;
      await servers.standbys[0]?.resume();
      await knex?.destroy();
    });

    it.for([
      'sort=id&perPage=5&includes=orders',
      // Prisma needs SQL for this order.
      'sort=active,id&filter[active]=true&perPage=5&includes=orders',
    ])('takes rows, included rows and total of %s from one replica', async (request, context) => {
      const cell = cellOf();
      if (!cell) return context.skip();
      const { users } = compileEndpoints(cell.registry);
      const source = cell.source('user');
      const seen = new Set<string>();
      for (let at = 0; at < often; at += 1) {
        const { data, total } = (await runQuery(source, request, users)) as {
          data: { id: number; orders: unknown[] }[];
          total: number;
        };
        const isFresh = data[0]?.id === -2;
        expect(data.map(({ id }) => id < 0)).toEqual([isFresh, isFresh, false, false, false]);
        expect(data).toHaveLength(5);
        if (isFresh) expect(data[0]?.orders).toHaveLength(1);
        seen.add(`${isFresh} ${total}`);
      }
      // Each replica has one total: the fresh one has five users more.
      const totals = [...seen].sort().map((each) => Number(each.split(' ')[1]));
      expect(totals).toHaveLength(name === 'sql' ? 1 : 2);
      if (totals.length === 2) expect((totals[1] ?? 0) - (totals[0] ?? 0)).toBe(5);
    });

    it.for(everything ? sorts : ['-id', 'active,-id'])(
      'reads on from a row that the replica does not have, with sort=%s',
      async (sort, context) => {
        const cell = cellOf();
        if (!cell) return context.skip();
        const { usersKeyset, users } = compileEndpoints(cell.registry);
        const source = cell.source('user');
        const full = await runQuery(source, `sort=${sort}&paginate=false`, users);
        const staying = full.data.map(({ id }) => Number(id)).filter(isStaying);
        expect(staying).toHaveLength(60);
        for (const size of everything ? [1, 2, 5] : [4]) {
          const walk = new Walk(source, usersKeyset, `sort=${sort}&perPage=${size}`);
          const { keys, back } = await walk.forwards();
          expect(keys.filter(isStaying)).toEqual(staying);
          expect(new Set(keys).size).toBe(keys.length);
          const before = (await walk.backwards(back)).filter(isStaying);
          expect(before).toEqual(staying.slice(0, before.length));
          expect(before.length).toBeGreaterThanOrEqual(60 - size);
        }
      },
    );
  });

  it('is read in full or not at all while replicas end', async (context) => {
    if (typeof servers === 'string') return context.skip();
    const [late, fresh] = servers.standbys;
    await late?.caughtUp();
    expect(new Set(await outcomesOf(cells))).toEqual(new Set(['7 of 65']));
    for (const server of [late, fresh]) {
      const load = outcomesOf(cells);
      await server?.kill();
      const known = ['7 of 65', 'SOURCE_UNAVAILABLE'];
      expect((await load).filter((each) => !known.includes(each))).toEqual([]);
    }
    expect(new Set(await outcomesOf(cells))).toEqual(new Set(['SOURCE_UNAVAILABLE']));
  });
});
