/** Chinook: the tables of a music shop, as its scripts for SQLite and PostgreSQL create them, with a few rows. */

import type { DatabaseFamily } from '../../src/index.ts';

const tables = `
create table "Artist" ("ArtistId" INTEGER not null, "Name" NVARCHAR(120), constraint "PK_Artist" primary key ("ArtistId"));
create table "Album" ("AlbumId" INTEGER not null, "Title" NVARCHAR(160) not null, "ArtistId" INTEGER not null,
  constraint "PK_Album" primary key ("AlbumId"), foreign key ("ArtistId") references "Artist" ("ArtistId") on delete no action on update no action);
create table "Employee" ("EmployeeId" INTEGER not null, "LastName" NVARCHAR(20) not null, "FirstName" NVARCHAR(20) not null, "Title" NVARCHAR(30),
  "ReportsTo" INTEGER, "BirthDate" DATETIME, "HireDate" DATETIME, "Address" NVARCHAR(70), "City" NVARCHAR(40), "State" NVARCHAR(40), "Country" NVARCHAR(40),
  "PostalCode" NVARCHAR(10), "Phone" NVARCHAR(24), "Fax" NVARCHAR(24), "Email" NVARCHAR(60),
  constraint "PK_Employee" primary key ("EmployeeId"), foreign key ("ReportsTo") references "Employee" ("EmployeeId") on delete no action on update no action);
create table "Customer" ("CustomerId" INTEGER not null, "FirstName" NVARCHAR(40) not null, "LastName" NVARCHAR(20) not null, "Company" NVARCHAR(80),
  "Address" NVARCHAR(70), "City" NVARCHAR(40), "State" NVARCHAR(40), "Country" NVARCHAR(40), "PostalCode" NVARCHAR(10), "Phone" NVARCHAR(24), "Fax" NVARCHAR(24),
  "Email" NVARCHAR(60) not null, "SupportRepId" INTEGER,
  constraint "PK_Customer" primary key ("CustomerId"), foreign key ("SupportRepId") references "Employee" ("EmployeeId") on delete no action on update no action);
create table "Genre" ("GenreId" INTEGER not null, "Name" NVARCHAR(120), constraint "PK_Genre" primary key ("GenreId"));
create table "MediaType" ("MediaTypeId" INTEGER not null, "Name" NVARCHAR(120), constraint "PK_MediaType" primary key ("MediaTypeId"));
create table "Track" ("TrackId" INTEGER not null, "Name" NVARCHAR(200) not null, "AlbumId" INTEGER, "MediaTypeId" INTEGER not null, "GenreId" INTEGER,
  "Composer" NVARCHAR(220), "Milliseconds" INTEGER not null, "Bytes" INTEGER, "UnitPrice" NUMERIC(10,2) not null,
  constraint "PK_Track" primary key ("TrackId"), foreign key ("AlbumId") references "Album" ("AlbumId") on delete no action on update no action,
  foreign key ("GenreId") references "Genre" ("GenreId") on delete no action on update no action,
  foreign key ("MediaTypeId") references "MediaType" ("MediaTypeId") on delete no action on update no action);
create table "Invoice" ("InvoiceId" INTEGER not null, "CustomerId" INTEGER not null, "InvoiceDate" DATETIME not null, "BillingAddress" NVARCHAR(70),
  "BillingCity" NVARCHAR(40), "BillingState" NVARCHAR(40), "BillingCountry" NVARCHAR(40), "BillingPostalCode" NVARCHAR(10), "Total" NUMERIC(10,2) not null,
  constraint "PK_Invoice" primary key ("InvoiceId"), foreign key ("CustomerId") references "Customer" ("CustomerId") on delete no action on update no action);
create table "InvoiceLine" ("InvoiceLineId" INTEGER not null, "InvoiceId" INTEGER not null, "TrackId" INTEGER not null, "UnitPrice" NUMERIC(10,2) not null, "Quantity" INTEGER not null,
  constraint "PK_InvoiceLine" primary key ("InvoiceLineId"), foreign key ("InvoiceId") references "Invoice" ("InvoiceId") on delete no action on update no action,
  foreign key ("TrackId") references "Track" ("TrackId") on delete no action on update no action);
create table "Playlist" ("PlaylistId" INTEGER not null, "Name" NVARCHAR(120), constraint "PK_Playlist" primary key ("PlaylistId"));
create table "PlaylistTrack" ("PlaylistId" INTEGER not null, "TrackId" INTEGER not null, constraint "PK_PlaylistTrack" primary key ("PlaylistId", "TrackId"),
  foreign key ("PlaylistId") references "Playlist" ("PlaylistId") on delete no action on update no action,
  foreign key ("TrackId") references "Track" ("TrackId") on delete no action on update no action);
create index "IFK_AlbumArtistId" on "Album" ("ArtistId");
create index "IFK_TrackAlbumId" on "Track" ("AlbumId");
`;

