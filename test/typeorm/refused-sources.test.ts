/** Sources and rules that a DataSource refuses: no entity, patterns behind transformers, columns without quotes. */

import {
  Column,
  DataSource,
  Entity,
  Index,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  Unique,
} from 'typeorm';
import type { Relation } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { QueryField, typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import {
  type CompiledQueryRules,
  type QuerySource,
  assertSource,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';

const same = { to: (text: string) => `<${text}>`, from: (text: string) => text?.slice(1, -1) };

class Fold {
  @Column('int') width!: number;
  @ManyToMany(() => Tag)
  @JoinTable({ name: 'fold_tags', inverseJoinColumn: { name: 'tag no' } })
  marks!: Relation<Tag>[];
}

@Entity('sheets')
class Sheet {
  @PrimaryColumn('int') id!: number;
  @Column('varchar') name!: string;
  @Column({ type: 'varchar', transformer: same }) code!: string;
  @Column(() => Fold) fold!: Fold;
  @OneToMany(() => Line, (line) => line.sheet) lines!: Relation<Line>[];
  @ManyToMany(() => Tag) @JoinTable({ name: 'sheet_tags' }) tags!: Relation<Tag>[];
  @ManyToMany(() => Tag)
  @JoinTable({ name: 'sheet_notes', joinColumn: { name: 'sheet(no)' } })
  notes!: Relation<Tag>[];
}

@Entity('lines')
class Line {
  @PrimaryColumn('int') id!: number;
  @Column({ type: 'varchar', transformer: same }) text!: string;
  @ManyToOne(() => Sheet, (sheet) => sheet.lines) sheet!: Relation<Sheet>;
  @ManyToMany(() => Tag) @JoinTable({ name: 'line_tags' }) marks!: Relation<Tag>[];
}

@Entity('tags')
class Tag {
  @PrimaryColumn('int') no!: number;
}

/** A folded column has the text itself, and the members of an enum are known. */
@Entity('slips')
class Slip {
  @PrimaryColumn('int') id!: number;
  @Column({ type: 'varchar', transformer: same }) motto!: string;
  @Column('varchar', { name: 'motto_folded' }) mottoFolded!: string;
  @QueryField({ kind: 'enum', enumValues: ['red', 'green'] })
  @Column({ type: 'varchar', transformer: same })
  colour!: string;
}

@Entity('badges')
@Index(['code'], { unique: true, where: 'used = 1' })
class Badge {
  @PrimaryColumn('int') id!: number;
  @Column('int') code!: number;
  @Column('int') used!: number;
}

@Entity('guests')
class Guest {
  @PrimaryColumn('int') id!: number;
  @ManyToOne(() => Badge, { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'badge_code', referencedColumnName: 'code' })
  badge!: Badge | null;
}

const entities = [Sheet, Line, Tag, Slip];
const registry = typeormRegistry(entities, { families: ['sqlite'] });
const dataSource = new DataSource({
  type: 'better-sqlite3',
  database: ':memory:',
  entities,
  synchronize: true,
});
beforeAll(async () => {
  await dataSource.initialize();
  await dataSource.query(`insert into sheets values (1, 'A', '<B>', 7)`);
  await dataSource.query(`insert into slips values (1, '<Ab>', 'ab', '<red>')`);
});
afterAll(() => dataSource.destroy());

const rulesOf = (more: object): CompiledQueryRules =>
  defineQueryRules(
    registry,
    'sheet',
    { fields: { root: { allowed: ['id'], default: ['id'] } }, ...more } as never,
    { families: ['sqlite'] },
  );
const refused = (source: unknown, rules: CompiledQueryRules) => {
  try {
    assertSource(source as QuerySource, rules);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
};

it('refuses a source without an entity, and with unknown options', () => {
  const none = 'The source has no entity; pass a repository, or a DataSource and an entity.';
  expect(() => typeormSource(dataSource, undefined as never)).toThrow(none);
  expect(() => typeormSource(dataSource, { withDeleted: true } as never)).toThrow(none);
  expect(() => typeormSource(dataSource, Sheet, { deleted: true } as never)).toThrow(/deleted/);
  const repository = dataSource.getRepository(Sheet);
  expect(() => typeormSource(repository, { hydrate: 1 } as never)).toThrow(/"hydrate"/);
  expect(() => typeormSource(repository, { registry: {} } as never)).toThrow(/"registry"/);
  expect(() => typeormSource(repository, { strict: 'no' } as never)).toThrow(/"strict"/);
});

it('takes an entity by its name, by its class and by its repository', async () => {
  const rules = rulesOf({});
  for (const source of [
    typeormSource(dataSource, 'Sheet'),
    typeormSource(dataSource, Sheet),
    typeormSource(dataSource.getRepository('Sheet')),
  ]) {
    expect(source.model).toBe('sheet');
    expect((await runQuery(source as QuerySource, '', rules)).data).toEqual([{ id: 1 }]);
  }
});

it.each([
  [
    'sheet.code',
    {
      filters: [
        { path: 'name', operators: ['eq'] },
        { path: 'code', operators: ['eq', 'notLike'] },
      ],
    },
  ],
  ['line.text', { filters: [{ path: 'lines.text', operators: ['like'] }] }],
  ['sheet.code', { filters: [{ path: 'code', operators: ['istartsWith'] }] }],
  ['sheet.code', { search: ['name', 'code'] }],
  [
    'line.text',
    {
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        relations: { lines: { allowed: ['id'], default: ['id'] } },
      },
      includes: ['lines'],
      children: {
        lines: {
          filters: [
            { path: 'id', operators: ['eq'] },
            { path: 'text', operators: ['like'] },
          ],
        },
      },
    },
  ],
])('refuses patterns on %s by %j', async (at, more) => {
  const source = typeormSource(dataSource, Sheet) as QuerySource;
  const [model, path] = at.split('.');
  await expect(runQuery(source, '', rulesOf(more))).rejects.toMatchObject({
    message: `${at}: its column has a transformer, so that a pattern cannot be looked for in it; drop patterns and search, or give it a folded column for ilike and search.`,
    details: { model, path: expect.stringContaining(String(path)) },
  });
});

it('takes patterns on columns without a transformer, and other operators', async () => {
  const rules = rulesOf({
    search: ['name'],
    filters: [
      { path: 'code', operators: ['eq', 'in'] },
      { path: 'name', operators: ['like', 'ilike'] },
      { path: 'lines', operators: ['isNull'] },
    ],
    aggregates: {
      lines: {
        count: true,
        where: {
          own: {
            type: 'some',
            path: 'marks',
            predicates: [{ type: 'condition', path: 'no', operator: 'eq', value: 1 }],
          },
        },
      },
    },
  });
  const source = typeormSource(dataSource, Sheet) as QuerySource;
  const request = 'filter[code]=B&filter[name][like]=A&filter[lines][isNull]=true&search=a';
  expect((await runQuery(source, request, rules)).data).toEqual([{ id: 1 }]);
});

it.each(['search=AB', 'filter[motto][ilike]=B', 'filter[colour][ilike]=RE'])(
  'takes patterns on folded columns and on enums: %s',
  async (request) => {
    const operators = ['ilike'] as const;
    const rules = defineQueryRules(registry, 'slip', {
      search: ['motto'],
      filters: [
        { path: 'motto', operators },
        { path: 'colour', operators },
      ],
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    const source = typeormSource(dataSource, Slip) as QuerySource;
    expect((await runQuery(source, request, rules)).data).toEqual([{ id: 1 }]);
  },
);

it.each(['motto', 'colour'])('refuses patterns that tell cases apart on %s', async (path) => {
  const rules = defineQueryRules(registry, 'slip', {
    filters: [{ path, operators: ['like'] }],
    fields: { root: { allowed: ['id'], default: ['id'] } },
  } as never);
  const source = typeormSource(dataSource, Slip) as QuerySource;
  await expect(runQuery(source, '', rules as never)).rejects.toThrow(
    `slip.${path}: its column has a transformer`,
  );
});

it('refuses entities through each column that TypeORM does not quote', () => {
  const no = { allowed: ['no'], default: ['no'] };
  const relations = {
    fold: { allowed: ['width'], default: ['width'] },
    tags: no,
    notes: no,
    'fold.marks': no,
  };
  const fields = { root: { allowed: ['id'], default: ['id'] }, relations };
  const of = (includes: readonly string[]) =>
    rulesOf({
      includes,
      fields: {
        ...fields,
        relations: Object.fromEntries(
          Object.entries(relations).filter(([path]) => includes.includes(path)),
        ),
      },
    });
  const entity = typeormSource(dataSource, Sheet, { hydrate: true });
  expect(refused(entity, of(['tags']))).toBeUndefined();
  expect(refused(entity, of(['tags', 'notes']))).toMatch(
    /^rules\.includes "notes": .*"sheet\(no\)"/,
  );
  expect(refused(entity, of(['tags', 'fold', 'fold.marks']))).toMatch(
    /^rules\.includes "fold\.marks": .*"tag no"/,
  );
  expect(refused(typeormSource(dataSource, Sheet), of(['notes']))).toBeUndefined();
});

it('refuses entities on a version of TypeORM whose builders it does not know', async () => {
  const other = new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities,
    synchronize: true,
  });
  await other.initialize();
  const known = other.createQueryBuilder.bind(other) as () => object;
  Object.assign(other, {
    createQueryBuilder: () => Object.assign(known(), { createJoinExpression: undefined }),
  });
  const reason = /^The rows of entities cannot be told apart/;
  const hydrated = typeormSource(other, Sheet, { hydrate: true }) as unknown as QuerySource;
  expect(refused(hydrated, rulesOf({}))).toMatch(reason);
  await expect(runQuery(hydrated, '', rulesOf({}))).rejects.toThrow(reason);
  expect(refused(typeormSource(other, Sheet), rulesOf({}))).toBeUndefined();
  await other.destroy();
});

it.each([
  ['boolean', 'integer', true],
  ['boolean', 'bigint', true],
  ['boolean', 'string', false],
  ['boolean', 'datetime', false],
  ['blob', 'opaque', true],
  ['blob', 'string', false],
  ['blob', 'uuid', false],
  ['datetime', 'opaque', true],
  ['datetime', 'string', false],
  ['simple-json', 'string', false],
  ['simple-json', 'opaque', false],
  ['simple-json', 'integer[]', true],
  ['simple-array', 'string', true],
  ['int', 'bigint', true],
  ['varchar', 'uuid', true],
  ['varchar', 'integer', false],
] as const)('a column of type %s holds the kind %s: %s', async (type, kind, holds) => {
  @Entity('cells')
  class Cell {
    @PrimaryColumn('int') id!: number;
    @QueryField({ kind }) @Column({ type }) value!: unknown;
  }
  const cells = await new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities: [Cell],
  }).initialize();
  const rules = defineQueryRules(typeormRegistry([Cell]), 'cell', { fields: 'all' });
  const said = refused(typeormSource(cells, Cell), rules);
  if (holds) expect(said).toBeUndefined();
  else expect(said).toContain(`cell.value: the schema declares kind ${kind}`);
  await cells.destroy();
});

