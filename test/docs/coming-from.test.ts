/** The requests of the page on nestjs-paginate, left and right, on the same rows: both lists have the same rows in the same order. */

import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { FilterOperator, paginate } from 'nestjs-paginate';
import type { PaginateConfig } from 'nestjs-paginate';
import { Column, DataSource, Entity, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { type CompiledQueryRules, defineQueryRules, runQuery } from '../../src/index.ts';
import { requestParser } from '../../bench/lists/nestjs-paginate.ts';

@Entity()
class Cat {
  @PrimaryColumn({ type: 'int' })
  id!: number;
  @Column({ type: 'text' })
  name!: string;
  @Column({ type: 'text' })
  color!: string;
  @Column({ type: 'int' })
  age!: number;
  @Column({ type: 'datetime', nullable: true })
  seenAt!: Date | null;
  @OneToMany(() => Toy, (toy) => toy.cat)
  toys!: Toy[];
}

@Entity()
class Toy {
  @PrimaryColumn({ type: 'int' })
  id!: number;
  @Column({ type: 'text' })
  name!: string;
  @ManyToOne(() => Cat, (cat) => cat.toys)
  cat!: Cat;
}

const config: PaginateConfig<Cat> = {
  sortableColumns: ['id', 'name', 'color', 'age'],
  searchableColumns: ['name'],
  select: ['id', 'name', 'color', 'age'],
  filterableColumns: {
    id: true,
    name: true,
    color: true,
    age: true,
    seenAt: true,
    'toys.name': true,
  },
  relations: { toys: true },
  defaultLimit: 20,
  maxLimit: -1,
};

const page = readFileSync(new URL('../../docs/nestjs-paginate.md', import.meta.url), 'utf8');

/** The first request on each side of the table; rows without one on the right, and with a cursor, are left out. */
const pairs = [
  ...(page.split('## A request')[1] ?? '').matchAll(/^\| `([^`]+)`[^|]* \| `([^`]+)`/gm),
]
  .map(([, left = '', right = '']) => ({ left, right }))
  .filter(({ left }) => /^(?:limit|sortBy|search|select|filter)/.test(left));

const parse = requestParser();

/** The identifiers of the rows that nestjs-paginate lists. */
async function listed(request: string, given: PaginateConfig<Cat> = config): Promise<number[]> {
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(request)) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  const originalUrl = `/cats?${request}`;
  const parsed = parse({ protocol: 'http', originalUrl, query, get: () => 'localhost' });
  return (await paginate(parsed, dataSource.getRepository(Cat), given)).data.map(({ id }) => id);
}

let dataSource: DataSource;
let rules: CompiledQueryRules;
beforeAll(async () => {
  dataSource = await new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    synchronize: true,
    entities: [Cat, Toy],
  }).initialize();
  const names = ['Milo', 'Garfield', 'Kitty', 'George', 'Leche', 'Mia', 'Shadow', 'Luna', 'Tiger'];
  await dataSource.getRepository(Cat).insert(
    names.map((name, at) => ({
      id: at + 1,
      name,
      color: ['white', 'ginger', 'black'][at % 3] ?? '',
      age: 2 + (at % 6),
      seenAt: at % 2 === 0 ? null : new Date(2026, 0, at),
    })),
  );
  await dataSource.getRepository(Toy).insert([
    { id: 1, name: 'Ball', cat: { id: 2 } },
    { id: 2, name: 'Mouse', cat: { id: 2 } },
    { id: 3, name: 'Ball', cat: { id: 7 } },
  ]);
  const registry = typeormRegistry({ cat: Cat, toy: Toy }, { families: ['sqlite'] });
  rules = defineQueryRules(
    registry,
    'cat',
    {
      filters: [
        { path: 'id', operators: ['in', 'notIn'] },
        { path: 'name', operators: ['eq', 'ne', 'ilike', 'startsWith'] },
        { path: 'age', operators: ['gt', 'gte', 'lt', 'lte', 'between'] },
        { path: 'seenAt', operators: ['isNull'] },
        { path: 'color', operators: ['eq'] },
        { path: 'toys.name', operators: ['eq'] },
      ],
      groups: { depth: 1, terms: 4 },
      quantifiers: ['toys'],
      sorts: ['id', 'name', 'color', 'age'],
      search: ['name'],
      fields: {
        root: { allowed: ['id', 'name', 'color', 'age'], default: ['id', 'name', 'color', 'age'] },
      },
    },
    { defaultPerPage: 20 },
  );
});
afterAll(() => dataSource.destroy());

const ids = async (request: string): Promise<unknown[]> =>
  (await runQuery(typeormSource(dataSource, Cat), request, rules)).data.map(({ id }) => id);

describe('requests of nestjs-paginate and their counterparts', () => {
  it('are on the page', () => expect(pairs.length).toBeGreaterThanOrEqual(12));

  it.each(pairs)('$left and $right list the same rows', async ({ left, right }) => {
    const expected = await listed(left);
    expect(expected).not.toEqual([]);
    expect(await ids(right)).toEqual(expected);
  });

  it('differ where a filter is not listed: ignored there, and refused here', async () => {
    const narrow = { ...config, filterableColumns: { age: [FilterOperator.GTE] } };
    expect(await listed('filter.toys.id=$eq:1', narrow)).toHaveLength(9);
    await expect(ids('filter[toys.id]=1')).rejects.toMatchObject({ code: 'FIELD_NOT_ALLOWED' });
  });
});
