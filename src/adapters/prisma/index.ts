/** Entry file of `sluice/prisma`: list queries over a Prisma client. */

export { prismaRegistry } from './describe/registry.ts';
export type { PrismaShape } from './describe/registry-shape.ts';
export type { PrismaDescription } from './describe/description.ts';
export type { PrismaClientLike } from './client.ts';
export type { PrismaRow } from './describe/row-type.ts';
export { prismaSource } from './source.ts';
export type { PrismaSource, PrismaSourceOptions } from './source.ts';
export type { CustomizedArgs, PrismaCustomize, PrismaWhere } from './customize.ts';
export { cancelable } from './cancelable.ts';
export { exactYears } from './describe/exact-years.ts';
export { withComputedFields } from '../../schema/index.ts';
export type { ComputedField, ComputedFields, WithComputedFields } from '../../schema/index.ts';
export { checkProfile, enforceProfile } from '../../relational/profile/index.ts';
export type {
  EnforceOptions,
  ProfiledSource,
  ProfileRule,
  ProfileViolation,
} from '../../relational/profile/index.ts';