it.each([Index(['code'], { unique: true }), Unique(['code'])])(
  'takes relations to a column with a unique key where it is strict',
  async (unique) => {
    @Entity('desks')
    class Desk {
      @PrimaryColumn('int') id!: number;
      @Column('int') code!: number;
    }
    unique(Desk);
    @Entity('clerks')
    class Clerk {
      @PrimaryColumn('int') id!: number;
      @ManyToOne(() => Desk)
      @JoinColumn({ name: 'desk_code', referencedColumnName: 'code' })
      desk!: Desk | null;
    }
    const clerks = await new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: [Desk, Clerk],
    }).initialize();
    expect(() => typeormSource(clerks, Clerk, { strict: true })).not.toThrow();
    await clerks.destroy();
  },
);

it('refuses relations to the first of several rows where it is strict', async () => {
  const own = [Badge, Guest];
  const guests = new DataSource({ type: 'better-sqlite3', database: ':memory:', entities: own });
  const reason = /guest\.badge/;
  const early = typeormSource(guests, Guest, { strict: true });
  await guests.initialize();
  const rules = defineQueryRules(typeormRegistry(own), 'guest', { fields: 'all' });
  expect(() => typeormSource(guests, Guest, { strict: true })).toThrow(reason);
  expect(() => typeormSource(guests.getRepository(Guest), { strict: true })).toThrow(reason);
  await expect(runQuery(early, '', rules)).rejects.toThrow(reason);
  expect(() => typeormSource(guests, Guest, { strict: false })).not.toThrow();
  await guests.destroy();
});
