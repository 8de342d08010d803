/** The types of `parser.cjs`. */

export { parse } from '@babel/parser';
