/**
 * The properties of Prisma's clients and driver adapters that their types do not declare, as 6.19 to 7.10 have them. A
 * client whose extensions cannot be read is refused, since one of them may decide which rows are read, and so is an
 * adapter of `cancelable` whose pool cannot; without the others, checks are left out that only name a mistake at boot.
 */

import { configurationError } from '../../schema/index.ts';

/** The client's own description of its schema. */
export interface RuntimeDataModel {
  readonly models: {
    readonly [name: string]: {
      readonly dbName?: string | null;
      readonly fields: readonly {
        readonly name: string;
        readonly kind: string;
        readonly type: string;
        readonly dbName?: string | null;
      }[];
    };
  };
}

/** The extensions of a client, by the names of its models. */
export interface Extensions {
  getAllComputedFields(model: string): object | undefined;
  getAllQueryCallbacks(model: string, operation: string): readonly unknown[];
}

interface Internals {
  readonly _extensions?: Partial<Extensions>;
  readonly _activeProvider?: unknown;
  readonly _clientVersion?: unknown;
  readonly _runtimeDataModel?: RuntimeDataModel;
  readonly _engineConfig?: { readonly adapter?: Adapter | null };
}

interface Adapter {
  readonly options?: { readonly schema?: unknown };
}

/**
 * The extensions of a client, one object for a client and its transactions.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when they cannot be read
 */
export function extensionsOf(client: object): Extensions {
  const { _extensions: extensions } = client as Internals;
  if (extensions?.getAllComputedFields && extensions.getAllQueryCallbacks) {
    return extensions as Extensions;
  }
  throw configurationError(
    'The extensions of the Prisma client cannot be read, and one of them may decide which rows are read; use @prisma/client 6.19 to 7.',
    { option: 'client' },
  );
}

/** The version of the client; `undefined` where it does not tell. */
export function versionOf(client: object): string | undefined {
  const { _clientVersion: version } = client as Internals;
  return typeof version === 'string' ? version : undefined;
}

/** The provider of the client's schema; `undefined` where it does not tell. */
export function providerOf(client: object): string | undefined {
  const { _activeProvider: provider } = client as Internals;
  return typeof provider === 'string' ? provider : undefined;
}

/** The client's own description of its schema; `undefined` where it has none. */
export function runtimeDataModelOf(client: object): RuntimeDataModel | undefined {
  const { _runtimeDataModel: found } = client as Internals;
  return typeof found?.models === 'object' ? found : undefined;
}

/** The driver adapter of the client; `undefined` for clients with an engine of their own. */
export const driverAdapterOf = (client: object): Adapter | undefined =>
  (client as Internals)._engineConfig?.adapter ?? undefined;

/** The schema that the driver adapter of the client was made with; `undefined` for none. */
export function adapterSchemaOf(client: object): string | undefined {
  const schema = driverAdapterOf(client)?.options?.schema;
  return typeof schema === 'string' ? schema : undefined;
}

/** A driver adapter that is connected, with the pool of its driver. */
interface Connected {
  client?: object;
}

/** The pool of a driver adapter that is connected. */
export const poolBehind = (connected: object): object | undefined =>
  (connected as Connected).client;

/** Has a driver adapter run its statements on another pool. */
export function replacePool(connected: object, pool: object): void {
  (connected as Connected).client = pool;
}
