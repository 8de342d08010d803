/**
 * An application as Rails migrations create it on PostgreSQL: uuid keys, citext, hstore, jsonb, arrays, ranges, generated
 * columns, partitions, a second schema, mixed-case and reserved names, composite and self references, views.
 */

/** The statements that create and fill the database. */
export const railsApp = `
create extension if not exists citext;
create extension if not exists hstore;
create schema billing;
create type mood as enum ('sad', 'ok', 'Happy');
create domain email_address as citext check (value ~ '@');
create table schema_migrations (version character varying not null primary key);
create table ar_internal_metadata (key character varying not null primary key, value character varying, created_at timestamp(6) not null, updated_at timestamp(6) not null);
create table accounts (id uuid primary key default gen_random_uuid(), name character varying not null, slug citext not null unique, settings jsonb not null default '{}', extra hstore,
  tags character varying[] not null default '{}', scores integer[], feelings mood[], mood mood, active boolean not null default true, balance numeric, credit numeric(12,4), parent_id uuid references accounts,
  trial tstzrange, days daterange, seen_from inet, span interval, opens time, zone timetz, search tsvector generated always as (to_tsvector('simple', name)) stored,
  name_length integer generated always as (length(name)) stored, created_at timestamp(6) without time zone not null, updated_at timestamptz, discarded_at timestamp, lock_version integer not null default 0);
create table users (id bigserial primary key, account_id uuid not null references accounts, email email_address not null, encrypted_password character varying not null default '', role integer not null default 0,
  "lastSignIn" timestamptz, "group" text, "Order" smallint, born date, manager_id bigint references users, mentor_id bigint references users, avatar bytea, height real, weight double precision, unique (account_id, id));
create table memberships (account_id uuid not null, user_id bigint not null, level smallint not null default 1, primary key (account_id, user_id), foreign key (account_id, user_id) references users (account_id, id));
create table comments (id bigserial primary key, commentable_type character varying not null, commentable_id bigint not null, body text, user_id bigint references users on delete set null, created_at timestamp(6) not null);
create table "order" (id bigint generated always as identity primary key, "user" bigint references users (id), "select" text, "from" date, total numeric(10,2) not null);
create table tags (id serial primary key, name character varying not null);
create table comments_tags (comment_id bigint not null references comments, tag_id integer not null references tags, primary key (comment_id, tag_id));
create table users_tags (user_id bigint not null references users, tag_id integer not null references tags);
create table events (id bigint not null, kind text not null, at timestamptz not null, payload jsonb, primary key (id, at)) partition by range (at);
create table events_2023 partition of events for values from ('2023-01-01') to ('2024-01-01');
create table events_2024 partition of events for values from ('2024-01-01') to ('2025-01-01');
create table billing.invoices (number character varying primary key, account_id uuid not null references public.accounts, amount_cents bigint not null, currency char(3) not null, paid boolean, issued_on date not null);
create table billing.users (id bigserial primary key, name text not null, user_id bigint references public.users);
create table "Sales Order Header" ("SalesOrder ID" integer primary key, "Ship To" text, "Unit.Price" numeric(8,2), "a""b" text, "total $" money, "filter[x]" text, "ordé" date, "select" text);
create table "Sales Order Detail" ("SalesOrder ID" integer not null references "Sales Order Header", "Line No" integer not null, "Note" text, primary key ("SalesOrder ID", "Line No"));
create view active_accounts as select id, name, mood, created_at from accounts where active;
create materialized view account_counts as select mood, count(*) as n from accounts group by mood;
create index on accounts using gin (tags);
insert into accounts (id, name, slug, settings, extra, tags, scores, feelings, mood, active, balance, credit, parent_id, trial, days, seen_from, span, opens, zone, created_at, updated_at) values
  ('00000000-0000-4000-8000-00000000000a', 'Acme', 'Acme', '{"plan": {"name": "pro"}, "n": 1.0}', 'a=>1, b=>NULL', '{x,"y z"}', '{1,null}', '{sad,Happy}', 'Happy', true, 12345678901234567890.123456789, 1.5, null, '[2024-01-01,2024-02-01)', '[2024-01-01,infinity)', '10.0.0.1/8', '1 mon 2 days', '10:00', '10:00+02', '2024-01-01 10:00:00.123456', '2024-01-01 10:00:00.123456+02'),
  ('10000000-0000-4000-8000-00000000000b', 'beta', 'beta-Corp', '{}', null, '{}', null, null, null, false, null, null, '00000000-0000-4000-8000-00000000000a', null, null, null, null, null, null, '2024-01-01 10:00:00.123457', null),
  ('20000000-0000-4000-8000-00000000000c', 'Ñandú', 'nandu', '[1]', '', '{x}', '{}', '{}', 'sad', true, -1.5, 0, '00000000-0000-4000-8000-00000000000a', 'empty', null, '::1', '-1 day', '24:00', null, '1999-12-31 23:59:59', '2038-01-20 00:00:00Z');
insert into users values (1, '00000000-0000-4000-8000-00000000000a', 'Ada@Example.org', 'x', 2, '2024-01-01 00:00:00Z', 'a', 1, '1815-12-10', null, null, '\\x00ff', 1.5, 0.1),
  (9007199254740993, '00000000-0000-4000-8000-00000000000a', 'bob@example.org', '', 0, null, null, null, null, 1, null, null, -0.5, 1e300), (3, '10000000-0000-4000-8000-00000000000b', 'eve@x.org', '', 0, '2024-01-01 00:00:00.000001Z', 'B', -5, '0099-01-01', 1, 9007199254740993, '', null, 5e-324);
insert into memberships values ('00000000-0000-4000-8000-00000000000a', 1, 1), ('00000000-0000-4000-8000-00000000000a', 9007199254740993, 2);
insert into comments values (1, 'User', 1, 'Hello 100%_\\', 1, '2024-01-01 00:00:00'), (2, 'Order', 2, null, null, '2024-01-02 00:00:00');
insert into "order" ("user", "select", "from", total) values (1, 'a.b', '2024-01-01', 10), (null, null, null, -0.01);
insert into tags values (1, 'red'), (2, 'Blue');
insert into comments_tags values (1, 1), (1, 2);
insert into users_tags values (1, 1), (3, 2);
insert into events values (1, 'click', '2023-05-05 05:05:05Z', '{"a": null}'), (2, 'view', '2024-05-05 05:05:05.5Z', 'null'), (1, 'view', '2024-06-01 00:00:00Z', null);
insert into billing.invoices values ('A/1', '00000000-0000-4000-8000-00000000000a', 9223372036854775807, 'EUR', true, '2024-01-31'), ('A,2', '10000000-0000-4000-8000-00000000000b', 0, 'US ', null, '2024-02-29');
insert into billing.users values (1, 'Bill', 1);
insert into "Sales Order Header" values (1, 'x', 1.50, 'q', 2, 'f', '2024-01-01', 's'), (2, null, null, null, null, null, null, null);
insert into "Sales Order Detail" values (1, 1, 'one'), (1, 2, null);
refresh materialized view account_counts;
`;
