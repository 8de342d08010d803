/** Finds the database's own error in a Prisma error, or the class of Prisma's code where it has none. */

import { codeOf } from '../../lib/index.ts';
import { ClassifiedError, type ErrorClass } from '../../relational/index.ts';
import { QueryError } from '../../schema/index.ts';

/** The classes of Prisma's error codes, and of the kinds of error that its driver adapters distinguish. */
const classes: Readonly<Record<string, ErrorClass>> = {
  P1000: 'away', // authentication failed
  P1001: 'away', // the server cannot be reached
  P1002: 'away', // the server was reached and did not answer in time
  P1003: 'away', // the database does not exist
  P1008: 'away', // the socket timed out
  P1011: 'away', // no TLS connection
  P1017: 'away', // the server closed the connection
  P2037: 'away', // too many connections
  P2021: 'misfit', // the table does not exist
  P2022: 'misfit', // the column does not exist
  P2024: 'timeout', // no connection of the pool in time
  P2028: 'timeout', // no transaction in time, or one that took too long
  P2034: 'conflict', // write conflict or deadlock
  AuthenticationFailed: 'away',
  ConnectionClosed: 'away',
  DatabaseDoesNotExist: 'away',
  DatabaseNotReachable: 'away',
  SocketTimeout: 'away',
  TlsConnectionError: 'away',
  TooManyConnections: 'away',
  TransactionWriteConflict: 'conflict',
};

interface PrismaMeta {
  readonly code?: unknown;
  readonly driverAdapterError?: { readonly cause?: AdapterCause };
}

interface AdapterCause {
  readonly kind?: string;
  readonly originalCode?: unknown;
  readonly originalMessage?: string;
  readonly code?: unknown;
}

/** The database's error inside a Prisma error. */
class DatabaseSaid extends Error {
  readonly code: string;

  constructor({ originalCode, originalMessage, code }: AdapterCause, cause: unknown) {
    super(originalMessage ?? 'The database refused a statement of the Prisma client.', { cause });
    this.code = String(originalCode ?? code);
  }
}

/** The error with the database's own code or with a class, where one can be found. */
export function withDatabaseCode(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof QueryError) return error;
  if (error instanceof ClassifiedError || error instanceof DatabaseSaid) return error;
  const known = classes[codeOf(error) ?? ''];
  if (known) return new ClassifiedError(known, error);
  const meta = Reflect.get(error, 'meta') as PrismaMeta | undefined;
  const own = error.cause as AdapterCause | undefined;
  const cause = meta?.driverAdapterError?.cause ?? own;
  const kind = classes[cause?.kind ?? ''];
  if (kind) return new ClassifiedError(kind, error);
  const said = { ...cause, code: cause?.code ?? meta?.code };
  return said.originalCode === undefined && said.code === undefined
    ? error
    : new DatabaseSaid(said, error);
}
