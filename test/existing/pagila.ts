/**
 * Pagila: a shop that rents films, with what its script for PostgreSQL creates: an enum, a domain, an array, a tsvector,
 * bytes, composite keys, a partitioned table, a cycle of references, views, a materialised view, a function, an aggregate
 * and a trigger; and with a few rows.
 */

const updated = 'last_update timestamptz not null default now()';

const tables = `
create type mpaa_rating as enum ('G', 'PG', 'PG-13', 'R', 'NC-17');
create domain year as integer check (value >= 1901 and value <= 2155);
create function _group_concat(text, text) returns text immutable language sql as $$ select case when $2 is null then $1 when $1 is null then $2 else $1 || ', ' || $2 end $$;
create aggregate group_concat(text) (sfunc = _group_concat, stype = text);
create function last_updated() returns trigger language plpgsql as $$ begin new.last_update = current_timestamp; return new; end $$;
create table country (country_id serial primary key, country text not null, ${updated});
create table city (city_id serial primary key, city text not null, country_id integer not null references country, ${updated});
create table address (address_id serial primary key, address text not null, address2 text, district text not null, city_id integer not null references city,
  postal_code text, phone text not null, ${updated});
create table language (language_id serial primary key, name character(20) not null, ${updated});
create table category (category_id serial primary key, name text not null, ${updated});
create table actor (actor_id serial primary key, first_name text not null, last_name text not null, ${updated});
create table film (
  film_id serial primary key, title text not null, description text, release_year year,
  language_id integer not null references language, original_language_id integer references language, rental_duration smallint not null default 3,
  rental_rate numeric(4, 2) not null default 4.99, length smallint, replacement_cost numeric(5, 2) not null default 19.99, rating mpaa_rating default 'G',
  ${updated}, special_features text[], fulltext tsvector not null, revenue_projection numeric(5, 2) generated always as (rental_duration * rental_rate) stored);
create table film_actor (actor_id integer not null references actor, film_id integer not null references film, ${updated}, primary key (actor_id, film_id));
create table film_category (film_id integer not null references film, category_id integer not null references category, ${updated}, primary key (film_id, category_id));
create table staff (staff_id serial primary key, first_name text not null, last_name text not null, address_id integer not null references address, email text,
  store_id integer not null, active boolean not null default true, username text not null, password text, ${updated}, picture bytea);
create table store (store_id serial primary key, manager_staff_id integer not null, address_id integer not null references address, ${updated});
create table customer (customer_id serial primary key, store_id integer not null references store, first_name text not null, last_name text not null, email text,
  address_id integer not null references address, activebool boolean not null default true, create_date date not null default current_date, last_update timestamptz default now(), active integer);
create table inventory (inventory_id serial primary key, film_id integer not null references film, store_id integer not null references store, ${updated});
create table rental (rental_id serial primary key, rental_date timestamptz not null, inventory_id integer not null references inventory, customer_id integer not null references customer,
  return_date timestamptz, staff_id integer not null references staff, ${updated});
create table payment (payment_id serial not null, customer_id integer not null references customer, staff_id integer not null references staff, rental_id integer not null references rental,
  amount numeric(5, 2) not null, payment_date timestamptz not null, primary key (payment_date, payment_id)) partition by range (payment_date);
create table payment_p2022_01 partition of payment for values from ('2022-01-01 00:00:00+00') to ('2022-02-01 00:00:00+00');
create table payment_p2022_02 partition of payment for values from ('2022-02-01 00:00:00+00') to ('2022-03-01 00:00:00+00');
create index film_fulltext_idx on film using gist (fulltext);
create index idx_title on film (title);
create unique index idx_unq_rental on rental (rental_date, inventory_id, customer_id);
create trigger last_updated before update on film for each row execute function last_updated();
`;

