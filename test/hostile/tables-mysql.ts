/** The tables of the hostile suite for Drizzle on MySQL and MariaDB. Columns are named unlike paths, so that a leak shows. */

import { relations } from 'drizzle-orm';
import {
  bigint,
  boolean,
  char,
  date,
  datetime,
  decimal,
  int,
  json,
  mysqlEnum,
  mysqlTable,
  primaryKey,
  varchar,
} from 'drizzle-orm/mysql-core';
import { manyToMany } from '../../src/adapters/drizzle/index.ts';
import { roles } from './world.ts';

export const firm = mysqlTable('hz_firms', {
  id: int('c_id').primaryKey(),
  name: varchar('c_name', { length: 191 }).notNull(),
  nameFolded: varchar('c_name_folded', { length: 191 }).notNull(),
});

export const person = mysqlTable('hz_people', {
  id: int('c_id').primaryKey(),
  name: varchar('c_name', { length: 191 }).notNull(),
  nameFolded: varchar('c_name_folded', { length: 191 }).notNull(),
  nick: varchar('c_nick', { length: 191 }),
  code: char('c_code', { length: 36 }).notNull(),
  codeOrder: varchar('c_code_order', { length: 191 }).notNull(),
  role: mysqlEnum('c_role', roles).notNull(),
  roleFolded: varchar('c_role_folded', { length: 191 }).notNull(),
  roleOrder: varchar('c_role_order', { length: 191 }).notNull(),
  age: int('c_age'),
  visits: bigint('c_visits', { mode: 'bigint' }).notNull(),
  balance: decimal('c_balance', { precision: 20, scale: 5 }).notNull(),
  active: boolean('c_active').notNull(),
  born: date('c_born', { mode: 'string' }),
  seenAt: datetime('c_seen_at', { fsp: 6 }),
  extra: json('c_extra'),
  secret: varchar('c_secret', { length: 191 }).notNull(),
  firmId: int('c_firm_id').references(() => firm.id),
});

export const note = mysqlTable('hz_notes', {
  id: int('c_id').primaryKey(),
  text: varchar('c_text', { length: 191 }).notNull(),
  textFolded: varchar('c_text_folded', { length: 191 }).notNull(),
  personId: int('c_person_id')
    .notNull()
    .references(() => person.id),
});

export const label = mysqlTable('hz_labels', {
  id: int('c_id').primaryKey(),
  word: varchar('c_word', { length: 191 }).notNull(),
});

export const personLabels = mysqlTable(
  'hz_person_labels',
  {
    personId: int('c_person_id')
      .notNull()
      .references(() => person.id),
    labelId: int('c_label_id')
      .notNull()
      .references(() => label.id),
  },
  (table) => [primaryKey({ columns: [table.personId, table.labelId] })],
);

export const models = { person, firm, note, label };

export const links = [
  relations(person, ({ one, many }) => ({
    firm: one(firm, { fields: [person.firmId], references: [firm.id] }),
    notes: many(note),
  })),
  relations(firm, ({ many }) => ({ people: many(person) })),
  relations(note, ({ one }) => ({
    person: one(person, { fields: [note.personId], references: [person.id] }),
  })),
  manyToMany(person, 'labels', { through: personLabels, target: label }),
];
