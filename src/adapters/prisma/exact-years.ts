/**
 * Years before 100 on MySQL and MariaDB. Prisma's driver adapter parses the text of an instant in a way that takes
 * the year 0001 for 2001; spelled with a `T` in the middle, the same text is taken for what it says.
 */

import { configurationError } from '../../schema/index.ts';

/** What Prisma makes connections with. */
interface AdapterFactory {
  connect(...args: never): Promise<object>;
}

interface Field {
  readonly type: string;
}

type TypeCast = (field: Field, next: () => unknown) => unknown;

interface Request {
  readonly typeCast?: TypeCast;
}

type Run = (request: Request, values: unknown) => unknown;

/** The object with some of its members replaced; its own methods run on itself, private members and all. */
function overlaid<T extends object>(
  target: T,
  members: { readonly [key: PropertyKey]: unknown },
): T {
  return new Proxy(target, {
    get: (_target, key) => {
      if (Object.hasOwn(members, key)) return members[key];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function spelledOut(request: Request): Request {
  const { typeCast } = request;
  const cast: TypeCast = (field, next) => {
    const value = typeCast ? typeCast(field, next) : next();
    const isInstant = /^(DATETIME|TIMESTAMP)/.test(field.type);
    return isInstant && typeof value === 'string' ? value.replace(' ', 'T') : value;
  };
  return { ...request, typeCast: cast };
}

/** A pool or connection of the driver whose instants are spelled out. */
function exactClient(client: object): object {
  const { execute, query, getConnection } = client as {
    readonly execute?: Run;
    readonly query?: Run;
    readonly getConnection?: () => Promise<object>;
  };
  if (typeof execute !== 'function' || typeof query !== 'function') {
    throw configurationError('exactYears is for the adapter of @prisma/adapter-mariadb.');
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
 * Makes `@prisma/adapter-mariadb` read years before 100 as they are stored. `checkProfile` says whether a
 * database's client needs it; dates of living people and running businesses do not.
 *
 * ```ts
 * new PrismaClient({ adapter: exactYears(new PrismaMariaDb(url)) })
 * ```
 */
export function exactYears<Factory extends AdapterFactory>(adapter: Factory): Factory {
  const connect = async (...args: never) => {
    const connected = (await adapter.connect(...args)) as { client?: object };
    if (connected.client) connected.client = exactClient(connected.client);
    return connected;
  };
  return overlaid(adapter, { connect });
}
