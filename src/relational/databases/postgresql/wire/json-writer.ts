/** The parts that write rows as JSON, which are loaded together. */

export { jsonProgram } from './json-program.ts';
export { rowsJson } from './json-rows.ts';
