/** Instants of SQLite that the default `CURRENT_TIMESTAMP` has stored, without a fraction. */

import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { expect, it } from 'vitest';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';

@Entity('notes')
class Note {
  @PrimaryColumn('int') id!: number;
  @Column({ type: 'datetime', default: () => 'CURRENT_TIMESTAMP' }) at!: Date;
}

it('are found by the instant that is shown', async () => {
  const dataSource = await new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities: [Note],
    synchronize: true,
  }).initialize();
  await dataSource.query('insert into notes (id) values (1)');
  const rules = defineQueryRules(typeormRegistry([Note]), 'note', {
    filters: [{ path: 'at', operators: ['eq', 'gte', 'lte', 'gt'] }],
    fields: { root: { allowed: ['id', 'at'], default: ['id', 'at'] } },
  });
  const ask = async (request: string) =>
    (await runQuery(typeormSource(dataSource, Note), request, rules)).data as { at: string }[];
  const all = await ask('');
  const at = encodeURIComponent(String(all[0]?.at));
  for (const operator of ['', '[gte]', '[lte]']) {
    expect([operator, await ask(`filter[at]${operator}=${at}`)]).toEqual([operator, all]);
  }
  expect(await ask(`filter[at][gt]=${at}`)).toEqual([]);
  await dataSource.destroy();
});

it('are found where TypeORM has written them, with a fraction of zeros', async () => {
  @Entity('letters')
  class Letter {
    @PrimaryColumn('int') id!: number;
    @Column('datetime') sent!: Date;
  }
  const dataSource = await new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities: [Letter],
    synchronize: true,
  }).initialize();
  const sent = '2020-01-02T03:04:05.000Z';
  await dataSource.manager.save(Letter, { id: 1, sent: new Date(sent) });
  const rules = defineQueryRules(typeormRegistry([Letter]), 'letter', {
    filters: [{ path: 'sent', operators: ['eq'] }],
    fields: 'all',
  });
  const { data } = await runQuery(
    typeormSource(dataSource, Letter),
    `filter[sent]=${encodeURIComponent(sent)}`,
    rules,
  );
  expect(data).toEqual([{ id: 1, sent }]);
  await dataSource.destroy();
});
