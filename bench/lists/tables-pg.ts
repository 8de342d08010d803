/** The benchmark's tables for Drizzle on PostgreSQL. */

import { relations } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const companies = pgTable('companies', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  country: text('country').notNull(),
});

export const users = pgTable(
  'users',
  {
    id: integer('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    age: integer('age').notNull(),
    active: boolean('active').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    nameFolded: text('name_folded').notNull(),
    emailFolded: text('email_folded').notNull(),
  },
  (table) => [
    index('users_created_at').on(table.createdAt),
    index('users_company_id').on(table.companyId),
    index('users_name_id').on(table.name, table.id),
  ],
);

export const posts = pgTable(
  'posts',
  {
    id: integer('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    title: text('title').notNull(),
  },
  (table) => [index('posts_user_id').on(table.userId)],
);

export const companiesRelations = relations(companies, ({ many }) => ({ users: many(users) }));

export const usersRelations = relations(users, ({ one, many }) => ({
  company: one(companies, { fields: [users.companyId], references: [companies.id] }),
  posts: many(posts),
}));

export const postsRelations = relations(posts, ({ one }) => ({
  user: one(users, { fields: [posts.userId], references: [users.id] }),
}));
