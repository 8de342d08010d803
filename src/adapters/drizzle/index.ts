/** Entry file of `sluice/drizzle`: list queries over Drizzle tables. */

import { checkDrizzle } from './checked-version.ts';

checkDrizzle();

export { drizzleRegistry } from './describe/registry.ts';
export type { OverridesFor } from './describe/registry.ts';
export type { DrizzleShape } from './describe/registry-shape.ts';
export { manyToMany } from './describe/many-to-many.ts';
export type { ManyToMany, ManyToManyOptions } from './describe/many-to-many.ts';
export type { DrizzleSchema } from './describe/schema-module.ts';
export type {
  DrizzleOverrides,
  ModelOverrides,
  PathOverride,
} from './describe/describe-overrides.ts';
export type { DrizzleRelations } from './describe/describe-relations.ts';
export type { DrizzleRow } from './describe/row-type.ts';
export { drizzleSource } from './source.ts';
export type { DrizzleSource, DrizzleSourceOptions } from './source.ts';
export type { DrizzleCustomize, DrizzleSelect } from './select-builder.ts';
export { withComputedFields } from '../../schema/index.ts';
export type { ComputedField, ComputedFields, WithComputedFields } from '../../schema/index.ts';
export { checkProfile, enforceProfile } from '../../relational/profile/index.ts';
export type {
  EnforceOptions,
  ProfiledSource,
  ProfileRule,
  ProfileViolation,
} from '../../relational/profile/index.ts';
