/** The replicas of a client extended by `@prisma/extension-read-replicas`. */

import { configurationError } from '../../schema/index.ts';
import { type PrismaClientLike, isTransaction } from './client.ts';
import { extensionsOf } from './foreign.ts';
import { rewrittenFields } from './describe/rewritten-fields.ts';

interface ReplicatedClient extends PrismaClientLike {
  $replica(): PrismaClientLike;
}

/** Whether reads through the client use replicas; those of an interactive transaction use its connection. */
export function hasReplicas(client: PrismaClientLike): client is ReplicatedClient {
  return (
    typeof (client as Partial<ReplicatedClient>).$replica === 'function' && !isTransaction(client)
  );
}

/** Number of query extensions of a client that act on `findMany` of a model. */
const queryExtensions = (client: object, model: string): number =>
  extensionsOf(client).getAllQueryCallbacks(model, 'findMany').length;

/**
 * Checks that the replicas have the extensions of the client: every request reads one replica, whose own client runs it.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the client has an extension that its replicas do not have
 */
export function checkReplicas(client: PrismaClientLike, model: string): void {
  if (!hasReplicas(client)) return;
  const replica = client.$replica();
  const [own, theirs] = [queryExtensions(client, model), queryExtensions(replica, model)];
  const computed = rewrittenFields(replica, model);
  const isExtended = [...rewrittenFields(client, model)].some((path) => !computed.has(path));
  // One of the client's own selects the replica.
  if (own - 1 <= theirs && !isExtended) return;
  throw configurationError(
    'The Prisma client has extensions that its read replicas do not have, and every list is read from one replica; extend the clients in "replicas" as well.',
    { model },
  );
}
