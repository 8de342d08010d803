/** Entry file of `src/relational/profile`: compares a database with the profile of its family. */

export { checkProfile, enforceProfile, readIndexUses } from './on-demand.ts';
export type { EnforceOptions, ProfiledSource } from './on-demand.ts';
export type { IndexUse } from './index-uses.ts';
export { profileQuery, profileRunner } from './violation.ts';
export type { CheckProfile, ProfileRule, ProfileViolation, RunProfileQuery } from './violation.ts';