const rows = `
insert into "Artist" values (1, 'AC/DC'), (2, 'Accept'), (3, 'Aerosmith'), (4, 'Antônio Carlos Jobim'), (5, null);
insert into "Album" values (1, 'For Those About To Rock We Salute You', 1), (2, 'Balls to the Wall', 2), (3, 'Restless and Wild', 2), (4, 'Let There Be Rock', 1), (5, 'Big Ones', 3);
insert into "Employee" ("EmployeeId", "LastName", "FirstName", "Title", "ReportsTo", "BirthDate", "HireDate", "City", "Country") values
  (1, 'Adams', 'Andrew', 'General Manager', null, '1962-02-18 00:00:00', '2002-08-14 00:00:00', 'Edmonton', 'Canada'),
  (2, 'Edwards', 'Nancy', 'Sales Manager', 1, '1958-12-08 00:00:00', '2002-05-01 00:00:00', 'Calgary', 'Canada'),
  (3, 'Peacock', 'Jane', 'Sales Support Agent', 2, '1973-08-29 00:00:00', '2002-04-01 00:00:00', 'Calgary', 'Canada');
insert into "Customer" ("CustomerId", "FirstName", "LastName", "Company", "City", "State", "Country", "Email", "SupportRepId") values
  (1, 'Luís', 'Gonçalves', 'Embraer', 'São José dos Campos', 'SP', 'Brazil', 'luisg@embraer.com.br', 3),
  (2, 'Leonie', 'Köhler', null, 'Stuttgart', null, 'Germany', 'leonekohler@surfeu.de', 3),
  (3, 'François', 'Tremblay', null, 'Montréal', 'QC', 'Canada', 'ftremblay@gmail.com', null);
insert into "Genre" values (1, 'Rock'), (2, 'Jazz'), (3, 'Metal');
insert into "MediaType" values (1, 'MPEG audio file'), (2, 'Protected AAC audio file');
insert into "Track" values
  (1, 'For Those About To Rock (We Salute You)', 1, 1, 1, 'Angus Young, Malcolm Young, Brian Johnson', 343719, 11170334, 0.99),
  (2, 'Balls to the Wall', 2, 2, 1, null, 342562, 5510424, 0.99),
  (3, 'Fast As a Shark', 3, 2, 1, 'F. Baltes, S. Kaufman, U. Dirkscneider & W. Hoffman', 230619, 3990994, 0.99),
  (4, 'Restless and Wild', 3, 2, 3, null, 252051, 4331779, 1.99),
  (5, 'Walk On Water', 5, 1, 1, 'Steven Tyler, Joe Perry', 295680, null, 0.99),
  (6, '100% Jazz', null, 1, 2, null, 1000, 1, 1.99);
insert into "Invoice" ("InvoiceId", "CustomerId", "InvoiceDate", "BillingCity", "BillingCountry", "Total") values
  (1, 2, '2021-01-01 00:00:00', 'Stuttgart', 'Germany', 1.98), (2, 1, '2021-01-02 10:30:00', 'São José dos Campos', 'Brazil', 3.96),
  (3, 1, '2021-12-31 23:59:59', 'São José dos Campos', 'Brazil', 0.99);
insert into "InvoiceLine" values (1, 1, 2, 0.99, 1), (2, 1, 4, 0.99, 1), (3, 2, 4, 1.99, 1), (4, 2, 6, 1.97, 1), (5, 3, 1, 0.99, 1);
insert into "Playlist" values (1, 'Music'), (2, 'Movies'), (3, null);
insert into "PlaylistTrack" values (1, 1), (1, 2), (1, 3), (1, 6), (3, 6);
`;

/** A name in the style of Chinook's scripts for PostgreSQL. */
const snake = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();

/** The statements that create and fill the database. */
export function chinook(family: DatabaseFamily): string {
  if (family === 'sqlite') return tables + rows;
  return (tables + rows)
    .replaceAll(/"(\w+)"/g, (_, name: string) => snake(name))
    .replaceAll('NVARCHAR', 'varchar')
    .replaceAll('DATETIME', 'timestamp');
}
