/** The benchmark's tables for Drizzle on MariaDB. */

import { relations } from 'drizzle-orm';
import { boolean, datetime, index, int, mysqlTable, varchar } from 'drizzle-orm/mysql-core';

export const companies = mysqlTable('companies', {
  id: int('id').primaryKey(),
  name: varchar('name', { length: 191 }).notNull(),
  country: varchar('country', { length: 191 }).notNull(),
});

export const users = mysqlTable(
  'users',
  {
    id: int('id').primaryKey(),
    name: varchar('name', { length: 191 }).notNull(),
    email: varchar('email', { length: 191 }).notNull(),
    age: int('age').notNull(),
    active: boolean('active').notNull(),
    createdAt: datetime('created_at', { fsp: 3 }).notNull(),
    companyId: int('company_id')
      .notNull()
      .references(() => companies.id),
    nameFolded: varchar('name_folded', { length: 191 }).notNull(),
    emailFolded: varchar('email_folded', { length: 191 }).notNull(),
  },
  (table) => [
    index('users_created_at').on(table.createdAt),
    index('users_company_id').on(table.companyId),
    index('users_name_id').on(table.name, table.id),
  ],
);

export const posts = mysqlTable(
  'posts',
  {
    id: int('id').primaryKey(),
    userId: int('user_id')
      .notNull()
      .references(() => users.id),
    title: varchar('title', { length: 191 }).notNull(),
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
