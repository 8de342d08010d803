/** Public interface of `sluice/companions`: the migration that adds and fills folded and order columns. */

export type { CompanionModel } from './plan.ts';
export type {
  CompanionOptions,
  CompanionProgress,
  CompanionTableReport,
  RefusedValues,
} from './options.ts';
export { printCompanions } from './print-companions.ts';
export { runCompanions } from './run-companions.ts';
