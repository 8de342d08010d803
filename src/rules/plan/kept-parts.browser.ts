/** Stands for the kept parts of plans in the build for browsers, where few requests are planned. */

export { planParts as keptParts } from './plan-query.ts';
