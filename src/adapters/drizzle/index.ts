/** Entry file of `sluice/drizzle`: list queries over Drizzle tables. */

import { checkDrizzle } from './checked-version.ts';

checkDrizzle();

export { drizzleRegistry } from './registry.ts';
export type { OverridesFor } from './registry.ts';
export type { DrizzleShape } from './registry-shape.ts';
export { manyToMany } from './many-to-many.ts';
export type { ManyToMany, ManyToManyOptions } from './many-to-many.ts';
export type { ColumnNaming, DrizzleTables } from './describe-metadata.ts';
export type { DrizzleOverrides, ModelOverrides, PathOverride } from './describe-overrides.ts';
export type { DrizzleRelations } from './describe-relations.ts';
export type { DrizzleRow } from './row-type.ts';
export { drizzleSource } from './source.ts';
export type { DrizzleSource, DrizzleSourceOptions } from './source.ts';
export type { DrizzleCustomize, DrizzleSelect } from './select-builder.ts';
export { checkProfile, enforceProfile } from '../../relational/profile/index.ts';
export type {
  EnforceOptions,
  ProfiledSource,
  ProfileRule,
  ProfileViolation,
} from '../../relational/profile/index.ts';
