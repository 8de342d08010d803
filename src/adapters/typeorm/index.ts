/** Entry file of `sluice/typeorm`: list queries over TypeORM entities. */

export { QueryField, QueryHidden, QueryModel } from './describe/annotations.ts';
export type { QueryFieldOptions, QueryModelOptions } from './describe/annotations.ts';
export type {
  AnyEntitySchema,
  EntityClass,
  EntityDeclaration,
} from './describe/declared-entity.ts';
export { typeormRegistry } from './describe/registry.ts';
export type { EntityShape, NamedEntities, TypeormShape } from './describe/registry-shape.ts';
export { foldedColumns } from './describe/folded-columns.ts';
export type { TypeormRow } from './describe/row-type.ts';
export { typeormSource } from './source.ts';
export type { SourceRow, TypeormSource, TypeormSourceOptions } from './source.ts';
export type { TypeormCustomize } from './select-builder.ts';
export { withComputedFields } from '../../schema/index.ts';
export type { ComputedField, ComputedFields, WithComputedFields } from '../../schema/index.ts';
export { checkProfile, enforceProfile } from '../../relational/profile/index.ts';
export type {
  EnforceOptions,
  ProfiledSource,
  ProfileRule,
  ProfileViolation,
} from '../../relational/profile/index.ts';
