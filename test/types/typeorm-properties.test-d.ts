/** How the types of an entity's properties become fields and relations of a named registry. */

import {
  BaseEntity,
  Column,
  Entity,
  EntitySchema,
  ManyToMany,
  ManyToOne,
  PrimaryColumn,
} from 'typeorm';
import type { DataSource, Relation, Repository } from 'typeorm';
import { describe, expectTypeOf, it } from 'vitest';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import {
  type ResultOf,
  type SchemaRegistry,
  buildQuery,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { neverRun } from './never-run.ts';

type Brand = string & { readonly '~brand': 'UserId' };
const Role = { Admin: 'admin', User: 'user' } as const;
type Role = (typeof Role)[keyof typeof Role];

class Money {
  @Column('int') readonly cents!: number;
  add(other: Money): Money {
    return other;
  }
}

abstract class Base extends BaseEntity {
  @PrimaryColumn('varchar') id!: Brand;
  @Column('datetime') createdAt!: Date;
}

@Entity()
class Tag {
  @PrimaryColumn('int') id!: number;
  @Column('varchar') label!: string;
}

@Entity()
class User extends Base {
  @Column('varchar') role!: Role;
  @Column('varchar') email!: `${string}@${string}`;
  @Column(() => Money) price!: Money;
  @Column('simple-json') json!: { deep: { deeper: string } } | null;
  @Column('simple-array') words!: string[];
  @Column('varchar') either!: string | number;
  @Column('varchar') unknown!: unknown;
  @Column('varchar', { nullable: true }) maybe?: string;
  @ManyToOne(() => User) boss?: Relation<User>;
  @ManyToMany(() => Tag) tags!: Promise<Tag[]>;
  private secret!: string;
  greet(): string {
    return this.secret;
  }
}

const Thing = new EntitySchema<{ id: bigint; owner: User }>({
  name: 'Thing',
  columns: { id: { type: 'bigint', primary: true } },
  relations: { owner: { type: 'many-to-one', target: 'User' } },
});

const declare = () => typeormRegistry({ user: User, tag: Tag, thing: Thing });
const registry = {} as ReturnType<typeof declare>;
type Shape = typeof registry extends SchemaRegistry<infer S> ? S : never;
const fields = { root: { allowed: ['id', 'role', 'json'], default: ['id'] } } as const;

describe('properties', () => {
  it('have the kinds of their types, inherited ones too', () => {
    type Fields = Shape['user']['fields'];
    expectTypeOf<Fields['id']>().toEqualTypeOf<'string'>();
    expectTypeOf<Fields['email']>().toEqualTypeOf<'string'>();
    expectTypeOf<Fields['createdAt']>().toEqualTypeOf<'datetime'>();
    expectTypeOf<Fields['role']>().toEqualTypeOf<'enum'>();
    expectTypeOf<Fields['either']>().toEqualTypeOf<'string' | 'integer'>();
    expectTypeOf<Shape['thing']['fields']['id']>().toEqualTypeOf<'bigint'>();
    expectTypeOf<keyof Fields & ('greet' | 'secret' | 'save' | 'boss' | 'tags')>().toBeNever();
    expectTypeOf<Shape['user']['values']['maybe']>().toEqualTypeOf<string | null>();
  });

  it('are relations where they are registered entities, lazy ones too', () => {
    expectTypeOf<keyof Shape['user']['relations']>().toEqualTypeOf<
      'boss' | 'tags' | 'price' | 'json'
    >();
    expectTypeOf<Shape['user']['relations']['tags']['cardinality']>().toEqualTypeOf<'many'>();
    expectTypeOf<Shape['user']['relations']['boss']['cardinality']>().toEqualTypeOf<'one'>();
  });

  it('may be filtered, also where the compiler cannot tell their kind', () => {
    if (!neverRun()) return;
    defineQueryRules(registry, 'user', {
      filters: [
        { path: 'role', operators: ['in', 'like'] },
        { path: 'price', operators: ['eq'] },
        { path: 'price.cents', operators: ['gte'] },
        { path: 'json.deep.deeper', operators: ['eq'] },
        { path: 'words', operators: ['eq'] },
        { path: 'unknown', operators: ['eq', 'isNull'] },
        { path: 'either', operators: ['eq', 'like'] },
        { path: 'maybe', operators: ['isNull'] },
        { path: 'boss.boss.tags.label', operators: ['ilike'] },
        { path: 'tags', operators: ['isNull'] },
      ],
      fields,
      sorts: ['boss.createdAt', 'price.cents'],
    });
    // @ts-expect-error a lazy relation to many
    defineQueryRules(registry, 'user', { fields, sorts: ['tags.id'] });
    // @ts-expect-error private
    defineQueryRules(registry, 'user', { fields, sorts: ['secret'] });
    // @ts-expect-error a method
    defineQueryRules(registry, 'user', { fields, sorts: ['greet'] });
    // @ts-expect-error a method of an embedded entity
    defineQueryRules(registry, 'user', { fields, sorts: ['price.add'] });
    // @ts-expect-error unknown property of an embedded entity
    defineQueryRules(registry, 'user', { fields, sorts: ['price.cent'] });
    // @ts-expect-error unknown property of a schema's relation
    defineQueryRules(registry, 'thing', { fields: { root: idOnly }, sorts: ['owner.nmae'] });
  });
});

const idOnly = { allowed: ['id'], default: ['id'] } as const;

describe('sources', () => {
  const rules = {} as ReturnType<typeof rulesOf>;
  const rulesOf = () =>
    defineQueryRules(registry, 'user', {
      filters: [
        { path: 'role', operators: ['in'] },
        { path: 'id', operators: ['eq'] },
      ],
      includes: ['boss', 'tags', 'price'],
      fields: {
        ...fields,
        relations: {
          boss: { allowed: ['role'], default: ['role'] },
          tags: { allowed: ['label'], default: ['label'] },
          price: { allowed: ['cents'], default: ['cents'] },
        },
      },
    });

  it('have rows of plain values, or whole entities', () => {
    const source = (repository: Repository<User>) => typeormSource(repository);
    type Row = ResultOf<ReturnType<typeof source>, typeof rules>['data'][number];
    expectTypeOf<keyof Row>().toEqualTypeOf<'id' | 'role' | 'json' | 'boss' | 'tags' | 'price'>();
    expectTypeOf<Row['boss']>().toEqualTypeOf<{ role?: Role } | null | undefined>();
    expectTypeOf<Row['tags']>().toEqualTypeOf<{ label?: string }[] | undefined>();
    expectTypeOf<Row['price']>().toEqualTypeOf<{ cents?: number } | undefined>();
    const hydrated = (repository: Repository<User>) => typeormSource(repository, { hydrate: true });
    expectTypeOf<
      ResultOf<ReturnType<typeof hydrated>, typeof rules>['data'][number]
    >().toEqualTypeOf<User>();
  });

  it('are of the entity of the rules, as far as the compiler knows it', () => {
    if (!neverRun()) return;
    const dataSource = {} as DataSource;
    void runQuery(typeormSource(dataSource, User), '', rules);
    void runQuery(typeormSource(dataSource, 'user'), '', rules);
    // @ts-expect-error another entity
    void runQuery(typeormSource(dataSource, Tag), '', rules);
    // @ts-expect-error another entity, hydrated
    void runQuery(typeormSource(dataSource, Tag, { hydrate: true }), '', rules);
    // @ts-expect-error another entity, from a schema
    void runQuery(typeormSource(dataSource, Thing), '', rules);
    const listed = typeormRegistry([User, Tag]);
    const general = defineQueryRules(listed, 'user', { fields, sorts: ['anything'] });
    void runQuery(typeormSource(dataSource, Tag), '', general);
    const tags = defineQueryRules(registry, 'tag', { fields: { root: idOnly } });
    const either = {} as typeof rules | typeof tags;
    void runQuery(typeormSource(dataSource, Tag), '', either);
  });

  it('are requested with members of an enum and with any text for branded text', () => {
    if (!neverRun()) return;
    buildQuery(rules, { filter: { role: { in: [Role.Admin, 'user'] }, id: { eq: 'x' } } });
    // @ts-expect-error not a member
    buildQuery(rules, { filter: { role: { in: ['guest'] } } });
  });
});
