/**
 * A web shop as migrations of PHP frameworks create it on MySQL: unsigned keys, `tinyint(1)`, enums, sets, JSON, both kinds
 * of times, a pivot table, a polymorphic one, soft deletion, reserved words, a collation that ignores case and accents.
 */

const table = 'engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci';
const stamps = 'created_at timestamp null, updated_at timestamp null';

/** The statements that create and fill the database, one by one. */
export const laravelShop: readonly string[] = `
create table users (id bigint unsigned not null auto_increment primary key, name varchar(255) not null, email varchar(255) not null unique, email_verified_at timestamp null,
  is_admin tinyint(1) not null default 0, newsletter tinyint(1), settings json, avatar mediumblob, ip varbinary(16), remember_token varchar(100), ${stamps}, deleted_at timestamp null) ${table};
create table categories (id int unsigned not null auto_increment primary key, parent_id int unsigned, name varchar(80) not null, \`order\` int not null default 0, key (parent_id),
  foreign key (parent_id) references categories (id) on delete set null) ${table};
create table products (id bigint unsigned not null auto_increment primary key, sku char(12) not null unique, name varchar(255) not null, description longtext, price decimal(10,2) unsigned not null,
  tax double not null default 0, rating float, state enum('draft','active','sold out') not null default 'draft', flags set('new','sale','featured'), stock int unsigned not null default 0,
  weight mediumint unsigned, views bigint unsigned not null default 0, made year, available_from date, opens time, uid char(36), bits bit(8), spot point, \`group\` varchar(20), \`select\` tinyint,
  shown_at datetime(6), fulltext key (name), ${stamps}) ${table};
create table category_product (category_id int unsigned not null, product_id bigint unsigned not null, primary key (category_id, product_id),
  foreign key (category_id) references categories (id) on delete cascade, foreign key (product_id) references products (id) on delete cascade) ${table};
create table orders (id bigint unsigned not null auto_increment primary key, user_id bigint unsigned, number varchar(30) not null unique, status tinyint unsigned not null default 0,
  total decimal(14,4) not null, placed_at datetime not null, due date, meta json, ${stamps}, foreign key (user_id) references users (id)) ${table};
create table order_items (order_id bigint unsigned not null, line smallint unsigned not null, product_id bigint unsigned not null, quantity int unsigned not null, price decimal(10,2) not null,
  primary key (order_id, line), foreign key (order_id) references orders (id), foreign key (product_id) references products (id)) ${table};
create table shipments (id binary(16) not null primary key, order_id bigint unsigned not null, line smallint unsigned not null, sent_at timestamp(3) null,
  foreign key (order_id, line) references order_items (order_id, line)) ${table};
create table tags (id int unsigned not null auto_increment primary key, name varchar(50) character set utf8mb4 collate utf8mb4_bin not null) ${table};
create table taggables (tag_id int unsigned not null, taggable_id bigint unsigned not null, taggable_type varchar(100) not null, primary key (tag_id, taggable_id, taggable_type),
  foreign key (tag_id) references tags (id)) ${table};
create table jobs (id bigint unsigned not null auto_increment primary key, queue varchar(100) not null, payload longtext not null, attempts tinyint unsigned not null, reserved_at int unsigned) ${table};
create table failed_log (message text not null, at timestamp not null default current_timestamp) ${table};
create table \`Order Details\` (\`Order ID\` int not null, \`Line.No\` int not null, \`Unit Price\` decimal(8,2), \`it's\` text, primary key (\`Order ID\`, \`Line.No\`)) ${table};
create view order_totals as select o.id, o.number, sum(i.price * i.quantity) as total from orders o join order_items i on i.order_id = o.id group by o.id, o.number;
insert into users (id, name, email, email_verified_at, is_admin, newsletter, settings, avatar, ip, created_at, deleted_at) values
  (1, 'Ada', 'ada@example.org', '2024-01-02 03:04:05', 1, null, '{"theme": "dark", "n": 1.50}', x'00ff', inet6_aton('10.0.0.1'), '2024-01-01 00:00:00', null),
  (2, 'José', 'jose@example.org', null, 0, 1, '[]', null, null, '2024-02-29 23:59:59', null), (3, 'jose', 'JOSE2@example.org', null, 0, 0, null, '', null, null, '2024-03-01 00:00:00'),
  (18446744073709551615, 'Zoë ', 'zoe@example.org', null, 0, null, 'null', null, null, '2024-02-29 23:59:59', null);
insert into categories values (1, null, 'All', 0), (2, 1, 'Shoes', 2), (3, 1, 'Hats', 1);
insert into products (id, sku, name, description, price, tax, rating, state, flags, stock, weight, views, made, available_from, opens, uid, bits, spot, \`group\`, \`select\`, shown_at, created_at) values
  (1, 'S-1', 'Boot', 'A "boot", 100% leather', 99.90, 0.19, 4.5, 'active', 'new,sale', 4294967295, 1200, 0, 2024, '2024-01-01', '09:30:00', '6f1e0b9c-3a54-4c5e-9d66-000000000001', b'101', st_geomfromtext('point(1 2)'), 'a', 1, '2024-01-01 10:00:00.123456', '2024-01-01 00:00:00'),
  (2, 'H-1', 'Cap', null, 9.50, 0.07, null, 'draft', '', 0, null, 18446744073709551615, null, null, '-01:00:00', null, null, null, null, 0, '2024-01-01 10:00:00.123457', null),
  (3, 'H-2', 'Top hat', 'ÉTÉ', 0.00, 0, 0.1, 'sold out', 'featured', 7, 16777215, 9223372036854775808, 1901, '9999-12-31', '838:59:59', '6F1E0B9C-3A54-4C5E-9D66-000000000002', b'11111111', null, 'B', -1, null, null);
insert into category_product values (1, 1), (2, 1), (3, 2), (3, 3), (1, 3);
insert into orders values (1, 1, 'A-1', 255, 109.4000, '2024-03-01 12:00:00', '2024-03-31', '{"gift": true}', null, null), (2, 2, 'A-2', 1, 9.5000, '2024-03-02 00:00:00', null, null, '2024-03-02 00:00:00', null), (4, 18446744073709551615, 'C-1', 0, 1, '2024-03-03 00:00:00', null, null, null, null), (3, null, 'B-1', 0, -1.2500, '2024-03-02 23:59:59', null, '{}', null, null);
insert into order_items values (1, 1, 1, 1, 99.90), (1, 2, 2, 1, 9.50), (2, 1, 2, 1, 9.50);
insert into shipments values (x'0102030405060708090a0b0c0d0e0f10', 1, 1, '2024-03-05 08:00:00.123'), (x'ff02030405060708090a0b0c0d0e0f10', 1, 2, null);
insert into tags values (1, 'Red'), (2, 'red'), (3, 'blue');
insert into taggables values (1, 1, 'App\\\\Models\\\\Product'), (2, 1, 'App\\\\Models\\\\Product'), (3, 1, 'App\\\\Models\\\\User');
insert into jobs values (1, 'default', '{"a":1}', 0, null), (2, 'mail', 'x', 3, 4294967295);
insert into \`Order Details\` values (1, 1, 1.50, 'a'), (1, 2, null, null);
insert into failed_log values ('x', '2024-01-01 00:00:00')`
  .split(';\n')
  .map((statement) => statement.trim());
