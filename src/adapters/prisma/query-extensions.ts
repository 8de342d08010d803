/** Refuses clients with query extensions, which statements in SQL bypass. */

import { oncePer } from '../../lib/index.ts';
import { configurationError } from '../../schema/index.ts';
import type { PrismaClientLike } from './client.ts';
import { extensionsOf } from './foreign.ts';
import { hasReplicas } from './replicas.ts';

/** The operations that Sluice runs, or replaces by SQL. */
const operations = ['findMany', 'count'];

/** The operations of a model on which a client has query extensions, apart from the one that selects a replica. */
function extendedOperations(client: PrismaClientLike, model: string): readonly string[] {
  // One extension of a client with replicas, and of its transactions, selects the replica.
  return operationsBeyond('$replica' in client ? 1 : 0, extensionsOf(client), model);
}

/** Operations with more extensions than `own`, of a list that a client shares with its transactions. */
const operationsBeyond = oncePer(
  (own: number, extensions: ReturnType<typeof extensionsOf>, model: string) =>
    operations.filter(
      (operation) => extensions.getAllQueryCallbacks(model, operation).length > own,
    ),
);

/** Whether query extensions of the client apply to the rows or the count of a model. */
export function hasQueryExtensions(client: PrismaClientLike, model: string): boolean {
  // Every list is read from one replica, whose own client runs it.
  const runs = hasReplicas(client) ? [client, client.$replica()] : [client];
  return runs.some((each) => extendedOperations(each, model).length > 0);
}

/**
 * Checks that no query extension of the client applies to the rows or the count of a model.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when one does
 */
export function assertNoQueryExtensions(client: PrismaClientLike, model: string): void {
  if (hasReplicas(client)) assertNoQueryExtensions(client.$replica(), model);
  const [operation] = extendedOperations(client, model);
  if (operation === undefined) return;
  throw configurationError(
    `The Prisma client has a query extension on ${model}.${operation}, which a request that is answered in SQL bypasses; declare conditions such as tenancy in settings.scopes and pass the client without the extension, or set bypassQueryExtensions: true if the extension does not decide which rows are read.`,
    { model, option: 'bypassQueryExtensions' },
  );
}
