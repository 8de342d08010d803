/**
 * Sakila: the shop that rents films as its script creates it on MySQL: small unsigned keys, a set, an enum, a year, a
 * geometry, tables that refer to each other, a full text table, views; and a few rows.
 */

const updated =
  'last_update timestamp not null default current_timestamp on update current_timestamp';

/** The statements that create and fill the database, one by one. */
export const sakila: readonly string[] = `
create table actor (actor_id smallint unsigned not null auto_increment primary key, first_name varchar(45) not null, last_name varchar(45) not null, ${updated}, key idx_actor_last_name (last_name));
create table country (country_id smallint unsigned not null auto_increment primary key, country varchar(50) not null, ${updated});
create table city (city_id smallint unsigned not null auto_increment primary key, city varchar(50) not null, country_id smallint unsigned not null, ${updated}, constraint fk_city_country foreign key (country_id) references country (country_id));
create table address (address_id smallint unsigned not null auto_increment primary key, address varchar(50) not null, address2 varchar(50) default null, district varchar(20) not null, city_id smallint unsigned not null,
  postal_code varchar(10) default null, phone varchar(20) not null, location geometry not null, ${updated}, constraint fk_address_city foreign key (city_id) references city (city_id));
create table category (category_id tinyint unsigned not null auto_increment primary key, name varchar(25) not null, ${updated});
create table language (language_id tinyint unsigned not null auto_increment primary key, name char(20) not null, ${updated});
create table film (film_id smallint unsigned not null auto_increment primary key, title varchar(128) not null, description text, release_year year default null, language_id tinyint unsigned not null,
  original_language_id tinyint unsigned default null, rental_duration tinyint unsigned not null default 3, rental_rate decimal(4,2) not null default 4.99, length smallint unsigned default null,
  replacement_cost decimal(5,2) not null default 19.99, rating enum('G','PG','PG-13','R','NC-17') default 'G', special_features set('Trailers','Commentaries','Deleted Scenes','Behind the Scenes') default null, ${updated},
  constraint fk_film_language foreign key (language_id) references language (language_id), constraint fk_film_language_original foreign key (original_language_id) references language (language_id));
create table film_actor (actor_id smallint unsigned not null, film_id smallint unsigned not null, ${updated}, primary key (actor_id, film_id),
  constraint fk_film_actor_actor foreign key (actor_id) references actor (actor_id), constraint fk_film_actor_film foreign key (film_id) references film (film_id));
create table film_category (film_id smallint unsigned not null, category_id tinyint unsigned not null, ${updated}, primary key (film_id, category_id),
  constraint fk_film_category_film foreign key (film_id) references film (film_id), constraint fk_film_category_category foreign key (category_id) references category (category_id));
create table film_text (film_id smallint unsigned not null primary key, title varchar(255) not null, description text, fulltext key idx_title_description (title, description));
create table store (store_id tinyint unsigned not null auto_increment primary key, manager_staff_id tinyint unsigned not null, address_id smallint unsigned not null, ${updated},
  constraint fk_store_address foreign key (address_id) references address (address_id));
create table staff (staff_id tinyint unsigned not null auto_increment primary key, first_name varchar(45) not null, last_name varchar(45) not null, address_id smallint unsigned not null, picture blob default null, email varchar(50) default null,
  store_id tinyint unsigned not null, active boolean not null default true, username varchar(16) not null, password varchar(40) character set utf8mb4 collate utf8mb4_bin default null, ${updated},
  constraint fk_staff_store foreign key (store_id) references store (store_id), constraint fk_staff_address foreign key (address_id) references address (address_id));
create table customer (customer_id smallint unsigned not null auto_increment primary key, store_id tinyint unsigned not null, first_name varchar(45) not null, last_name varchar(45) not null, email varchar(50) default null,
  address_id smallint unsigned not null, active boolean not null default true, create_date datetime not null, last_update timestamp default current_timestamp on update current_timestamp,
  constraint fk_customer_address foreign key (address_id) references address (address_id), constraint fk_customer_store foreign key (store_id) references store (store_id));
create table inventory (inventory_id mediumint unsigned not null auto_increment primary key, film_id smallint unsigned not null, store_id tinyint unsigned not null, ${updated},
  constraint fk_inventory_store foreign key (store_id) references store (store_id), constraint fk_inventory_film foreign key (film_id) references film (film_id));
create table rental (rental_id int not null auto_increment primary key, rental_date datetime not null, inventory_id mediumint unsigned not null, customer_id smallint unsigned not null, return_date datetime default null,
  staff_id tinyint unsigned not null, ${updated}, unique key (rental_date, inventory_id, customer_id), constraint fk_rental_staff foreign key (staff_id) references staff (staff_id),
  constraint fk_rental_inventory foreign key (inventory_id) references inventory (inventory_id), constraint fk_rental_customer foreign key (customer_id) references customer (customer_id));
create table payment (payment_id smallint unsigned not null auto_increment primary key, customer_id smallint unsigned not null, staff_id tinyint unsigned not null, rental_id int default null, amount decimal(5,2) not null,
  payment_date datetime not null, last_update timestamp default current_timestamp on update current_timestamp, constraint fk_payment_rental foreign key (rental_id) references rental (rental_id) on delete set null,
  constraint fk_payment_customer foreign key (customer_id) references customer (customer_id), constraint fk_payment_staff foreign key (staff_id) references staff (staff_id));
create view film_list as select film.film_id as fid, film.title as title, category.name as category, film.rental_rate as price, film.rating as rating from film left join film_category on film_category.film_id = film.film_id left join category on category.category_id = film_category.category_id;
alter table store add constraint fk_store_staff foreign key (manager_staff_id) references staff (staff_id);
insert into actor values (1, 'PENELOPE', 'GUINESS', '2006-02-15 04:34:33'), (2, 'NICK', 'WAHLBERG', '2006-02-15 04:34:33'), (3, 'ED', 'CHASE', '2006-02-15 04:34:34');
insert into country values (1, 'Canada', '2006-02-15 04:44:00'), (2, 'Réunion', '2006-02-15 04:44:00');
insert into city values (1, 'Lethbridge', 1, '2006-02-15 04:45:25'), (2, 'Saint-Denis', 2, '2006-02-15 04:45:25');
insert into address values (1, '47 MySakila Drive', null, 'Alberta', 1, '', '', st_geomfromtext('point(-112.8 49.7)'), '2014-09-25 22:30:27'), (2, '28 MySQL Boulevard', '', 'QLD', 2, null, '6172235589', st_geomfromtext('point(1 2)'), '2014-09-25 22:30:09');
insert into category values (1, 'Action', '2006-02-15 04:46:27'), (2, 'Animation', '2006-02-15 04:46:27');
insert into language values (1, 'English', '2006-02-15 05:02:19'), (2, 'Italian', '2006-02-15 05:02:19');
insert into film values (1, 'ACADEMY DINOSAUR', 'A Epic Drama', 2006, 1, null, 6, 0.99, 86, 20.99, 'PG', 'Deleted Scenes,Behind the Scenes', '2006-02-15 05:03:42'), (2, 'ACE GOLDFINGER', null, 2006, 1, 2, 3, 4.99, 48, 12.99, 'G', 'Trailers', '2006-02-15 05:03:42'),
  (3, 'ADAPTATION HOLES', 'A Astounding', null, 2, null, 7, 2.99, null, 18.99, 'NC-17', null, '2006-02-15 05:03:43'), (4, 'Zorro', '', 2155, 2, 1, 255, 99.99, 65535, 999.99, null, '', '2006-02-15 05:03:43');
insert into film_actor values (1, 1, '2006-02-15 05:05:03'), (1, 2, '2006-02-15 05:05:03'), (2, 1, '2006-02-15 05:05:03'), (3, 4, '2006-02-15 05:05:03');
insert into film_category values (1, 1, '2006-02-15 05:07:09'), (2, 2, '2006-02-15 05:07:09'), (3, 1, '2006-02-15 05:07:09');
insert into film_text values (1, 'ACADEMY DINOSAUR', 'A Epic Drama'), (2, 'ACE GOLDFINGER', null);
set foreign_key_checks = 0;
insert into store values (1, 1, 1, '2006-02-15 04:57:12'), (2, 2, 2, '2006-02-15 04:57:12');
insert into staff values (1, 'Mike', 'Hillyer', 1, x'89504e47', 'Mike.Hillyer@sakilastaff.com', 1, 1, 'Mike', '8cb2237d0679ca88db6464eac60da96345513964', '2006-02-15 03:57:16'), (2, 'Jon', 'Stephens', 2, null, null, 2, 0, 'Jon', null, '2006-02-15 03:57:16');
set foreign_key_checks = 1;
insert into customer values (1, 1, 'MARY', 'SMITH', 'MARY.SMITH@sakilacustomer.org', 1, 1, '2006-02-14 22:04:36', '2006-02-15 04:57:20'), (2, 2, 'PATRICIA', 'JOHNSON', null, 2, 0, '2006-02-14 22:04:36', null);
insert into inventory values (1, 1, 1, '2006-02-15 05:09:17'), (2, 2, 2, '2006-02-15 05:09:17');
insert into rental values (1, '2005-05-24 22:53:30', 1, 1, '2005-05-26 22:04:30', 1, '2006-02-15 21:30:53'), (2, '2005-05-24 22:54:33', 2, 2, null, 2, '2006-02-15 21:30:53');
insert into payment values (1, 1, 1, 1, 2.99, '2005-05-25 11:30:37', '2006-02-15 22:12:30'), (2, 2, 2, null, 0.00, '2005-05-28 10:35:23', null)`
  .split(';\n')
  .map((statement) => statement.trim());
