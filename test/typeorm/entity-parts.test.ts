/** Entities of which a request shows a part: of an embedded key, of the lists of an embedded entity, and by keys of instants. */

import {
  AfterLoad,
  Column,
  DataSource,
  Entity,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  SelectQueryBuilder,
} from 'typeorm';
import type { Relation } from 'typeorm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { type QuerySource, defineQueryRules, runQuery } from '../../src/index.ts';

/** Labels that TypeORM has made entities of. */
let loaded = 0;

@Entity('labels')
class Label {
  @PrimaryColumn('varchar') code!: string;
  @Column('varchar') hint!: string;
  @AfterLoad() count(): void {
    loaded += 1;
  }
}

class Cover {
  @Column('int') pages!: number;
  @ManyToMany(() => Label)
  @JoinTable({ name: 'cover_labels' })
  labels!: Relation<Label>[];
}

class Place {
  @PrimaryColumn('varchar') room!: string;
  @PrimaryColumn('int') shelf!: number;
  @Column('varchar') note!: string;
}

@Entity('folders')
class Folder {
  @Column(() => Place) at!: Place;
  @Column(() => Cover) cover!: Cover;
  @Column({ type: 'varchar', nullable: true }) title!: string | null;
}

@Entity('days')
class Day {
  @PrimaryColumn('datetime') at!: Date;
  @OneToMany(() => Visit, (visit) => visit.day) visits!: Relation<Visit>[];
}

@Entity('visits')
class Visit {
  @PrimaryColumn('int') id!: number;
  @ManyToOne(() => Day, (day) => day.visits) day!: Relation<Day>;
}

const entities = [Label, Folder, Day, Visit];
const registry = typeormRegistry(entities, { families: ['sqlite'] });
const dataSource = new DataSource({
  type: 'better-sqlite3',
  database: ':memory:',
  entities,
  synchronize: true,
});

beforeAll(async () => {
  await dataSource.initialize();
  const { manager } = dataSource;
  const labels = await manager.save(Label, [
    { code: 'a', hint: 'x' },
    { code: 'b', hint: 'x' },
    { code: 'c', hint: 'y' },
  ]);
  await manager.save(Folder, [
    { at: { room: 'A', shelf: 1, note: 'n' }, cover: { pages: 5, labels } },
    { at: { room: 'A', shelf: 2, note: 'm' }, cover: { pages: 6, labels: labels.slice(2) } },
  ]);
  const days = [1, 2, 3].map((day) => ({ at: new Date(Date.UTC(2020, 0, day, 0, 0, 0, 7)) }));
  await manager.save(Day, days);
  await manager.save(Visit, [
    { id: 1, day: days[1] as Day },
    { id: 2, day: days[1] as Day },
    { id: 3, day: days[2] as Day },
  ]);
});
afterAll(() => dataSource.destroy());

const folders = defineQueryRules(
  registry,
  'folder',
  {
    sorts: ['cover.pages'],
    fields: {
      relations: {
        at: { allowed: ['room', 'shelf', 'note'], default: ['shelf'] },
        cover: { allowed: ['pages'], default: ['pages'] },
        'cover.labels': { allowed: ['code', 'hint'], default: ['hint'] },
      },
      root: { allowed: ['title'], default: ['title'] },
    },
    includes: ['at', 'cover', 'cover.labels'],
    children: { 'cover.labels': { sorts: ['code'] } },
  },
  { families: ['sqlite'] },
);

const list = async (
  entity: typeof Folder | typeof Day | typeof Label,
  request: string,
  rules: object,
) => {
  const source = typeormSource(dataSource, entity as never, { hydrate: true }) as QuerySource;
  const { data } = await runQuery(source, request, rules as never);
  return JSON.parse(JSON.stringify(data)) as unknown;
};

