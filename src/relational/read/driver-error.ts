/** The one funnel from the error of a driver or an ORM to a `QueryError`; the original is the `cause`. */

import { QueryError } from '../../schema/index.ts';

/** SQLSTATEs, MySQL numbers and texts that say the tables are not what the schema declares. */
const misfit = /^(42P01|42703|42883|42804|1146|1054|22P02)$|no such (table|column)/;
/** What databases answer when they stopped a statement for its time. */
const timeout = /^(57014|3024|1969)$/;

function facts(error: unknown): string[] {
  const found: string[] = [];
  for (let current = error, depth = 0; current instanceof Error && depth < 5; depth += 1) {
    const { code, errno, message, cause } = current as Error & { code?: unknown; errno?: unknown };
    found.push(String(code), String(errno), message.split('\n')[0] ?? '');
    current = cause;
  }
  return found;
}

/** A timeout, whoever noticed it. */
export function timeoutError(timeoutMs: number, cause?: unknown): QueryError {
  return new QueryError(
    'QUERY_TIMEOUT',
    `The request took longer than ${timeoutMs} ms.`,
    { timeoutMs },
    cause === undefined ? undefined : { cause },
  );
}

/** Wraps whatever a statement threw. Neither SQL nor values reach the message. */
export function driverError(error: unknown, timeoutMs: number | undefined): unknown {
  if (error instanceof QueryError) return error;
  const said = facts(error);
  if (timeoutMs !== undefined && said.some((fact) => timeout.test(fact))) {
    return timeoutError(timeoutMs, error);
  }
  if (said.some((fact) => misfit.test(fact))) {
    return new QueryError(
      'SOURCE_CONFIGURATION_INVALID',
      'The database does not have the tables and columns that the source declares.',
      {},
      { cause: error },
    );
  }
  return new QueryError(
    'ADAPTER_CONTRACT_VIOLATION',
    'The database could not run the statement.',
    {},
    { cause: error },
  );
}