const views = `
create view film_list as select film.film_id as fid, film.title, film.description, category.name as category, film.rental_rate as price, film.length, film.rating,
  group_concat(actor.first_name || ' ' || actor.last_name) as actors from film left join film_category using (film_id) left join category using (category_id)
  left join film_actor on film_actor.film_id = film.film_id left join actor using (actor_id)
  group by film.film_id, film.title, film.description, category.name, film.rental_rate, film.length, film.rating;
create view staff_list as select s.staff_id as id, s.first_name || ' ' || s.last_name as name, a.address, a.postal_code as "zip code", city.city, country.country, s.store_id as sid
  from staff s join address a using (address_id) join city using (city_id) join country using (country_id);
create view sales_by_film_category as select c.name as category, sum(p.amount) as total_sales from payment p join rental r using (rental_id) join inventory i using (inventory_id)
  join film_category using (film_id) join category c using (category_id) group by c.name;
create materialized view film_counts as select rating, count(*) as films from film group by rating;
`;

const at = '2022-02-15 10:02:19Z';

const rows = `
set timezone to 'UTC';
insert into country values (1, 'Canada', '${at}'), (2, 'Australia', '${at}');
insert into city values (1, 'Lethbridge', 1, '${at}'), (2, 'Woodridge', 2, '${at}');
insert into address values (1, '47 MySakila Drive', null, 'Alberta', 1, null, '', '${at}'), (2, '28 MySQL Boulevard', null, 'QLD', 2, '', '', '${at}'), (3, '23 Workhaven Lane', '', 'Alberta', 1, '35200', '14033335568', '${at}');
insert into language values (1, 'English', '${at}'), (2, 'Italian', '${at}');
insert into category values (1, 'Action', '${at}'), (2, 'Animation', '${at}'), (3, 'Documentary', '${at}');
insert into film (film_id, title, release_year, language_id, rental_rate, length, rating, last_update, special_features, fulltext) values
  (1, 'ACADEMY DINOSAUR', 2006, 1, 0.99, 86, 'PG', '${at}', '{"Deleted Scenes","Behind the Scenes"}', to_tsvector('english', 'academy dinosaur')),
  (2, 'ACE GOLDFINGER', 2006, 1, 4.99, 48, 'G', '${at}', '{Trailers}', to_tsvector('english', 'ace goldfinger')),
  (3, 'Adaptation Holes', 2007, 2, 2.99, 50, 'NC-17', '${at}', null, to_tsvector('english', 'adaptation holes')),
  (4, 'AFFAIR PREJUDICE', 2006, 1, 2.99, null, null, '${at}', '{}', to_tsvector('english', 'affair prejudice'));
insert into actor values (1, 'PENELOPE', 'GUINESS', '${at}'), (2, 'Nick', 'Wahlberg', '${at}');
insert into film_actor values (1, 1, '${at}'), (1, 3, '${at}'), (2, 3, '${at}');
insert into film_category values (1, 3, '${at}'), (2, 1, '${at}'), (3, 1, '${at}');
insert into staff values (1, 'Mike', 'Hillyer', 1, 'Mike.Hillyer@sakilastaff.com', 1, true, 'Mike', '8cb2237d', '${at}', '\\x89504e47'), (2, 'Jon', 'Stephens', 2, null, 2, false, 'Jon', null, '${at}', null);
insert into store values (1, 1, 1, '${at}'), (2, 2, 2, '${at}');
alter table staff add foreign key (store_id) references store;
alter table store add foreign key (manager_staff_id) references staff;
insert into customer values (1, 1, 'MARY', 'SMITH', 'MARY.SMITH@sakilacustomer.org', 3, true, '2022-02-14', '${at}', 1), (2, 2, 'Patricia', 'Johnson', null, 2, false, '2022-02-15', null, null);
insert into inventory values (1, 1, 1, '${at}'), (2, 2, 2, '${at}'), (3, 3, 2, '${at}');
insert into rental values (1, '2022-01-24 21:53:30Z', 1, 1, '2022-01-26 22:04:30Z', 1, '${at}'), (2, '2022-02-01 00:00:00.123Z', 2, 2, null, 2, '${at}'), (3, '2022-02-03 12:00:00Z', 3, 1, null, 1, '${at}');
insert into payment values (1, 1, 1, 1, 2.99, '2022-01-25 21:40:19.5Z'), (2, 2, 2, 2, 0.99, '2022-02-01 00:00:00Z'), (3, 1, 1, 3, 5.99, '2022-02-28 23:59:59.999Z');
refresh materialized view film_counts;
`;

/** The statements that create and fill the database. */
export const pagila = tables + views + rows;
