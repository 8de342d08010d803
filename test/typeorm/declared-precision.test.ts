/**
 * Filters on columns of servers with the precision that decorators declare: decimals of more digits than a cast has by
 * default, instants that are finer than the milliseconds that lists show, and integers with a sign.
 */

import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import type { DataSourceOptions } from 'typeorm';
import { expect, it } from 'vitest';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const digits = '12345678901234567890123456789012345678901234567890';

it.each(['postgresql', 'mysql'] as const)('find the stored values on %s', async (family) => {
  const database = await scratchDatabase(family, 'typeorm_precision');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return;
  }
  const isPostgresql = family === 'postgresql';
  @Entity('measures')
  class Measure {
    @PrimaryColumn('int') id!: number;
    @Column('decimal', { precision: 60 }) total!: string;
    @Column(isPostgresql ? 'timestamp' : 'datetime', { precision: 6 }) fine!: Date;
    @Column(isPostgresql ? 'timestamp' : 'datetime', { precision: 3 }) coarse!: Date;
    @Column('int') level!: number;
  }
  const dataSource = await new DataSource({
    type: isPostgresql ? 'postgres' : 'mariadb',
    url: database.url,
    timezone: 'Z',
    entities: [Measure],
    synchronize: true,
  } as DataSourceOptions).initialize();
  try {
    const at = '2020-01-02 03:04:05.123';
    await dataSource.query(
      `insert into measures values (1, ${digits}, '${at}456', '${at}', -5), (2, 5, '${at}999', '${at}', 0), (3, 6, '2020-01-02 03:04:05.124', '2020-01-03', 7)`,
    );
    const rules = defineQueryRules(typeormRegistry([Measure], { families: [family] }), 'measure', {
      fields: 'all',
      sorts: ['id'],
      filters: ['total', 'fine', 'coarse', 'level'].map((path) => ({
        path,
        operators: ['eq', 'gt'],
      })),
    } as never);
    const idsOf = async (condition: string) => {
      const request = `sort=id&filter${condition}`;
      const { data } = await runQuery(typeormSource(dataSource, Measure), request, rules as never);
      return (data as { id: number }[]).map(({ id }) => id);
    };
    const shown = '2020-01-02T03:04:05.123Z';
    expect(await idsOf(`[total]=${digits}`)).toEqual([1]);
    expect(await idsOf(`[total][gt]=${digits}`)).toEqual([]);
    expect(await idsOf(`[total][gt]=5`)).toEqual([1, 3]);
    expect(await idsOf(`[fine]=${shown}`)).toEqual([1, 2]);
    expect(await idsOf(`[fine][gt]=${shown}`)).toEqual([3]);
    expect(await idsOf(`[coarse]=${shown}`)).toEqual([1, 2]);
    expect(await idsOf(`[coarse][gt]=${shown}`)).toEqual([3]);
    expect(await idsOf('[level]=-5')).toEqual([1]);
    expect(await idsOf('[level][gt]=-5')).toEqual([2, 3]);
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});
