/** Northwind: the tables of a trading company, as they are known on PostgreSQL, and a view, with a few rows. */

/** The statements that create and fill the database. */
export const northwind = `
create table categories (category_id smallint not null primary key, category_name varchar(15) not null, description text, picture bytea);
create table customer_demographics (customer_type_id varchar(5) not null primary key, customer_desc text);
create table customers (customer_id varchar(5) not null primary key, company_name varchar(40) not null, contact_name varchar(30), contact_title varchar(30), address varchar(60),
  city varchar(15), region varchar(15), postal_code varchar(10), country varchar(15), phone varchar(24), fax varchar(24));
create table customer_customer_demo (customer_id varchar(5) not null references customers, customer_type_id varchar(5) not null references customer_demographics, primary key (customer_id, customer_type_id));
create table employees (employee_id smallint not null primary key, last_name varchar(20) not null, first_name varchar(10) not null, title varchar(30), title_of_courtesy varchar(25),
  birth_date date, hire_date date, address varchar(60), city varchar(15), region varchar(15), postal_code varchar(10), country varchar(15), home_phone varchar(24), extension varchar(4),
  photo bytea, notes text, reports_to smallint references employees, photo_path varchar(255));
create table suppliers (supplier_id smallint not null primary key, company_name varchar(40) not null, contact_name varchar(30), city varchar(15), country varchar(15), homepage text);
create table products (product_id smallint not null primary key, product_name varchar(40) not null, supplier_id smallint references suppliers, category_id smallint references categories,
  quantity_per_unit varchar(20), unit_price real, units_in_stock smallint, units_on_order smallint, reorder_level smallint, discontinued integer not null);
create table region (region_id smallint not null primary key, region_description varchar(60) not null);
create table shippers (shipper_id smallint not null primary key, company_name varchar(40) not null, phone varchar(24));
create table orders (order_id smallint not null primary key, customer_id varchar(5) references customers, employee_id smallint references employees, order_date date, required_date date,
  shipped_date date, ship_via smallint references shippers, freight real, ship_name varchar(40), ship_address varchar(60), ship_city varchar(15), ship_region varchar(15),
  ship_postal_code varchar(10), ship_country varchar(15));
create table territories (territory_id varchar(20) not null primary key, territory_description varchar(60) not null, region_id smallint not null references region);
create table employee_territories (employee_id smallint not null references employees, territory_id varchar(20) not null references territories, primary key (employee_id, territory_id));
create table order_details (order_id smallint not null references orders, product_id smallint not null references products, unit_price real not null, quantity smallint not null,
  discount real not null, primary key (order_id, product_id));
create table us_states (state_id smallint not null primary key, state_name varchar(100), state_abbr varchar(2), state_region varchar(50));
create view current_products as select product_id, product_name, unit_price from products where discontinued = 0;
insert into categories values (1, 'Beverages', 'Soft drinks, coffees, teas, beers, and ales', '\\x0102'), (2, 'Condiments', 'Sweet and savory sauces', '\\x');
insert into customers (customer_id, company_name, contact_name, city, region, country) values ('ALFKI', 'Alfreds Futterkiste', 'Maria Anders', 'Berlin', null, 'Germany'),
  ('ANATR', 'Ana Trujillo Emparedados y helados', 'Ana Trujillo', 'México D.F.', null, 'Mexico'), ('BOTTM', 'Bottom-Dollar Markets', 'Elizabeth Lincoln', 'Tsawassen', 'BC', 'Canada');
insert into customer_demographics values ('big', 'Large'), ('old', null);
insert into customer_customer_demo values ('ALFKI', 'big'), ('ALFKI', 'old'), ('BOTTM', 'old');
insert into employees (employee_id, last_name, first_name, title, birth_date, hire_date, city, country, reports_to, photo) values
  (2, 'Fuller', 'Andrew', 'Vice President, Sales', '1952-02-19', '1992-08-14', 'Tacoma', 'USA', null, '\\x'), (1, 'Davolio', 'Nancy', 'Sales Representative', '1948-12-08', '1992-05-01', 'Seattle', 'USA', 2, null),
  (5, 'Buchanan', 'Steven', 'Sales Manager', '1955-03-04', '1993-10-17', 'London', 'UK', 2, null);
insert into suppliers values (1, 'Exotic Liquids', 'Charlotte Cooper', 'London', 'UK', null), (2, 'New Orleans Cajun Delights', 'Shelley Burke', 'New Orleans', 'USA', '#CAJUN.HTM#');
insert into products values (1, 'Chai', 1, 1, '10 boxes x 30 bags', 18, 39, 0, 10, 1), (2, 'Chang', 1, 1, '24 - 12 oz bottles', 19, 17, 40, 25, 0),
  (3, 'Aniseed Syrup', 1, 2, '12 - 550 ml bottles', 10.5, 13, 70, 25, 0), (4, 'Chef Anton''s Gumbo Mix', 2, 2, '36 boxes', 21.35, 0, 0, 0, 1), (5, 'Nothing', null, null, null, null, null, null, null, 0);
insert into region values (1, 'Eastern'), (2, 'Western');
insert into shippers values (1, 'Speedy Express', '(503) 555-9831'), (2, 'United Package', null);
insert into orders (order_id, customer_id, employee_id, order_date, required_date, shipped_date, ship_via, freight, ship_country) values
  (10248, 'ALFKI', 5, '1996-07-04', '1996-08-01', '1996-07-16', 1, 32.38, 'Germany'), (10249, 'ANATR', 1, '1996-07-05', '1996-08-16', null, 2, 11.61, 'Mexico'), (10250, null, null, null, null, null, null, null, null);
insert into territories values ('01581', 'Westboro', 1), ('98004', 'Bellevue', 2);
insert into employee_territories values (1, '01581'), (2, '01581'), (2, '98004');
insert into order_details values (10248, 1, 14, 12, 0), (10248, 2, 9.8, 10, 0.15), (10249, 3, 34.8, 5, 0);
insert into us_states values (1, 'Alabama', 'AL', 'south'), (2, 'Alaska', 'AK', 'north');
`;
