/** The names of the database families as Prisma's datasource providers. */

import type { FamilyNames } from '../../../relational/index.ts';

export const providers: FamilyNames = {
  postgresql: ['postgresql', 'postgres'],
  mysql: ['mysql'],
  sqlite: ['sqlite'],
};
