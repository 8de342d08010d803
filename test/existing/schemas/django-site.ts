/**
 * A site as Django creates it on SQLite: `bool` and `datetime` columns, unsigned checks, uuids without dashes, JSON with a
 * check, decimals, durations; and tables as people write them by hand: without types, without rowid, strict, with names
 * that have spaces, quotes and dots.
 */

/** The statements that create and fill the database. */
export const djangoSite = `
create table "django_content_type" ("id" integer not null primary key autoincrement, "app_label" varchar(100) not null, "model" varchar(100) not null);
create table "auth_user" ("id" integer not null primary key autoincrement, "password" varchar(128) not null, "last_login" datetime null, "is_superuser" bool not null, "username" varchar(150) not null unique,
  "first_name" varchar(150) not null, "email" varchar(254) not null, "is_staff" bool not null, "date_joined" datetime not null);
create table "auth_group" ("id" integer not null primary key autoincrement, "name" varchar(150) not null unique);
create table "auth_user_groups" ("id" integer not null primary key autoincrement, "user_id" integer not null references "auth_user" ("id") deferrable initially deferred,
  "group_id" integer not null references "auth_group" ("id") deferrable initially deferred, unique ("user_id", "group_id"));
create table "shop_product" ("id" bigint not null primary key, "uid" char(32) not null, "name" varchar(100) not null collate nocase, "price" decimal not null, "stock" integer unsigned not null,
  "big" bigint unsigned null, "data" text not null, "released" date null, "opens" time null, "took" bigint null, "ratio" real null,
  "photo" blob null, "parent_id" bigint null references "shop_product" ("id") deferrable initially deferred, "total" generated always as ("price" * "stock") virtual);
create table django_session ("session_key" varchar(40) not null primary key, "session_data" text not null, "expire_date" datetime not null);
create table loose (id integer primary key, name, amount, at, flag boolean, n numeric, t timestamp, i int, long_text clob);
create table kv (k text primary key, v) without rowid;
create table pairs (a int, b text, note text, primary key (a, b)) without rowid;
create table exact (id integer primary key, name text not null, score real, data blob, anything any) strict;
create table "Order Details" ("Order ID" integer not null, "Line.No" integer not null, "Unit Price" decimal(10, 2), "say ""hi""" text, "group" text, "a[b]" text, "naïve" text, primary key ("Order ID", "Line.No"));
create table nokey (x text, y text);
create view staff as select id, username from auth_user where is_staff;
insert into "django_content_type" values (1, 'auth', 'user');
insert into "auth_user" values (1, 'x', '2024-01-01 10:00:00.123456', 1, 'ada', 'Ada', 'ada@example.org', 1, '2024-01-01 10:00:00'), (2, 'y', null, 0, 'Bob', '', '', 0, '2023-12-31 23:59:59.999999'), (3, 'z', '2024-01-01 10:00:00', 0, 'çelik', 'Ç', 'c@x.org', 0, '2024-02-29 00:00:00.5');
insert into "auth_group" values (1, 'editors'), (2, 'Readers');
insert into "auth_user_groups" values (1, 1, 1), (2, 1, 2), (3, 3, 2);
insert into "shop_product" (id, uid, name, price, stock, big, data, released, opens, took, ratio, photo, parent_id) values
  (1, '6f1e0b9c3a544c5e9d66000000000001', 'Boot', 99.9, 3, 9223372036854775807, '{"a": [1, 2]}', '2024-01-01', '09:30:00', 86400000000, 0.1, x'00ff', null),
  (2, '6f1e0b9c3a544c5e9d66000000000002', 'cap', 9.5, 0, null, '"text"', null, null, null, null, null, 1), (3, '6f1e0b9c3a544c5e9d66000000000003', 'CAP', 10, 1, 0, 'null', '2024-02-29', null, null, 1e300, x'', 1);
insert into django_session values ('k1', 'd', '2024-01-01 10:00:00');
insert into loose values (1, 'a', 1.5, '2024-01-01', 1, 1, '2024-01-01 00:00:00', 7, 'long'), (2, 3, 'x', 1704067200, 0, 2.5, 1704067200, null, null), (3, null, null, null, null, null, null, null, null), (4, x'00', 9007199254740993, 1.5, 1, 12, 'soon', 7, '4');
insert into kv values ('a', 1), ('b', 'two'), ('C', null);
insert into pairs values (1, 'x', 'one'), (1, 'y', null), (2, 'x', 'two');
insert into exact values (1, 'a', 1.5, x'00', 1), (2, 'b', null, null, 'text');
insert into "Order Details" values (1, 1, 9.5, 'hi', 'g', 'z', 'é'), (1, 2, 10, null, null, null, null), (2, 1, 100.25, 'x', 'h', 'y', 'e');
insert into nokey values ('a', 'b');
`;
