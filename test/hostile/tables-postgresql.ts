/** The tables of the hostile suite for Drizzle on PostgreSQL. Columns are named unlike paths, so that a leak shows. */

import { relations } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  numeric,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { manyToMany } from '../../src/adapters/drizzle/index.ts';
import { roles } from './world.ts';

export const roleType = pgEnum('hz_role', roles);

export const firm = pgTable('hz_firms', {
  id: integer('c_id').primaryKey(),
  name: text('c_name').notNull(),
  nameFolded: text('c_name_folded').notNull(),
});

export const person = pgTable('hz_people', {
  id: integer('c_id').primaryKey(),
  name: text('c_name').notNull(),
  nameFolded: text('c_name_folded').notNull(),
  nick: text('c_nick'),
  code: uuid('c_code').notNull(),
  codeOrder: text('c_code_order').notNull(),
  role: roleType('c_role').notNull(),
  roleFolded: text('c_role_folded').notNull(),
  roleOrder: text('c_role_order').notNull(),
  age: integer('c_age'),
  visits: bigint('c_visits', { mode: 'bigint' }).notNull(),
  balance: numeric('c_balance', { precision: 20, scale: 5 }).notNull(),
  active: boolean('c_active').notNull(),
  born: date('c_born', { mode: 'string' }),
  seenAt: timestamp('c_seen_at', { withTimezone: true }),
  extra: jsonb('c_extra'),
  secret: text('c_secret').notNull(),
  firmId: integer('c_firm_id').references(() => firm.id),
});

export const note = pgTable('hz_notes', {
  id: integer('c_id').primaryKey(),
  text: text('c_text').notNull(),
  textFolded: text('c_text_folded').notNull(),
  personId: integer('c_person_id')
    .notNull()
    .references(() => person.id),
});

export const label = pgTable('hz_labels', {
  id: integer('c_id').primaryKey(),
  word: text('c_word').notNull(),
});

export const personLabels = pgTable(
  'hz_person_labels',
  {
    personId: integer('c_person_id')
      .notNull()
      .references(() => person.id),
    labelId: integer('c_label_id')
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
