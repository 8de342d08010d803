/** The type of a row is inferred from the entity class; its fields need no casts. */

import { Column, Entity, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import type { DataSource, EntityManager, Relation, Repository, SelectQueryBuilder } from 'typeorm';
import { describe, expectTypeOf, it } from 'vitest';
import {
  type TypeormRow,
  foldedColumns,
  typeormRegistry,
  typeormSource,
} from '../../src/adapters/typeorm/index.ts';
import {
  type CompiledQueryRules,
  type SchemaRegistry,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';

class Address {
  @Column() city!: string;
}

@Entity()
class Company {
  @PrimaryColumn() id!: number;
  @Column() name!: string;
  @OneToMany(() => User, (user) => user.company) users!: Relation<User>[];
}

@Entity()
class User {
  @PrimaryColumn('bigint') id!: bigint;
  @Column() name!: string;
  @Column('simple-enum', { enum: ['s', 'm'] }) size!: 's' | 'm' | null;
  @Column() createdAt!: Date;
  @Column() avatar!: Buffer;
  @Column() tags!: string[];
  @Column() settings!: { theme: string } | null;
  @Column() whatever!: unknown;
  @Column(() => Address) address!: Address;
  @ManyToOne(() => Company) company!: Relation<Company> | null;
  @ManyToOne(() => User) manager!: Promise<User | null>;
  greet(): string {
    return this.name;
  }
}

const registry = typeormRegistry([User, Company]);
const rules: CompiledQueryRules = defineQueryRules(registry, 'user', {
  fields: { root: { allowed: ['id', 'name'], default: ['name'] } },
});
declare const dataSource: DataSource;
declare const repository: Repository<User>;
declare const manager: EntityManager;

describe('rows of TypeORM', () => {
  it('have the JSON forms of the properties, all optional', async () => {
    const { data } = await runQuery(typeormSource(repository), '', rules);
    type Row = (typeof data)[number];
    expectTypeOf<Row>().toEqualTypeOf<TypeormRow<User>>();
    expectTypeOf<Row['id']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Row['name']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Row['size']>().toEqualTypeOf<'s' | 'm' | null | undefined>();
    expectTypeOf<Row['createdAt']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Row['avatar']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Row['tags']>().toEqualTypeOf<string[] | undefined>();
    expectTypeOf<Row['settings']>().toEqualTypeOf<{ theme?: string } | null | undefined>();
    expectTypeOf<Row['whatever']>().toEqualTypeOf<unknown>();
    expectTypeOf<Row>().not.toHaveProperty('greet');
  });

  it('nest embedded entities and relations, lazy ones too', () => {
    type Row = TypeormRow<User>;
    expectTypeOf<Row['address']>().toEqualTypeOf<TypeormRow<Address> | undefined>();
    expectTypeOf<Row['company']>().toEqualTypeOf<TypeormRow<Company> | null | undefined>();
    expectTypeOf<Row['manager']>().toEqualTypeOf<TypeormRow<User> | null | undefined>();
    expectTypeOf<TypeormRow<Company>['users']>().toEqualTypeOf<TypeormRow<User>[] | undefined>();
  });

  it('come from a DataSource and an entity, a transaction, and are entities when hydrated', async () => {
    const plain = await runQuery(typeormSource(dataSource, User), '', rules);
    expectTypeOf(plain.data).toEqualTypeOf<TypeormRow<User>[]>();
    const inside = typeormSource(manager.getRepository(User), { withDeleted: true });
    expectTypeOf((await runQuery(inside, '', rules)).data).toEqualTypeOf<TypeormRow<User>[]>();
    const hydrated = await runQuery(typeormSource(repository, { hydrate: true }), '', rules);
    expectTypeOf(hydrated.data).toEqualTypeOf<User[]>();
    const entities = await runQuery(typeormSource(dataSource, User, { hydrate: true }), '', rules);
    expectTypeOf(entities.data).toEqualTypeOf<User[]>();
  });

  it("give customize the entity's own builder", () => {
    void runQuery(typeormSource(repository), '', rules, {
      customize: (builder, { kind }) => {
        expectTypeOf(builder).toEqualTypeOf<SelectQueryBuilder<User>>();
        expectTypeOf(kind).toEqualTypeOf<'data' | 'count'>();
        return builder.andWhere('users.id > 1');
      },
    });
    void runQuery(typeormSource(repository), '', rules, {
      // @ts-expect-error a builder of another entity
      customize: (builder: SelectQueryBuilder<Company>) => builder,
    });
  });

  it('need no casts around them', () => {
    expectTypeOf(registry).toEqualTypeOf<SchemaRegistry>();
    expectTypeOf([foldedColumns()]).toExtend<NonNullable<DataSource['options']['subscribers']>>();
    // @ts-expect-error not an entity
    typeormRegistry([1]);
  });
});
