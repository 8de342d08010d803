/** Filters, search, includes and fields. */

import type { Preset } from './preset.ts';

export const usersAndPosts: Preset = {
  name: 'users-and-posts',
  title: 'Users and posts',
  tables: `create table companies (
  id integer primary key,
  name text not null,
  country text not null
);
create table users (
  id integer primary key,
  name text not null,
  email text not null unique,
  age integer,
  active boolean not null,
  company_id integer references companies (id)
);
create table posts (
  id integer primary key,
  title text not null,
  published date,
  likes integer not null default 0,
  author_id integer not null references users (id)
);

insert into companies values
  (1, 'Acme', 'Peru'), (2, 'Globex', 'Chile'), (3, 'Initech', 'Peru');
insert into users values
  (1, 'Ada', 'ada@acme.test', 36, true, 1),
  (2, 'Grace', 'grace@acme.test', 45, true, 1),
  (3, 'Alan', 'alan@globex.test', 41, false, 2),
  (4, 'Edsger', 'edsger@globex.test', null, true, 2),
  (5, 'Barbara', 'barbara@initech.test', 29, true, 3),
  (6, 'Donald', 'donald@home.test', 64, true, null);
insert into posts values
  (1, 'Notes on the engine', '2026-01-12', 40, 1),
  (2, 'A compiler in a week', '2026-02-03', 31, 2),
  (3, 'Nanoseconds', null, 0, 2),
  (4, 'On machines', '2026-02-20', 12, 3),
  (5, 'Go to', '2026-03-01', 99, 4),
  (6, 'Abstraction', '2026-03-14', 57, 5),
  (7, 'The engine, again', '2026-04-02', 8, 1);
`,
  rules: `{
  users: {
    filters: [
      { path: 'age', operators: ['eq', 'gte', 'lte', 'between', 'isNull'] },
      { path: 'active', operators: ['eq'] },
      { path: 'name', operators: ['eq', 'in', 'ilike', 'startsWith'] },
      { path: 'company.name', operators: ['eq', 'in'] },
      { path: 'posts.title', operators: ['ilike'] },
    ],
    sorts: ['name', { path: 'age', nulls: 'last' }, 'company.name'],
    search: ['name', 'email', 'company.name'],
    includes: ['company', 'posts'],
    fields: {
      // A field that is not listed cannot be asked for.
      root: { allowed: ['id', 'name', 'age', 'active'], default: ['id', 'name', 'age'] },
      relations: {
        company: { allowed: ['name', 'country'], default: ['name'] },
        posts: { allowed: ['id', 'title', 'published', 'likes'], default: ['title'] },
      },
    },
  },
  posts: {
    filters: [
      { path: 'published', operators: ['gte', 'lte', 'isNull'] },
      { path: 'likes', operators: ['gte'] },
      { path: 'author.name', operators: ['eq'] },
    ],
    sorts: ['published', 'likes', 'title'],
    search: ['title', 'author.name'],
    includes: ['author'],
    fields: {
      root: 'all',
      relations: { author: { allowed: ['id', 'name'], default: ['name'] } },
    },
  },
}
`,
  requests: [
    {
      title: 'Filter, sort and include',
      list: 'users',
      query: 'filter[age][gte]=30&sort=-age&includes=company,posts',
    },
    { title: 'Search', list: 'users', query: 'search=ACME&fields=id,name' },
    {
      title: 'Through a relation',
      list: 'users',
      query: 'filter[posts.title][ilike]=ENGINE',
    },
    {
      title: 'A page by number',
      list: 'posts',
      query: 'sort=-likes&includes=author&page=2&perPage=3',
    },
    { title: 'A field that is not allowed', list: 'users', query: 'fields=id,email' },
    { title: 'A value that is not a number', list: 'users', query: 'filter[age][gte]=many' },
  ],
};