it('have the shown part of an embedded key alone', async () => {
  expect(await list(Folder, 'sort=cover.pages&includes=at', folders)).toEqual([
    { title: null, at: { shelf: 1 } },
    { title: null, at: { shelf: 2 } },
  ]);
  expect(await list(Folder, 'sort=-cover.pages&includes=at&fields=title,at.note', folders)).toEqual(
    [
      { title: null, at: { note: 'm' } },
      { title: null, at: { note: 'n' } },
    ],
  );
  expect(await list(Folder, 'sort=cover.pages&includes=cover', folders)).toEqual([
    { title: null, cover: { pages: 5 } },
    { title: null, cover: { pages: 6 } },
  ]);
});

it('have lists in embedded entities, which say that they go on', async () => {
  const request = 'sort=cover.pages&includes=cover,cover.labels&include[cover.labels][sort]=-code';
  expect(await list(Folder, request, folders)).toEqual([
    { title: null, cover: { pages: 5, labels: [{ hint: 'y' }, { hint: 'x' }, { hint: 'x' }] } },
    { title: null, cover: { pages: 6, labels: [{ hint: 'y' }] } },
  ]);
  expect(await list(Folder, `${request}&include[cover.labels][perPage]=2`, folders)).toEqual([
    {
      title: null,
      cover: { pages: 5, labels: [{ hint: 'y' }, { hint: 'x' }], $truncated: ['labels'] },
    },
    { title: null, cover: { pages: 6, labels: [{ hint: 'y' }] } },
  ]);
});

it('are those of their page alone, also with a statement that is kept', async () => {
  const labels = defineQueryRules(
    registry,
    'label',
    {
      filters: [{ path: 'hint', operators: ['in'] }],
      sorts: ['code'],
      fields: { root: { allowed: ['code'], default: ['code'] } },
      pagination: { mode: 'both' },
    },
    { families: ['sqlite'] },
  );
  for (const [page, code] of [...'abcab'].entries()) {
    loaded = 0;
    const request = `sort=code&perPage=1&page=${(page % 3) + 1}&filter[hint][in]=x,y`;
    expect(await list(Label, request, labels)).toEqual([{ code }]);
    expect(loaded).toBeLessThan(3);
  }
  loaded = 0;
  expect(await list(Label, 'sort=-code&perPage=1&cursor=', labels)).toEqual([{ code: 'c' }]);
  expect(loaded).toBeLessThan(3);
});

it('are those that meet more than ten conditions', async () => {
  const rules = defineQueryRules(
    registry,
    'label',
    { fields: { root: { allowed: ['code'], default: ['code'] } } },
    {
      families: ['sqlite'],
      scopes: {
        label: () => ({
          type: 'and',
          predicates: [...'defghijklmnb'].map((value) => ({
            type: 'condition',
            path: 'code',
            operator: 'ne',
            value,
          })),
        }),
      },
    },
  );
  const source = typeormSource(dataSource, Label, { hydrate: true });
  const { data } = await runQuery(source, '', rules, { scope: {} });
  expect(data.map(({ code }) => code)).toEqual(['a', 'c']);
});

it('are loaded with the text that TypeORM wrote for the first request', async () => {
  const rules = defineQueryRules(
    registry,
    'label',
    {
      filters: [{ path: 'hint', operators: ['in'] }],
      fields: { root: { allowed: ['code'], default: ['code'] } },
    },
    { families: ['sqlite'] },
  );
  const written = vi.spyOn(SelectQueryBuilder.prototype, 'getQuery');
  try {
    for (const times of [1, 0, 0]) {
      written.mockClear();
      expect(await list(Label, 'filter[hint][in]=x,z', rules)).toHaveLength(2);
      expect(written).toHaveBeenCalledTimes(times);
    }
  } finally {
    written.mockRestore();
  }
});

it('have the values of their instant', async () => {
  const days = defineQueryRules(
    registry,
    'day',
    {
      aggregates: { visits: { count: true } },
      sorts: ['at'],
      fields: { root: { allowed: ['at', 'visits.$count'], default: ['visits.$count'] } },
    },
    { families: ['sqlite'] },
  );
  expect(await list(Day, 'sort=-at', days)).toEqual([
    { 'visits.$count': 1 },
    { 'visits.$count': 2 },
    { 'visits.$count': 0 },
  ]);
});
