/**
 * A Prisma schema of ten ordinary models, as an application would write it: enums, Float, lists, Json, Decimal, Bytes, a
 * composite key, a self-reference and implicit many-to-many. Nothing is annotated.
 */

/** The models and enums. */
export const models = `
enum Role { ADMIN MEMBER GUEST }
enum State { OPEN PAID @map("paid") CANCELLED }

model User {
  id String @id @default(uuid()) @db.Uuid
  email String @unique
  role Role @default(MEMBER)
  tags String[]
  settings Json?
  joinedAt DateTime @default(now())
  profile Profile?
  orders Order[]
  reviews Review[]
  teams Team[]
}
model Profile { id Int @id @default(autoincrement()) bio String? avatar Bytes? userId String @unique @db.Uuid user User @relation(fields: [userId], references: [id]) }
model Team { id Int @id @default(autoincrement()) name String members User[] }
model Category { id Int @id @default(autoincrement()) name String parentId Int? parent Category? @relation("tree", fields: [parentId], references: [id]) children Category[] @relation("tree") products Product[] }
model Product { id BigInt @id sku String @unique name String weight Float? price Decimal @db.Decimal(10, 2) sizes Int[] categories Category[] lines Line[] reviews Review[] stocks Stock[] }
model Order { id Int @id @default(autoincrement()) state State @default(OPEN) placedOn DateTime @db.Date total Decimal @db.Decimal(12, 2) userId String @map("user_id") @db.Uuid user User @relation(fields: [userId], references: [id]) lines Line[] payment Payment? @@map("orders") }
model Line { orderId Int no Int productId BigInt quantity Int order Order @relation(fields: [orderId], references: [id]) product Product @relation(fields: [productId], references: [id]) @@id([orderId, no]) }
model Payment { id Int @id paidAt DateTime? reference String @db.VarChar(20) orderId Int @unique order Order @relation(fields: [orderId], references: [id]) }
model Review { id Int @id stars Int @db.SmallInt text String? productId BigInt authorId String? @db.Uuid product Product @relation(fields: [productId], references: [id]) author User? @relation(fields: [authorId], references: [id]) }
model Stock { warehouse String productId BigInt amount Int product Product @relation(fields: [productId], references: [id]) @@id([warehouse, productId]) }
`
  // One line for each model above; Prisma wants one for each field.
  .replaceAll(/^(model \w+) \{ (.*) \}$/gm, (_, head: string, fields: string) => {
    const lines = fields.replaceAll(/ (?=@@|[a-z]\w* [A-Z])/g, '\n  ');
    return `${head} {\n  ${lines}\n}`;
  })
  .replaceAll(/^enum (\w+) \{ (.*) \}$/gm, (_, name: string, members: string) => {
    const lines = members.replaceAll(/ (?=[A-Z])/g, '\n  ');
    return `enum ${name} {\n  ${lines}\n}`;
  });

const user = (at: number): string => `00000000-0000-4000-8000-00000000000${at}`;

/** The statements that create and fill the tables on PostgreSQL. */
export const tables = `
create type "Role" as enum ('ADMIN', 'MEMBER', 'GUEST'); create type "State" as enum ('OPEN', 'paid', 'CANCELLED');
create table "User" (id uuid primary key, email text not null unique, role "Role" not null default 'MEMBER', tags text[], settings jsonb, "joinedAt" timestamp(3) not null default now());
create table "Profile" (id serial primary key, bio text, avatar bytea, "userId" uuid not null unique references "User");
create table "Team" (id serial primary key, name text not null);
create table "_TeamToUser" ("A" int not null references "Team", "B" uuid not null references "User", primary key ("A", "B"));
create table "Category" (id serial primary key, name text not null, "parentId" int references "Category");
create table "Product" (id bigint primary key, sku text not null unique, name text not null, weight double precision, price numeric(10, 2) not null, sizes int[]);
create table "_CategoryToProduct" ("A" int not null references "Category", "B" bigint not null references "Product", primary key ("A", "B"));
create table orders (id serial primary key, state "State" not null default 'OPEN', "placedOn" date not null, total numeric(12, 2) not null, user_id uuid not null references "User");
create table "Line" ("orderId" int not null references orders, no int not null, "productId" bigint not null references "Product", quantity int not null, primary key ("orderId", no));
create table "Payment" (id int primary key, "paidAt" timestamp(3), reference varchar(20) not null, "orderId" int not null unique references orders);
create table "Review" (id int primary key, stars smallint not null, text text, "productId" bigint not null references "Product", "authorId" uuid references "User");
create table "Stock" (warehouse text not null, "productId" bigint not null references "Product", amount int not null, primary key (warehouse, "productId"));
insert into "User" values ('${user(1)}', 'ada@example.org', 'ADMIN', '{a,b}', '{"theme": "dark"}', '2024-01-01 10:00:00.123'), ('${user(2)}', 'Bob@example.org', 'GUEST', '{}', null, '2024-02-01 00:00:00'), ('${user(3)}', 'eve@example.org', 'MEMBER', null, '[1]', '2024-02-01 23:59:59.999');
insert into "Profile" values (1, 'Writes', '\\x00ff', '${user(1)}'), (2, null, null, '${user(2)}');
insert into "Team" values (1, 'Red'), (2, 'blue');
insert into "_TeamToUser" values (1, '${user(1)}'), (1, '${user(3)}'), (2, '${user(1)}');
insert into "Category" values (1, 'All', null), (2, 'Shoes', 1), (3, 'Hats', 1);
insert into "Product" values (9007199254740993, 'S-1', 'Boot', 1.25, 99.90, '{41,42}'), (2, 'H-1', 'Cap', null, 9.50, '{}'), (3, 'H-2', 'Top hat', 0.1, 120.00, null);
insert into "_CategoryToProduct" values (1, 2), (2, 9007199254740993), (3, 2), (3, 3);
insert into orders values (1, 'paid', '2024-03-01', 109.40, '${user(1)}'), (2, 'OPEN', '2024-03-02', 9.50, '${user(2)}'), (3, 'CANCELLED', '2024-03-02', 0, '${user(1)}');
insert into "Line" values (1, 1, 9007199254740993, 1), (1, 2, 2, 1), (2, 1, 2, 1);
insert into "Payment" values (1, '2024-03-01 12:00:00', 'P-1', 1), (2, null, 'P-2', 2);
insert into "Review" values (1, 5, 'Fits', 2, '${user(1)}'), (2, 1, null, 2, null);
insert into "Stock" values ('north', 2, 4), ('south', 2, 0), ('north', 3, 1);
`;
