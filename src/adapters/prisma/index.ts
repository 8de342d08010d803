/** Entry file of `sluice/prisma`: list queries over a Prisma client. */

export { prismaRegistry } from './registry.ts';
export type { PrismaShape } from './registry-shape.ts';
export type { PrismaDescription } from './description.ts';
export type { PrismaClientLike } from './client.ts';
export type { PrismaRow } from './row-type.ts';
export { prismaSource } from './source.ts';
export type { PrismaSource, PrismaSourceOptions } from './source.ts';
export type { CustomizedArgs, PrismaCustomize, PrismaWhere } from './customize.ts';
export { cancelable } from './cancelable.ts';
export { exactYears } from './exact-years.ts';
export { checkProfile, enforceProfile } from '../../relational/profile/index.ts';
export type {
  EnforceOptions,
  ProfiledSource,
  ProfileRule,
  ProfileViolation,
} from '../../relational/profile/index.ts';
