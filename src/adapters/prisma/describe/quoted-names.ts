/** Refuses names that the client's own queries do not quote: Prisma does not double the quote within a name. */

import { configurationError } from '../../../schema/index.ts';
import type { PrismaContext } from '../context.ts';
import { clientBehaviour } from '../client-behaviour.ts';

/**
 * Checks the table and the columns of rows that the client reads, with those of the key.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID that names one which its queries would break
 */
export function assertQuoted(
  { describe, family }: PrismaContext,
  model: string,
  paths: readonly string[],
): void {
  const { physical, registry } = describe.context;
  const { quote } = clientBehaviour[family];
  const assert = (where: string, what: 'column' | 'table', name = ''): void => {
    if (!name.includes(quote)) return;
    throw configurationError(
      `${where}: Prisma does not quote the ${what} name ${JSON.stringify(name)} in its own queries, which extensions need; rename the ${what} in the database, or do without them.`,
      { model },
    );
  };
  const { table, columns } = physical.get(model) ?? {};
  assert(model, 'table', table?.name);
  for (const path of [...paths, ...(registry.get(model)?.primaryKey ?? [])]) {
    assert(`${model}.${path}`, 'column', columns?.get(path)?.name);
  }
}
