/** Rows as entities: TypeORM selects, joins and makes them, listeners and subscribers included. */

import type { ObjectLiteral } from 'typeorm';
import { TypeormRead } from './read.ts';

/** A plan ready to run, whose rows are entities. */
export class TypeormHydration extends TypeormRead<ObjectLiteral> {}
