/** The irregular world as Drizzle tables. */

import { relations } from 'drizzle-orm';
import * as mysql from 'drizzle-orm/mysql-core';
import * as pg from 'drizzle-orm/pg-core';
import * as sqlite from 'drizzle-orm/sqlite-core';
import { membersOf } from './world.ts';

function mysqlTables() {
  const { mysqlTable, mysqlEnum, int, date, datetime, char, mediumtext, varchar, primaryKey } =
    mysql;
  const text = (name: string) => varchar(name, { length: 191 });
  const depot = mysqlTable('depots', {
    id: int('id').primaryKey(),
    name: text('name').notNull(),
    zone: mysqlEnum('zone', membersOf('mysql', 'zone')).notNull(),
  });
  const parcel = mysqlTable(
    'parcels',
    {
      lane: mysqlEnum('lane', membersOf('mysql', 'lane')).notNull(),
      day: date('day_on', { mode: 'string' }).notNull(),
      no: int('no').notNull(),
      status: mysqlEnum('status', membersOf('mysql', 'status')),
      grade: mysqlEnum('grade', ['poor', 'fair', 'good']).notNull(),
      gradeOrder: text('grade_order').notNull(),
      ref: char('ref', { length: 36 }),
      refOrder: text('ref_order'),
      weight: int('weight'),
      note: mediumtext('note'),
      at: datetime('at_time', { fsp: 6 }),
      depotId: int('depot_id').notNull(),
    },
    (table) => [primaryKey({ columns: [table.lane, table.day, table.no] })],
  );
  const label = mysqlTable(
    'labels',
    {
      code: char('code', { length: 36 }).notNull(),
      codeOrder: text('code_order').notNull(),
      zone: mysqlEnum('zone', ['west', 'east', 'north']).notNull(),
      zoneOrder: text('zone_order').notNull(),
      size: int('size').notNull(),
    },
    (table) => [primaryKey({ columns: [table.code, table.zone] })],
  );
  return { parcel, depot, label };
}

function postgresqlTables() {
  const { pgTable, pgEnum, integer, date, timestamp, uuid, text, primaryKey } = pg;
  const lane = pgEnum('parcel_lane', membersOf('postgresql', 'lane'));
  const status = pgEnum('parcel_status', membersOf('postgresql', 'status'));
  const grade = pgEnum('parcel_grade', ['poor', 'fair', 'good']);
  const zone = pgEnum('depot_zone', membersOf('postgresql', 'zone'));
  const depot = pgTable('depots', {
    id: integer('id').primaryKey(),
    name: text('name').notNull(),
    zone: zone('zone').notNull(),
  });
  const parcel = pgTable(
    'parcels',
    {
      lane: lane('lane').notNull(),
      day: date('day_on', { mode: 'string' }).notNull(),
      no: integer('no').notNull(),
      status: status('status'),
      grade: grade('grade').notNull(),
      gradeOrder: text('grade_order').notNull(),
      ref: uuid('ref'),
      refOrder: text('ref_order'),
      weight: integer('weight'),
      note: text('note'),
      at: timestamp('at_time', { withTimezone: true }),
      depotId: integer('depot_id').notNull(),
    },
    (table) => [primaryKey({ columns: [table.lane, table.day, table.no] })],
  );
  const labelZone = pgEnum('label_zone', ['west', 'east', 'north']);
  const label = pgTable(
    'labels',
    {
      code: uuid('code').notNull(),
      codeOrder: text('code_order').notNull(),
      zone: labelZone('zone').notNull(),
      zoneOrder: text('zone_order').notNull(),
      size: integer('size').notNull(),
    },
    (table) => [primaryKey({ columns: [table.code, table.zone] })],
  );
  return { parcel, depot, label };
}

function sqliteTables() {
  const { sqliteTable, integer, text, primaryKey } = sqlite;
  const depot = sqliteTable('depots', {
    id: integer('id').primaryKey(),
    name: text('name').notNull(),
    zone: text('zone', { enum: membersOf('sqlite', 'zone') }).notNull(),
  });
  const parcel = sqliteTable(
    'parcels',
    {
      lane: text('lane', { enum: membersOf('sqlite', 'lane') }).notNull(),
      day: text('day_on').notNull(),
      no: integer('no').notNull(),
      status: text('status', { enum: membersOf('sqlite', 'status') }),
      grade: text('grade', { enum: ['poor', 'fair', 'good'] }).notNull(),
      gradeOrder: text('grade_order').notNull(),
      ref: text('ref'),
      refOrder: text('ref_order'),
      weight: integer('weight'),
      note: text('note'),
      at: integer('at_time', { mode: 'timestamp_ms' }),
      depotId: integer('depot_id').notNull(),
    },
    (table) => [primaryKey({ columns: [table.lane, table.day, table.no] })],
  );
  const label = sqliteTable(
    'labels',
    {
      code: text('code').notNull(),
      codeOrder: text('code_order').notNull(),
      zone: text('zone', { enum: ['west', 'east', 'north'] }).notNull(),
      zoneOrder: text('zone_order').notNull(),
      size: integer('size').notNull(),
    },
    (table) => [primaryKey({ columns: [table.code, table.zone] })],
  );
  return { parcel, depot, label };
}

type Tables = Readonly<
  ReturnType<typeof mysqlTables | typeof postgresqlTables | typeof sqliteTables>
>;

const linked = <T extends Tables>({ parcel, depot }: T) => [
  relations(parcel, ({ one }) => ({
    depot: one(depot, { fields: [parcel.depotId], references: [depot.id] }),
  })),
  relations(depot, ({ many }) => ({ parcels: many(parcel) })),
];

/** Tables, relations and overrides of each family. */
export const drizzleIrregular = {
  mysql: () => {
    const tables = mysqlTables();
    return {
      tables,
      links: linked(tables),
      overrides: {
        parcel: { ref: { kind: 'uuid' as const } },
        label: { code: { kind: 'uuid' as const } },
      },
    };
  },
  postgresql: () => {
    const tables = postgresqlTables();
    return { tables, links: linked(tables), overrides: {} };
  },
  sqlite: () => {
    const tables = sqliteTables();
    const overrides = {
      parcel: { ref: { kind: 'uuid' as const }, day: { kind: 'date' as const } },
      label: { code: { kind: 'uuid' as const } },
    };
    return { tables, links: linked(tables), overrides };
  },
};
