/** What the benchmark asks of each implementation. */

import type { RequestName, RequestValues } from './requests.ts';

/** Whose code it is; `--contenders` chooses by these names. */
export const groups = ['raw', 'drizzle', 'typeorm', 'nestjs-paginate', 'prisma', 'sluice'] as const;

export type Group = (typeof groups)[number];

/** The answer of a list request, ready for `JSON.stringify`; no total where none was asked for. */
export interface Answer {
  readonly data: readonly unknown[];
  readonly total?: number | undefined;
}

/** One way to answer the requests. */
export interface Contender {
  readonly name: string;
  /** The requests it can answer; all of them where it does not say. */
  readonly requests?: readonly RequestName[];
  /** Answers the variant with this running number. */
  answer(request: RequestName, values: RequestValues, variant: number): Answer | Promise<Answer>;
  /** Brings an answer into the form of the others; for the check of answers only, never measured. */
  comparable?(request: RequestName, answer: Answer): Answer;
  close(): Promise<void> | void;
}

/** The name of Sluice on each ORM in the tables. */
export const sluice = {
  drizzle: 'Sluice on Drizzle',
  typeorm: 'Sluice on TypeORM',
  typeormEntities: 'Sluice on TypeORM, hydrate',
  prisma: 'Sluice on Prisma',
} as const;

/** The names of the others, which the bars speak of. */
export const peer = {
  drizzle: 'Drizzle by hand',
  typeorm: 'TypeORM by hand',
  typeormTuned: 'TypeORM by hand, tuned',
  nestjsPaginate: 'nestjs-paginate',
  nestjsPaginateTuned: 'nestjs-paginate, tuned',
  prisma: 'Prisma by hand',
  prismaWhere: 'Prisma by hand, where lt',
} as const;
