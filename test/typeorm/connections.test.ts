/** The connections of a DataSource on PostgreSQL: one replica for each request, and subscribers that hear of every query. */

import type { EventEmitter } from 'node:events';
import { DataSource, EntitySchema, type EntitySubscriberInterface, EventSubscriber } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const Item = new EntitySchema<{ id: number }>({
  name: 'item',
  tableName: 'items',
  columns: { id: { type: 'int', primary: true } },
});
const registry = typeormRegistry([Item]);
const rules = defineQueryRules(registry, 'item', {
  fields: { root: { allowed: ['id'], default: ['id'] } },
});

const database = await scratchDatabase('postgresql', 'typeorm_connections');

describe.skipIf('missing' in database && !everyServiceRequired())('a DataSource', () => {
  if ('missing' in database) throw new Error(database.advice);
  const { url } = database;
  const open = (more: object) =>
    new DataSource({ type: 'postgres', url, entities: [Item], ...more }).initialize();

  beforeAll(async () => {
    const dataSource = await open({});
    // Connections of the second replica see no rows, and those of the primary more than others.
    await dataSource.query(`create view items as select no as id from generate_series(1,
      case current_setting('application_name') when 'second' then 0 when 'primary' then 5 else 3 end) as no`);
    await dataSource.destroy();
  });
  afterAll(() => database.drop());

  it('reads rows and count of a request from one replica', async () => {
    const slaves = ['first', 'second'].map((name) => ({ url: `${url}?application_name=${name}` }));
    const master = { url: `${url}?application_name=primary` };
    const dataSource = await open({ replication: { master, slaves } });
    const acquired: unknown[] = [];
    const driver = dataSource.driver as unknown as { readonly master: EventEmitter };
    driver.master.on('acquire', (client) => acquired.push(client));
    let turn = 0;
    // TypeORM chooses a replica by chance.
    const random = vi.spyOn(Math, 'random').mockImplementation(() => (turn++ % 2 ? 0.9 : 0.1));
    try {
      const seen = new Set<number>();
      // Without replicas, a connection of the primary would be asked whether it keeps names.
      for (let run = 0; run < 24; run += 1) {
        const page = await runQuery(typeormSource(dataSource, Item), 'perPage=1', rules);
        const total = 'total' in page ? page.total : NaN;
        expect(total).toBe(page.data.length * 3);
        seen.add(total);
      }
      expect(seen).toEqual(new Set([0, 3]));
      expect(acquired).toEqual([]);
    } finally {
      random.mockRestore();
      await dataSource.destroy();
    }
  });

  it.each(['beforeQuery', 'afterQuery'] as const)(
    'tells a subscriber with %s alone of every query',
    async (method) => {
      const heard: string[] = [];
      @EventSubscriber()
      class Heard implements EntitySubscriberInterface {
        constructor() {
          Object.assign(this, {
            [method]: ({ query }: { readonly query: string }) => heard.push(query),
          });
        }
      }
      const dataSource = await open({ subscribers: [Heard] });
      try {
        const source = typeormSource(dataSource, Item);
        for (let run = 0; run < 20; run += 1) {
          heard.length = 0;
          expect(await runQuery(source, 'perPage=2', rules)).toMatchObject({ total: 3 });
          expect(heard.filter((text) => text.includes('items'))).not.toEqual([]);
        }
      } finally {
        await dataSource.destroy();
      }
    },
  );
});
