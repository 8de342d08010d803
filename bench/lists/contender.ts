/** The interface of an implementation in the benchmark. */

import type { CompiledQueryRules, QuerySource } from '../../src/index.ts';
import type { RequestName, RequestValues } from './requests.ts';

/** Groups of implementations; `--contenders` selects by these names. */
export const groups = [
  'raw',
  'drizzle',
  'typeorm',
  'nestjs-paginate',
  'prisma',
  'sql',
  'sluice',
] as const;

export type Group = (typeof groups)[number];

/** The answer to a list request, ready for `JSON.stringify`; without a total if the request asks for none. */
export interface Answer {
  readonly data: readonly unknown[];
  readonly total?: number | undefined;
}

/** Reads a parameter of a query string; `undefined` if it is absent. */
export type Parameter = (name: string) => unknown;

/** One implementation of the requests. */
export interface Contender {
  readonly name: string;
  /** The requests that it can answer. Default: all. */
  readonly requests?: readonly RequestName[];
  /** Answers the variant with this number. */
  answer(request: RequestName, values: RequestValues, variant: number): Answer | Promise<Answer>;
  /** The answer as an endpoint sends it. Default: `JSON.stringify` of `answer`. */
  text?(request: RequestName, variant: number): Promise<string>;
  /** Converts an answer to the form of the others; for the comparison of answers only, never measured. */
  comparable?(request: RequestName, answer: Answer): Answer;
  close(): Promise<void> | void;
  /** The list endpoint behind the answers of Sluice, and its query strings. */
  readonly endpoint?: {
    readonly source: QuerySource;
    readonly rules: CompiledQueryRules;
    query(request: RequestName, variant: number): string;
  };
  /** A list endpoint by hand, and its query strings. */
  readonly byHand?: {
    query(request: RequestName, variant: number): string;
    answer(parameter: Parameter): Promise<Answer>;
  };
}

/** The name of Sluice on each ORM in the tables. */
export const sluice = {
  drizzle: 'Sluice on Drizzle',
  typeorm: 'Sluice on TypeORM',
  typeormEntities: 'Sluice on TypeORM, hydrate',
  prisma: 'Sluice on Prisma',
  sql: 'Sluice on the driver',
  statements: 'its statements alone',
} as const;

/** Its name where cursors are encrypted. */
export const sealed = (name: string): string => `${name}, sealed cursors`;

/** The names of the others, as in the targets. */
export const peer = {
  pg: 'raw pg, named',
  pgEndpoint: 'raw pg, named, same bytes',
  sqlite: 'raw better-sqlite3, tuned',
  sqliteEndpoint: 'raw better-sqlite3, same bytes',
  drizzle: 'Drizzle by hand',
  drizzleEndpoint: 'Drizzle by hand, same bytes',
  typeorm: 'TypeORM by hand',
  typeormTuned: 'TypeORM by hand, tuned',
  nestjsPaginate: 'nestjs-paginate',
  nestjsPaginateTuned: 'nestjs-paginate, tuned',
  prisma: 'Prisma by hand',
  prismaWhere: 'Prisma by hand, where lt',
  sql: 'raw SQL, prepared',
  drizzleNested: 'Drizzle by hand, nested',
  typeormNested: 'TypeORM by hand, nested',
  prismaNested: 'Prisma by hand, nested',
} as const;
