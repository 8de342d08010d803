/** What Prisma throws, with what the database said brought to where the shared funnel looks. */

import { QueryError } from '../../schema/index.ts';

/** Prisma's codes that say the tables are not what the schema declares. */
const misfit: ReadonlySet<unknown> = new Set(['P2021', 'P2022']);
/** Prisma's codes of a transaction or a pool that ran out of time. */
const late: ReadonlySet<unknown> = new Set(['P2024', 'P2028']);

interface PrismaFailure {
  readonly code?: unknown;
  readonly meta?: {
    readonly code?: unknown;
    readonly driverAdapterError?: {
      readonly cause?: { readonly originalCode?: unknown; readonly code?: unknown };
    };
  };
}

class DatabaseSaid extends Error {
  readonly code: string;

  constructor(code: string, cause: unknown) {
    super('The database refused a statement of the Prisma client.', { cause });
    this.code = code;
  }
}

/** The error with the database's own code, where it can be found. */
export function withDatabaseCode(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof QueryError) return error;
  if (error instanceof DatabaseSaid) return error;
  const { code, meta } = error as PrismaFailure;
  if (misfit.has(code)) return new DatabaseSaid('42P01', error);
  if (late.has(code)) return new DatabaseSaid('57014', error);
  const cause = meta?.driverAdapterError?.cause ?? (error.cause as { code?: unknown } | undefined);
  const said = meta?.driverAdapterError?.cause?.originalCode ?? cause?.code ?? meta?.code;
  return said === undefined ? error : new DatabaseSaid(String(said), error);
}
