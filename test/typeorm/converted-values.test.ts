/** Values of every type that transformers make and take, in columns of entities and of embedded ones. */

import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { QueryField, typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import {
  type CompiledQueryRules,
  type QuerySource,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';

/** A transformer that takes values of one type alone. */
const of = <Shown>(
  fits: (value: unknown) => boolean,
  to: (value: Shown) => unknown,
  from: (stored: never) => unknown,
) => ({
  to: (value: Shown) => {
    if (value === null || value === undefined) return value;
    if (!fits(value)) throw new TypeError(`not ${typeof value}`);
    return to(value);
  },
  from: (stored: never) => (stored === null ? stored : from(stored)),
});

const big = of<bigint>(
  (value) => typeof value === 'bigint',
  (value) => String(value + 1n),
  (stored: string) => BigInt(stored) - 1n,
);
const later = of<Date>(
  (value) => value instanceof Date,
  (value) => new Date(value.getTime() + 1000),
  (stored: Date) => new Date(stored.getTime() - 1000),
);
const day = of<Date>(
  (value) => value instanceof Date,
  (value) => value.toISOString().slice(0, 10),
  (stored: string) => new Date(`${stored}T00:00:00.000Z`),
);
const yes = of<boolean>(
  (value) => typeof value === 'boolean',
  (value) => (value ? 'Y' : 'N'),
  (stored: string) => stored === 'Y',
);
const level = of<string>(
  (value) => typeof value === 'string',
  (value) => value.length,
  (stored: number) => 'x'.repeat(stored),
);
const digits = of<string>(
  (value) => typeof value === 'string',
  (value) => Number(value),
  (stored: number) => String(stored),
);
const blank = of<string>(
  (value) => typeof value === 'string',
  (value) => value.replace('T', ' '),
  (stored: string) => stored.replace(' ', 'T'),
);

class Flags {
  @Column({ type: 'varchar', transformer: yes }) open!: boolean;
  @Column({ type: 'bigint', transformer: big }) count!: bigint;
  @Column({ type: 'varchar', transformer: big }) wide!: bigint;
}

@Entity('items')
class Item {
  @PrimaryColumn('int') id!: number;
  @Column({ type: 'bigint', transformer: big }) total!: bigint;
  @Column({ type: 'datetime', transformer: later }) at!: Date;
  @Column({ type: 'varchar', transformer: day }) day!: Date;
  @Column({ type: 'int', transformer: level }) level!: string;
  @Column({ type: 'varchar', transformer: big }) wide!: bigint;
  @Column({ type: 'date', transformer: day }) born!: Date;
  /** A whole number of which only the type changes. */
  @Column({ type: 'int', transformer: digits }) digits!: string;
  @QueryField({ kind: 'datetime' })
  @Column({ type: 'varchar', transformer: blank })
  said!: string;
  /** Of a type that the compiler does not emit. */
  @QueryField({ kind: 'datetime' })
  @Column({ type: 'varchar', transformer: day })
  seen!: unknown;
  @Column('simple-array') tags!: string[];
  @QueryField({ kind: 'json' })
  @Column({ type: 'varchar', transformer: { to: String, from: (text: string) => ({ text }) } })
  shape!: object;
  @QueryField({ kind: 'opaque' })
  @Column({
    type: 'varchar',
    transformer: { to: String, from: (text: string) => Buffer.from(text) },
  })
  bytes!: Buffer;
  @QueryField({ kind: 'opaque' })
  @Column({ type: 'varchar', transformer: { to: String, from: () => undefined } })
  nothing!: unknown;
  @Column(() => Flags) flags!: Flags;
}

const registry = typeormRegistry([Item], { families: ['sqlite'] });
const dataSource = new DataSource({
  type: 'better-sqlite3',
  database: ':memory:',
  entities: [Item],
  synchronize: true,
});
const at = (second: number) => new Date(Date.UTC(2020, 1, 2, 3, 4, second, 5));
const rowOf = (id: number): object => ({
  id,
  total: BigInt(id) * 10n,
  at: at(id),
  day: new Date(Date.UTC(2021, 0, id)),
  level: 'x'.repeat(id),
  wide: BigInt(id),
  born: new Date(Date.UTC(2021, 0, id)),
  digits: String(id),
  said: at(id).toISOString(),
  seen: new Date(Date.UTC(2021, 0, id)),
  tags: ['a', `b${id}`],
  shape: `s${id}`,
  bytes: 'hey',
  nothing: 'n',
  flags: { open: id === 2, count: BigInt(id), wide: BigInt(id) },
});

beforeAll(async () => {
  await dataSource.initialize();
  await dataSource.getRepository(Item).insert([rowOf(1), rowOf(2)] as never);
});
afterAll(() => dataSource.destroy());

const paths = ['total', 'at', 'day', 'level', 'wide', 'digits', 'said', 'seen'] as const;
const rules: CompiledQueryRules = defineQueryRules(
  registry,
  'item',
  {
    filters: [...paths, 'born', 'flags.open', 'flags.count', 'flags.wide'].map((path) => ({
      path,
      operators: ['eq', 'in'],
    })),
    sorts: ['total'],
    includes: ['flags'],
    fields: {
      root: {
        allowed: ['id', ...paths, 'tags', 'shape', 'bytes', 'nothing'],
        default: ['id', ...paths, 'tags', 'shape', 'bytes', 'nothing'],
      },
      relations: {
        flags: { allowed: ['open', 'count', 'wide'], default: ['open', 'count', 'wide'] },
      },
    },
  } as never,
  { families: ['sqlite'] },
);
const list = async (request: string) => {
  const { data } = await runQuery(typeormSource(dataSource, Item) as QuerySource, request, rules);
  return data;
};

it('are shown in their JSON forms', async () => {
  expect(await list('includes=flags&filter[total]=20')).toEqual([
    {
      id: 2,
      total: '20',
      at: '2020-02-02T03:04:02.005Z',
      day: '2021-01-02T00:00:00.000Z',
      level: 'xx',
      wide: '2',
      digits: '2',
      said: '2020-02-02T03:04:02.005Z',
      seen: '2021-01-02T00:00:00.000Z',
      tags: ['a', 'b2'],
      shape: { text: 's2' },
      bytes: 'aGV5',
      nothing: null,
      flags: { open: true, count: '2', wide: '2' },
    },
  ]);
});

it.each([
  '[total]=20',
  '[total][in]=20,30',
  '[at]=2020-02-02T03:04:02.005Z',
  '[day]=2021-01-02T00:00:00.000Z',
  '[level]=xx',
  '[wide]=2',
  '[born]=2021-01-02',
  '[digits]=2',
  '[said]=2020-02-02T03:04:02.005Z',
  '[seen]=2021-01-02T00:00:00.000Z',
  '[flags.open]=true',
  '[flags.count]=2',
  '[flags.wide]=2',
])('are given to the transformer in their own type: %s', async (condition) => {
  expect((await list(`filter${condition}`)).map(({ id }) => id)).toEqual([2]);
});
