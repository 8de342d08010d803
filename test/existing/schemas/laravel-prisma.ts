/**
 * The shop of the PHP framework as `prisma db pull` writes it, which needs a binary for MySQL. Without its table with a
 * binary key, which no list has.
 */

/** The models and enums. */
export const laravelPrisma = `
enum products_state {
  draft
  active
  sold_out @map("sold out")
}
model users {
  id BigInt @id @default(autoincrement()) @db.UnsignedBigInt
  name String @db.VarChar(255)
  email String @unique(map: "users_email_unique") @db.VarChar(255)
  email_verified_at DateTime? @db.Timestamp(0)
  is_admin Boolean @default(false)
  newsletter Boolean?
  settings Json?
  avatar Bytes? @db.MediumBlob
  ip Bytes? @db.VarBinary(16)
  remember_token String? @db.VarChar(100)
  created_at DateTime? @db.Timestamp(0)
  updated_at DateTime? @db.Timestamp(0)
  deleted_at DateTime? @db.Timestamp(0)
  orders orders[]
}
model categories {
  id Int @id @default(autoincrement()) @db.UnsignedInt
  parent_id Int? @db.UnsignedInt
  name String @db.VarChar(80)
  order Int @default(0)
  categories categories? @relation("categoriesTocategories", fields: [parent_id], references: [id], onUpdate: NoAction)
  other_categories categories[] @relation("categoriesTocategories")
  category_product category_product[]
}
model products {
  id BigInt @id @default(autoincrement()) @db.UnsignedBigInt
  sku String @unique @db.Char(12)
  name String @db.VarChar(255)
  description String? @db.LongText
  price Decimal @db.Decimal(10, 2)
  tax Float @default(0)
  rating Float? @db.Float
  state products_state @default(draft)
  flags Unsupported("set('new','sale','featured')")?
  stock Int @default(0) @db.UnsignedInt
  weight Int? @db.UnsignedMediumInt
  views BigInt @default(0) @db.UnsignedBigInt
  made Int? @db.Year
  available_from DateTime? @db.Date
  opens DateTime? @db.Time(0)
  uid String? @db.Char(36)
  bits Bytes? @db.Bit(8)
  spot Unsupported("point")?
  group String? @db.VarChar(20)
  select Int? @db.TinyInt
  shown_at DateTime? @db.DateTime(6)
  created_at DateTime? @db.Timestamp(0)
  updated_at DateTime? @db.Timestamp(0)
  category_product category_product[]
  order_items order_items[]
}
model category_product {
  category_id Int @db.UnsignedInt
  product_id BigInt @db.UnsignedBigInt
  categories categories @relation(fields: [category_id], references: [id], onDelete: Cascade)
  products products @relation(fields: [product_id], references: [id], onDelete: Cascade)
  @@id([category_id, product_id])
}
model orders {
  id BigInt @id @default(autoincrement()) @db.UnsignedBigInt
  user_id BigInt? @db.UnsignedBigInt
  number String @unique @db.VarChar(30)
  status Int @default(0) @db.UnsignedTinyInt
  total Decimal @db.Decimal(14, 4)
  placed_at DateTime @db.DateTime(0)
  due DateTime? @db.Date
  meta Json?
  created_at DateTime? @db.Timestamp(0)
  updated_at DateTime? @db.Timestamp(0)
  users users? @relation(fields: [user_id], references: [id])
  order_items order_items[]
}
model order_items {
  order_id BigInt @db.UnsignedBigInt
  line Int @db.UnsignedSmallInt
  product_id BigInt @db.UnsignedBigInt
  quantity Int @db.UnsignedInt
  price Decimal @db.Decimal(10, 2)
  orders orders @relation(fields: [order_id], references: [id])
  products products @relation(fields: [product_id], references: [id])
  @@id([order_id, line])
}
model Order_Details {
  Order_ID Int @map("Order ID")
  Line_No Int @map("Line.No")
  Unit_Price Decimal? @map("Unit Price") @db.Decimal(8, 2)
  it_s String? @map("it's") @db.Text
  @@id([Order_ID, Line_No])
  @@map("Order Details")
}
`;
