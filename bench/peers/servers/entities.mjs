/** The entity of both libraries on TypeORM, and what Nest and TypeORM need. */

import 'reflect-metadata';
import { EntitySchema } from 'typeorm';
import { databaseUrl } from './serve.ts';

export class User {}

const hidden = (name) => ({ type: 'text', name, select: false });
const schema = new EntitySchema({
  name: 'User',
  tableName: 'users',
  target: User,
  columns: {
    id: { type: 'int', primary: true },
    name: { type: 'text' },
    email: { type: 'text' },
    age: { type: 'int' },
    active: { type: 'boolean' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    companyId: { type: 'int', name: 'company_id' },
    nameFolded: hidden('name_folded'),
    emailFolded: hidden('email_folded'),
  },
});

export const dataSourceOptions = {
  type: 'postgres',
  url: databaseUrl,
  entities: [schema],
  extra: { max: 4 },
};
