/** Remult with its API for Express. */

import express from 'express';
import { Entity, Fields, describeClass } from 'remult';
import { createPostgresDataProvider } from 'remult/postgres';
import { remultApi } from 'remult/remult-express';
import { databaseUrl, serve } from './serve.ts';

class User {}
describeClass(
  User,
  Entity('users', { allowApiRead: true, defaultOrderBy: { id: 'asc' }, dbName: 'users' }),
  {
    id: Fields.integer(),
    name: Fields.string(),
    email: Fields.string(),
    age: Fields.integer(),
    active: Fields.boolean(),
    createdAt: Fields.date({ dbName: 'created_at' }),
    companyId: Fields.integer({ dbName: 'company_id' }),
    nameFolded: Fields.string({ dbName: 'name_folded', includeInApi: false }),
    emailFolded: Fields.string({ dbName: 'email_folded', includeInApi: false }),
  },
);
const dataProvider = createPostgresDataProvider({
  connectionString: databaseUrl,
  configuration: { max: 4 },
});
await serve(
  express().use(remultApi({ entities: [User], dataProvider, ensureSchema: false, admin: false })),
);
