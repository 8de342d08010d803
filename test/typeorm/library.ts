/** A small library on TypeORM: embedded entities, transformers, inheritance, soft deletion, every kind of relation. */

import {
  AfterLoad,
  ChildEntity,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
  VersionColumn,
} from 'typeorm';
import type { Relation } from 'typeorm';
import { QueryField, QueryHidden } from '../../src/adapters/typeorm/index.ts';

/** Fields that several entities share. */
export abstract class Base {
  @PrimaryGeneratedColumn() id!: number;
  @CreateDateColumn() createdAt!: Date;
  @VersionColumn() version!: number;
}

export class Point {
  @Column({ nullable: true, type: 'int' }) x!: number | null;
  @Column({ nullable: true, type: 'int' }) y!: number | null;
}

export class Address {
  @Column() street!: string;
  @Column() city!: string;
  @Column() city_folded!: string;
  @Column(() => Point) at!: Point;
  @ManyToOne(() => Publisher)
  @JoinColumn({ name: 'nearest_code', referencedColumnName: 'code' })
  nearest!: Relation<Publisher> | null;
}

@Entity('publishers')
export class Publisher {
  @PrimaryGeneratedColumn('uuid') id!: string;
  @Column() id_order!: string;
  @Column({ unique: true }) code!: string;
  @OneToMany(() => Author, (author) => author.publisher) authors!: Relation<Author>[];
}

export const moods = { Calm: 'calm', Wild: 'wild' } as const;

@Entity('authors')
export class Author extends Base {
  @Column() name!: string;
  @Column() name_folded!: string;
  @Column({ type: 'simple-enum', enum: moods, nullable: true }) mood!: string | null;
  @Column({ type: String, nullable: true }) mood_order!: string | null;
  @Column({ name: 'email_address', type: String, nullable: true }) email!: string | null;
  @Column({ select: false, default: 'x' }) secret!: string;
  @QueryHidden() @Column({ default: 'n' }) note!: string;
  @Column(() => Address, { prefix: 'home' }) address!: Address;
  @Column('simple-array') tags!: string[];
  @Column('simple-json', { nullable: true }) settings!: { theme: string } | null;
  /** Stored in cents. */
  @QueryField({ kind: 'integer' })
  @Column('int', {
    transformer: { to: (euros: number) => euros * 100, from: (cents: number) => cents / 100 },
  })
  fee!: number;
  /** Stored reversed. */
  @Column({
    type: String,
    transformer: {
      to: (text: string) => text && [...text].toReversed().join(''),
      from: (text: string) => text && [...text].toReversed().join(''),
    },
  })
  motto!: string;
  @Column('bigint') words!: string;
  @Column('decimal', { precision: 10, scale: 2, nullable: true }) royalty!: string | null;
  @Column({ default: true }) active!: boolean;
  @Column('date', { nullable: true }) bornOn!: string | null;

  @ManyToOne(() => Publisher, (publisher) => publisher.authors)
  @JoinColumn({ name: 'publisher_code', referencedColumnName: 'code' })
  publisher!: Relation<Publisher> | null;
  @OneToMany(() => Book, (book) => book.author, { cascade: true }) books!: Relation<Book>[];
  @OneToOne(() => Passport, (passport) => passport.author) passport!: Relation<Passport> | null;
  @ManyToMany(() => Author, (author) => author.students)
  @JoinTable({
    name: 'lessons',
    joinColumn: { name: 'student' },
    inverseJoinColumn: { name: 'teacher' },
  })
  teachers!: Relation<Author>[];
  @ManyToMany(() => Author, (author) => author.teachers) students!: Relation<Author>[];

  /** Set in hydrated rows only. */
  greeting?: string;
  @AfterLoad() greet(): void {
    this.greeting = `I am ${this.name}`;
  }
}

@Entity('passports')
export class Passport {
  @PrimaryColumn() number!: string;
  @OneToOne(() => Author, (author) => author.passport, { nullable: false })
  @JoinColumn({ name: 'holder' })
  author!: Relation<Author>;
}

@Entity('books')
export class Book extends Base {
  @Column() title!: string;
  @Column() title_folded!: string;
  @DeleteDateColumn() deletedAt!: Date | null;
  @ManyToOne(() => Author, (author) => author.books, { nullable: false }) author!: Relation<Author>;
  @OneToMany(() => Edition, (edition) => edition.book) editions!: Relation<Edition>[];
}

@Entity('editions')
export class Edition {
  @PrimaryColumn({ name: 'book_id' }) bookId!: number;
  @PrimaryColumn({ name: 'print_run' }) run!: number;
  @ManyToOne(() => Book, (book) => book.editions, { nullable: false })
  @JoinColumn({ name: 'book_id' })
  book!: Relation<Book>;
  @ManyToMany(() => Shelf, (shelf) => shelf.editions)
  @JoinTable({ name: 'places' })
  shelves!: Relation<Shelf>[];
}

@Entity('shelves')
export class Shelf {
  @PrimaryColumn() room!: string;
  @PrimaryColumn() place!: number;
  @ManyToMany(() => Edition, (edition) => edition.shelves) editions!: Relation<Edition>[];
}

@Entity('media')
@TableInheritance({ column: { type: 'varchar', name: 'sort' } })
export class Media {
  @PrimaryGeneratedColumn() id!: number;
  @Column() title!: string;
}

@ChildEntity('sound')
export class Sound extends Media {
  @Column() minutes!: number;
}

@ChildEntity('film')
export class Film extends Media {
  @Column() metres!: number;
  @DeleteDateColumn() deletedAt!: Date | null;
}

/** An embedded entity that holds the primary key. */
export class StampKey {
  @PrimaryColumn() country!: string;
  @PrimaryColumn() serial!: number;
}

@Entity('stamps')
export class Stamp {
  @Column(() => StampKey) key!: StampKey;
  @Column() motif!: string;
}

export const entities = [
  Author,
  Book,
  Edition,
  Film,
  Media,
  Passport,
  Publisher,
  Shelf,
  Sound,
  Stamp,
] as const;
