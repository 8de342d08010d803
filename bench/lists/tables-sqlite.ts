/** The benchmark's tables for Drizzle on SQLite. */

import { relations } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const companies = sqliteTable('companies', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  country: text('country').notNull(),
});

export const users = sqliteTable(
  'users',
  {
    id: integer('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    age: integer('age').notNull(),
    active: integer('active', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
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

export const posts = sqliteTable(
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
