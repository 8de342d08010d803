/** The irregular world as TypeORM entities. A transformer stores weights as texts. */

import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { QueryField } from '../../../src/adapters/typeorm/index.ts';
import type { DatabaseFamily } from '../../../src/index.ts';
import { familyTypes } from '../fixtures/typeorm/column-types.ts';
import { membersOf, rewrittenWeight } from './world.ts';

/** Creates the entity classes of a family, by model name. */
export function irregularEntities(family: DatabaseFamily) {
  const orNull =
    <T, R>(convert: (value: T) => R) =>
    (value: T | null): R | null =>
      value === null ? null : convert(value);

  @Entity('parcels')
  class Parcel {
    @PrimaryColumn('simple-enum', { enum: membersOf(family, 'lane') }) lane!: string;
    @PrimaryColumn('date', { name: 'day_on' }) day!: string;
    @PrimaryColumn() no!: number;
    @Column('simple-enum', { enum: membersOf(family, 'status'), nullable: true })
    status!: string | null;
    @Column('simple-enum', { enum: ['poor', 'fair', 'good'] }) grade!: string;
    @Column({ name: 'grade_order' }) gradeOrder!: string;
    @Column('uuid', { nullable: true }) ref!: string | null;
    @Column({ name: 'ref_order', type: String, nullable: true }) refOrder!: string | null;
    @QueryField({ kind: 'integer' })
    @Column({
      type: 'varchar',
      nullable: true,
      transformer: {
        to: orNull(rewrittenWeight.stored),
        from: orNull(rewrittenWeight.shown),
      },
    })
    weight!: number | null;
    @Column({ type: family === 'mysql' ? 'mediumtext' : 'text', nullable: true })
    note!: string | null;
    @Column({ ...familyTypes[family].instant, name: 'at_time', nullable: true }) at!: Date | null;
    @Column({ name: 'depot_id' }) depotId!: number;

    @ManyToOne(() => Depot, (depot) => depot.parcels, { nullable: false })
    @JoinColumn({ name: 'depot_id' })
    depot!: Relation<Depot>;
  }

  @Entity('depots')
  class Depot {
    @PrimaryColumn() id!: number;
    @Column() name!: string;
    @Column('simple-enum', { enum: membersOf(family, 'zone') }) zone!: string;
    @OneToMany(() => Parcel, (parcel) => parcel.depot) parcels!: Parcel[];
  }

  @Entity('labels')
  class Label {
    @PrimaryColumn('uuid') code!: string;
    @Column({ name: 'code_order' }) codeOrder!: string;
    @PrimaryColumn('simple-enum', { enum: ['west', 'east', 'north'] }) zone!: string;
    @Column({ name: 'zone_order' }) zoneOrder!: string;
    @Column() size!: number;
  }

  return { parcel: Parcel, depot: Depot, label: Label };
}
