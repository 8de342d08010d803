/** Refuses clients with query extensions, which statements in SQL bypass. */

import { configurationError } from '../../schema/index.ts';
import type { PrismaClientLike } from './client.ts';
import { hasReplicas } from './replicas.ts';

interface QueryExtensions {
  getAllQueryCallbacks?(model: string, operation: string): readonly unknown[];
}

/** The operations that Sluice runs, or replaces by SQL. */
const operations = ['findMany', 'count'];
/** Models without query extensions, per list of extensions, which a client shares with its transactions. */
const clear = new WeakMap<object, Set<string>>();

/**
 * Checks that no query extension of the client applies to the rows or the count of a model.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when one does
 */
export function assertNoQueryExtensions(client: PrismaClientLike, model: string): void {
  // Every list is read from one replica, whose own client runs it.
  if (hasReplicas(client)) assertNoQueryExtensions(client.$replica(), model);
  const extensions = (client as { readonly _extensions?: QueryExtensions })._extensions;
  if (typeof extensions?.getAllQueryCallbacks !== 'function') return;
  let models = clear.get(extensions);
  if (models?.has(model)) return;
  // One extension of a client with replicas, and of its transactions, selects the replica.
  const selectsReplica = '$replica' in client ? 1 : 0;
  for (const operation of operations) {
    if (extensions.getAllQueryCallbacks(model, operation).length <= selectsReplica) continue;
    throw configurationError(
      `The Prisma client has a query extension on ${model}.${operation}, which a request that is answered in SQL bypasses; declare conditions such as tenancy in settings.scopes and pass the client without the extension, or set bypassQueryExtensions: true if the extension does not decide which rows are read.`,
      { model, option: 'bypassQueryExtensions' },
    );
  }
  if (!models) clear.set(extensions, (models = new Set()));
  models.add(model);
}
