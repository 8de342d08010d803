/**
 * Reads years before 100 on MySQL and MariaDB. Prisma's driver adapter parses the text of an instant in a way that
 * reads the year 0001 as 2001; with a `T` between date and time, it reads the same text correctly.
 */

import { configurationError } from '../../../schema/index.ts';
import { type AdapterFactory, overlaid } from '../driver-adapter.ts';

interface Field {
  readonly type: string;
}

type TypeCast = (field: Field, next: () => unknown) => unknown;

interface Request {
  readonly typeCast?: TypeCast;
}

type Run = (request: Request, values: unknown) => unknown;

function spelledOut(request: Request): Request {
  const { typeCast } = request;
  const cast: TypeCast = (field, next) => {
    const value = typeCast ? typeCast(field, next) : next();
    const isInstant = /^(DATETIME|TIMESTAMP)/.test(field.type);
    return isInstant && typeof value === 'string' ? value.replace(' ', 'T') : value;
  };
  return { ...request, typeCast: cast };
}

/** A pool or connection of the driver whose instants are written with a `T`. */
function exactClient(client: object): object {
  const { execute, query, getConnection } = client as {
    readonly execute?: Run;
    readonly query?: Run;
    readonly getConnection?: () => Promise<object>;
  };
  if (typeof execute !== 'function' || typeof query !== 'function') {
    throw configurationError('The adapter of exactYears must be one of @prisma/adapter-mariadb.');
  }
  const spelled =
    (run: Run): Run =>
    (request, values) =>
      run.call(client, typeof request === 'object' ? spelledOut(request) : request, values);
  return overlaid(client, {
    execute: spelled(execute),
    query: spelled(query),
    ...(getConnection && {
      getConnection: async () => exactClient(await getConnection.call(client)),
    }),
  });
}

/**
 * Makes `@prisma/adapter-mariadb` read years before 100 as they are stored. `checkProfile` reports whether a
 * database's client needs it; applications without dates before the year 100 do not.
 *
 * ```ts
 * new PrismaClient({ adapter: exactYears(new PrismaMariaDb(url)) })
 * ```
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the adapter is another one
 */
export function exactYears<Factory extends AdapterFactory>(adapter: Factory): Factory {
  const connect = async (...args: never) => {
    const connected = (await adapter.connect(...args)) as { client?: object };
    connected.client = exactClient(connected.client ?? {});
    return connected;
  };
  return overlaid(adapter, { connect });
}
