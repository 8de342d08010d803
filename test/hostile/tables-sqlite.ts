/** The tables of the hostile suite for Drizzle on SQLite. Columns are named unlike paths, so that a leak shows. */

import { relations } from 'drizzle-orm';
import { integer, numeric, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { manyToMany } from '../../src/adapters/drizzle/index.ts';
import { roles } from './world.ts';

export const firm = sqliteTable('hz_firms', {
  id: integer('c_id').primaryKey(),
  name: text('c_name').notNull(),
  nameFolded: text('c_name_folded').notNull(),
});

export const person = sqliteTable('hz_people', {
  id: integer('c_id').primaryKey(),
  name: text('c_name').notNull(),
  nameFolded: text('c_name_folded').notNull(),
  nick: text('c_nick'),
  code: text('c_code').notNull(),
  codeOrder: text('c_code_order').notNull(),
  role: text('c_role', { enum: roles }).notNull(),
  roleFolded: text('c_role_folded').notNull(),
  roleOrder: text('c_role_order').notNull(),
  age: integer('c_age'),
  visits: integer('c_visits').notNull(),
  balance: numeric('c_balance').notNull(),
  active: integer('c_active', { mode: 'boolean' }).notNull(),
  born: text('c_born'),
  seenAt: integer('c_seen_at', { mode: 'timestamp_ms' }),
  extra: text('c_extra', { mode: 'json' }),
  secret: text('c_secret').notNull(),
  firmId: integer('c_firm_id').references(() => firm.id),
});

export const note = sqliteTable('hz_notes', {
  id: integer('c_id').primaryKey(),
  text: text('c_text').notNull(),
  textFolded: text('c_text_folded').notNull(),
  personId: integer('c_person_id')
    .notNull()
    .references(() => person.id),
});

export const label = sqliteTable('hz_labels', {
  id: integer('c_id').primaryKey(),
  word: text('c_word').notNull(),
});

export const personLabels = sqliteTable(
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
