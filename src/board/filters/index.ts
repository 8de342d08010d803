/** Entry file of `src/board/filters`: filters of jobs as text, for both engines and for the page. */

export { adding } from './adding.ts';
export { conjunctsOf } from './conjuncts.ts';
export { languageOf } from './language.ts';
export type { FilterEngine } from './language.ts';
export { fixedText, readJobFilter } from './job-filter.ts';
export type { JobFilter, ReadJobFilter } from './job-filter.ts';
export { isMet } from './is-met.ts';
export type { JobValue } from './is-met.ts';
export { changed, partOf } from './values-in-json.ts';
export type { JsonPart } from './values-in-json.ts';
export { fieldsInJson, hidden } from './sql-fields.ts';
