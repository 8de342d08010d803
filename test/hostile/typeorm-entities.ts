/** The tables of the hostile suite as annotated TypeORM entities, made for one family. */

import {
  Column,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
} from 'typeorm';
import type { Relation } from 'typeorm';
import { QueryField, QueryHidden } from '../../src/adapters/typeorm/index.ts';
import type { DatabaseFamily } from '../../src/index.ts';
import { familyTypes } from '../matrix/fixtures/typeorm/column-types.ts';
import { roles } from './world.ts';

/** Entity classes by model name. */
export function hostileEntities(family: DatabaseFamily) {
  const { instant, json } = familyTypes[family];
  const enumName = family === 'postgresql' ? { enumName: 'hz_role' } : {};

  @Entity('hz_firms')
  class Firm {
    @PrimaryColumn({ name: 'c_id' }) id!: number;
    @QueryField({ foldedField: 'nameFolded' }) @Column({ name: 'c_name' }) name!: string;
    @Column({ name: 'c_name_folded' }) nameFolded!: string;
    @OneToMany(() => Person, (person) => person.firm) people!: Person[];
  }

  @Entity('hz_people')
  class Person {
    @PrimaryColumn({ name: 'c_id' }) id!: number;
    @QueryField({ foldedField: 'nameFolded' }) @Column({ name: 'c_name' }) name!: string;
    @Column({ name: 'c_name_folded' }) nameFolded!: string;
    @Column({ name: 'c_nick', type: String, nullable: true }) nick!: string | null;
    @QueryField({ portableOrderField: 'codeOrder' })
    @Column('uuid', { name: 'c_code' })
    code!: string;
    @Column({ name: 'c_code_order' }) codeOrder!: string;
    @QueryField({ foldedField: 'roleFolded', portableOrderField: 'roleOrder' })
    @Column('simple-enum', { name: 'c_role', enum: roles, ...enumName })
    role!: (typeof roles)[number];
    @Column({ name: 'c_role_folded' }) roleFolded!: string;
    @Column({ name: 'c_role_order' }) roleOrder!: string;
    @Column({ name: 'c_age', type: 'int', nullable: true }) age!: number | null;
    @Column('bigint', { name: 'c_visits' }) visits!: string;
    @Column('decimal', { name: 'c_balance', precision: 20, scale: 5 }) balance!: string;
    @Column({ name: 'c_active' }) active!: boolean;
    @Column('date', { name: 'c_born', nullable: true }) born!: string | null;
    @Column({ ...instant, name: 'c_seen_at', nullable: true }) seenAt!: Date | null;
    @Column({ ...json, name: 'c_extra', nullable: true }) extra!: unknown;
    @QueryHidden() @Column({ name: 'c_secret' }) secret!: string;
    @Column({ name: 'c_firm_id', type: 'int', nullable: true }) firmId!: number | null;

    @ManyToOne(() => Firm, (firm) => firm.people)
    @JoinColumn({ name: 'c_firm_id' })
    firm!: Firm | null;
    @OneToMany(() => Note, (note) => note.person) notes!: Note[];
    @ManyToMany(() => Label)
    @JoinTable({
      name: 'hz_person_labels',
      joinColumn: { name: 'c_person_id' },
      inverseJoinColumn: { name: 'c_label_id' },
    })
    labels!: Label[];
  }

  @Entity('hz_notes')
  class Note {
    @PrimaryColumn({ name: 'c_id' }) id!: number;
    @QueryField({ foldedField: 'textFolded' }) @Column({ name: 'c_text' }) text!: string;
    @Column({ name: 'c_text_folded' }) textFolded!: string;
    @Column({ name: 'c_person_id' }) personId!: number;

    @ManyToOne(() => Person, (person) => person.notes, { nullable: false })
    @JoinColumn({ name: 'c_person_id' })
    person!: Relation<Person>;
  }

  @Entity('hz_labels')
  class Label {
    @PrimaryColumn({ name: 'c_id' }) id!: number;
    @Column({ name: 'c_word' }) word!: string;
  }

  return { firm: Firm, person: Person, note: Note, label: Label };
}
