/** Merged pages by a column with a transformer, which may store two values alike. */

import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { expect, it } from 'vitest';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';

@Entity('tasks')
class Task {
  @PrimaryColumn('int') id!: number;
  /** Urgent tasks have levels beyond 2, which are stored as 3. */
  @Column('int', {
    transformer: { to: (level: number) => Math.min(level, 3), from: (level: number) => level },
  })
  level!: number;
}

it('show each row once', async () => {
  const dataSource = await new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities: [Task],
    synchronize: true,
  }).initialize();
  try {
    await dataSource.query('insert into tasks values (1, 3), (2, 1), (3, 3), (4, 2)');
    const rules = defineQueryRules(
      typeormRegistry([Task]),
      'task',
      {
        filters: [{ path: 'level', operators: ['in'] }],
        fields: { root: { allowed: ['id'], default: ['id'] } },
        pagination: { mode: 'keyset', mergeBy: 'level' },
      },
      { families: ['sqlite'] },
    );
    const list = (request: string) => runQuery(typeormSource(dataSource, Task), request, rules);
    expect((await list('filter[level][in]=3,4')).data).toEqual([{ id: 1 }, { id: 3 }]);
    expect((await list('filter[level][in]=1,3,9')).data).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  } finally {
    await dataSource.destroy();
  }
});
