/** Sluice on TypeORM: plain rows, or entities. */

import {
  typeormRegistry,
  typeormSource,
  withComputedFields,
} from '../../src/adapters/typeorm/index.ts';
import { sluice } from './contender.ts';
import type { Contender } from './contender.ts';
import type { RequestValues } from './requests.ts';
import { computed, sluiceContender } from './sluice.ts';
import { typeormDataSource, typeormEntities } from './typeorm-entities.ts';
import type { TypeormFamily } from './typeorm-entities.ts';

/** Sluice on its own data source. */
export async function sluiceOnTypeorm(
  family: TypeormFamily,
  hydrate: boolean,
  values: readonly RequestValues[],
): Promise<Contender> {
  const entities = typeormEntities(family);
  const dataSource = await typeormDataSource(family, entities);
  const registry = withComputedFields(typeormRegistry(Object.values(entities)), computed);
  const source = typeormSource(dataSource, entities.user, { registry, hydrate });
  const name = hydrate ? sluice.typeormEntities : sluice.typeorm;
  return sluiceContender(name, source, registry, values, () => dataSource.destroy());
}
