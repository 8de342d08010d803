/** The tables of the hostile suite as Prisma models for a family. */

import type { DatabaseFamily } from '../../src/index.ts';

/** The type names of the families, and the annotation where a type does not determine the kind. */
const types: {
  readonly [family in DatabaseFamily]: { readonly [place: string]: string };
} = {
  postgresql: {
    code: 'String @map("c_code") @db.Uuid',
    born: 'DateTime? @map("c_born") @db.Date',
    seenAt: 'DateTime? @map("c_seen_at") @db.Timestamptz(6)',
    balance: 'Decimal @map("c_balance") @db.Decimal(20, 5)',
    enumMap: '@@map("hz_role")',
    text: '',
  },
  mysql: {
    code: 'String @map("c_code") @db.Char(36)',
    born: 'DateTime? @map("c_born") @db.Date',
    seenAt: 'DateTime? @map("c_seen_at") @db.DateTime(6)',
    balance: 'Decimal @map("c_balance") @db.Decimal(20, 5)',
    enumMap: '',
    text: ' @db.VarChar(191)',
  },
  sqlite: {
    code: 'String @map("c_code") /// @sluice.kind(uuid)',
    born: 'String? @map("c_born") /// @sluice.kind(date)',
    seenAt: 'DateTime? @map("c_seen_at")',
    balance: 'Decimal @map("c_balance")',
    enumMap: '',
    text: '',
  },
};

/** Models and enums. */
export function hostileModels(family: DatabaseFamily): string {
  const { code, born, seenAt, balance, enumMap, text } = types[family];
  return `
enum Role {
  admin
  member
  guest
  ${enumMap}
}

model Firm {
  id         Int      @id @map("c_id")
  name       String   @map("c_name")${text}
  nameFolded String   @map("c_name_folded")${text}
  people     Person[]
  @@map("hz_firms")
}

model Person {
  id         Int     @id @map("c_id")
  name       String  @map("c_name")${text}
  nameFolded String  @map("c_name_folded")${text}
  nick       String? @map("c_nick")${text}
  code       ${code}
  codeOrder  String  @map("c_code_order")${text}
  role       Role    @map("c_role")
  roleFolded String  @map("c_role_folded")${text}
  roleOrder  String  @map("c_role_order")${text}
  age        Int?    @map("c_age")
  visits     BigInt  @map("c_visits")
  balance    ${balance}
  active     Boolean @map("c_active")
  born       ${born}
  seenAt     ${seenAt}
  extra      Json?   @map("c_extra")
  /// @sluice.internal
  secret     String  @map("c_secret")${text}
  firmId     Int?    @map("c_firm_id")
  firm       Firm?   @relation(fields: [firmId], references: [id])
  notes      Note[]
  /// @sluice.hidden @sluice.through(labels, label)
  personLabels PersonLabel[]
  @@map("hz_people")
}

model Note {
  id         Int    @id @map("c_id")
  text       String @map("c_text")${text}
  textFolded String @map("c_text_folded")${text}
  personId   Int    @map("c_person_id")
  person     Person @relation(fields: [personId], references: [id])
  @@map("hz_notes")
}

model Label {
  id   Int    @id @map("c_id")
  word String @map("c_word")${text}
  /// @sluice.hidden
  personLabels PersonLabel[]
  @@map("hz_labels")
}

/// @sluice.hidden
model PersonLabel {
  personId Int    @map("c_person_id")
  labelId  Int    @map("c_label_id")
  person   Person @relation(fields: [personId], references: [id])
  label    Label  @relation(fields: [labelId], references: [id])
  @@id([personId, labelId])
  @@map("hz_person_labels")
}
`;
}
