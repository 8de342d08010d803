/** Named hostile requests, each with the exact code and details of its refusal. */

import type { ListRequestInput } from '../../src/index.ts';
import { filter } from './hostile-case.ts';
import type { HostileCase } from './hostile-case.ts';
import { conflicts, cursors, pages, values } from './value-cases.ts';

const tooLong = { maxQueryLength: 16_384 };

const unknownParams: readonly HostileCase[] = [
  { name: 'a parameter outside the grammar', request: 'limit=1', details: { param: 'limit' } },
  { name: 'a parameter in other letters', request: 'PerPage=1', details: { param: 'PerPage' } },
  {
    name: 'a prototype name as parameter',
    request: '__proto__=1',
    details: { param: '__proto__' },
  },
  {
    name: 'a bracketed prototype name',
    request: '__proto__[filter]=1',
    details: { param: '__proto__' },
  },
  {
    name: 'the parameter constructor',
    request: 'constructor=1',
    details: { param: 'constructor' },
  },
  {
    name: 'a name that is not a plain word, not repeated',
    request: '%3Cscript%3E=1',
    details: { param: '' },
  },
  { name: 'a name without a name', request: '=1', details: { param: '' } },
  { name: 'a very long name', request: `${'x'.repeat(100)}=1`, details: { param: '' } },
  {
    name: 'an own __proto__ key of a parsed object',
    request: JSON.parse('{"__proto__":{"filter":1}}') as Record<string, unknown>,
    details: { param: '__proto__' },
  },
].map((row) => ({ ...row, code: 'QUERY_SYNTAX_UNKNOWN_PARAM' }));

const syntax: readonly HostileCase[] = [
  { name: 'a query string of 1 MB', request: `search=${'a'.repeat(1_000_000)}`, details: tooLong },
  { name: 'an object of 1 MB', request: { search: 'a'.repeat(1_000_000) }, details: tooLong },
  { name: '10,000 items', request: `filter[id][in]=${'1,'.repeat(10_000)}1`, details: tooLong },
  {
    name: '10,000 items in an array',
    request: { filter: { id: { in: new Array(20_000).fill(1) } } },
    details: tooLong,
  },
  {
    name: '51 filters',
    request: Array.from({ length: 51 }, (_, at) => `filter[a${at}]=1`).join('&'),
    details: { maxFilters: 50 },
  },
  { name: 'a lone percent sign', request: 'search=%' },
  { name: 'percent and no hexadecimal digits', request: 'search=%zz' },
  { name: 'bytes that are not UTF-8', request: 'search=%C3%28' },
  { name: 'an unpaired surrogate as bytes', request: filter('name', 'eq', '%ED%A0%80') },
  { name: 'an overlong encoding', request: 'search=%C0%AE' },
  { name: 'a broken name', request: '%E2%82=1' },
  { name: 'a bare filter', request: 'filter=1', details: { param: 'filter' } },
  { name: 'a filter without a path', request: 'filter[]=1', details: { param: 'filter' } },
  { name: 'a filter that is not closed', request: 'filter[name=1', details: { param: 'filter' } },
  {
    name: 'a filter three levels deep',
    request: 'filter[name][in][low]=1',
    details: { param: 'filter' },
  },
  {
    name: 'a filter thousands of levels deep',
    request: `filter${'[a]'.repeat(5000)}=1`,
    details: { param: 'filter' },
  },
  { name: 'a path with a blank', request: 'filter[na%20me]=1', details: { param: 'filter' } },
  { name: 'a path with a NUL', request: 'filter[name%00]=1', details: { param: 'filter' } },
  { name: 'a wildcard path', request: 'filter[*]=1', details: { param: 'filter' } },
  { name: 'a path that ends in a dot', request: 'filter[firm.]=1', details: { param: 'filter' } },
  {
    name: 'an operator that is not a word',
    request: filter('name', '$ne', '1'),
    details: { param: 'filter' },
  },
  { name: 'a wildcard among the fields', request: 'fields=*', details: { param: 'fields' } },
  {
    name: 'a wildcard of a relation',
    request: 'includes=firm&fields=firm.*',
    details: { param: 'fields' },
  },
  { name: 'a wildcard among the includes', request: 'includes=*', details: { param: 'includes' } },
  { name: 'a sort with two signs', request: 'sort=--name', details: { param: 'sort' } },
  { name: 'SQL as a sort', request: 'sort=name;drop table x', details: { param: 'sort' } },
  { name: 'a parameter written as a list', request: 'page[]=1', details: { param: 'page' } },
  { name: 'a page twice', request: 'page=1&page=1', details: { param: 'page' } },
  { name: 'a search twice', request: 'search=a&search=b', details: { param: 'search' } },
  {
    name: 'one value twice',
    request: 'filter[name]=a&filter[name]=b',
    details: { path: 'name', operator: 'eq' },
  },
  {
    name: 'one value twice, once in short',
    request: 'filter[name]=a&filter[name][eq]=b',
    details: { path: 'name', operator: 'eq' },
  },
  {
    name: 'an array where one value belongs',
    request: { filter: { name: { eq: ['a'] } } },
    details: { path: 'name', operator: 'eq' },
  },
  {
    name: 'an object where a value belongs',
    request: { filter: { name: { eq: { eq: 'a' } } } },
    details: { param: 'filter' },
  },
  {
    name: 'a function where a value belongs',
    request: { search: () => 'a' },
    details: { param: 'search' },
  },
  {
    name: 'an array of arrays',
    request: { filter: { id: { in: [['1']] } } },
    details: { param: 'filter' },
  },
  {
    name: 'an unclosed quote',
    request: filter('name', 'in', '%22a'),
    details: { param: 'filter[name][in]' },
  },
  {
    name: 'an unescaped trailing backslash',
    request: filter('name', 'in', 'a%5C'),
    details: { param: 'filter[name][in]' },
  },
  { name: 'an unclosed quote in a sort', request: 'sort=%22name', details: { param: 'sort' } },
].map((row) => ({ ...row, code: 'QUERY_SYNTAX_INVALID' }));

const paths: readonly HostileCase[] = [
  {
    name: 'a filter on __proto__',
    request: 'filter[__proto__]=1',
    details: { param: 'filter', path: '__proto__' },
  },
  {
    name: 'a filter on constructor',
    request: 'filter[constructor]=1',
    details: { param: 'filter', path: 'constructor' },
  },
  {
    name: 'a filter through prototype names',
    request: 'filter[firm.constructor.name]=1',
    details: { param: 'filter', path: 'firm.constructor.name' },
  },
  {
    name: 'an own __proto__ key of a filter object',
    request: { filter: JSON.parse('{"__proto__":{"eq":"1"}}') as unknown },
    details: { param: 'filter', path: '__proto__' },
  },
  {
    name: 'a field that does not exist',
    request: 'filter[nothing]=1',
    details: { param: 'filter', path: 'nothing' },
  },
  {
    name: 'a field that is not allowed',
    request: 'filter[secret]=1',
    details: { param: 'filter', path: 'secret' },
  },
  {
    name: 'an internal field',
    request: 'filter[nameFolded]=1',
    details: { param: 'filter', path: 'nameFolded' },
  },
  {
    name: 'a column name',
    request: 'filter[c_name]=1',
    details: { param: 'filter', path: 'c_name' },
  },
  {
    name: 'a relation that is only crossed',
    request: 'filter[labels][isNull]=true',
    details: { param: 'filter', path: 'labels' },
  },
  {
    name: 'an internal field as sort',
    request: 'sort=nameFolded',
    details: { param: 'sort', path: 'nameFolded' },
  },
  {
    name: 'a sort through a many relation',
    request: 'sort=notes.text',
    details: { param: 'sort', path: 'notes.text' },
  },
  {
    name: 'a field that is never shown',
    request: 'fields=secret',
    details: { param: 'fields', path: 'secret' },
  },
  {
    name: 'a field of a relation that is not included',
    request: 'fields=firm.name',
    details: { param: 'fields', path: 'firm.name' },
  },
  {
    name: 'an include that does not exist',
    request: 'includes=nothing',
    details: { param: 'includes', path: 'nothing' },
  },
  {
    name: 'a deep include without its parent',
    request: 'includes=notes.person',
    details: { param: 'includes', path: 'notes.person' },
  },
].map((row) => ({ ...row, code: 'FIELD_NOT_ALLOWED' }));

const operators: readonly HostileCase[] = [
  {
    name: 'like on an integer',
    request: filter('age', 'like', '1'),
    details: { path: 'age', operator: 'like' },
  },
  {
    name: 'an operator not allowed on the path',
    request: filter('nick', 'ne', 'a'),
    details: { path: 'nick', operator: 'ne' },
  },
  {
    name: 'an operator that does not exist',
    request: filter('name', 'regex', 'a'),
    details: { path: 'name', operator: 'regex' },
  },
  {
    name: 'a prototype name as operator',
    request: filter('name', 'constructor', 'a'),
    details: { path: 'name', operator: 'constructor' },
  },
  {
    name: 'eq on a relation',
    request: filter('firm', 'eq', '1'),
    details: { path: 'firm', operator: 'eq' },
  },
].map((row) => ({ ...row, code: 'OPERATOR_NOT_ALLOWED' }));

/** Each request breaks every rule from its own check on; the first check to fail answers. */
const inOrder: readonly HostileCase[] = [
  {
    name: 'unknown parameters come before syntax',
    request: 'search=%zz&filter[*]=1&nothing=1',
    code: 'QUERY_SYNTAX_UNKNOWN_PARAM',
  },
  {
    name: 'syntax comes before authorisation',
    request: 'filter[secret]=1&sort=na me&page=0',
    code: 'QUERY_SYNTAX_INVALID',
  },
  {
    name: 'the syntax of a list comes before its path is looked up',
    request: 'filter[secret][in]=%22a&includes=nothing',
    code: 'QUERY_SYNTAX_INVALID',
  },
  {
    name: 'includes come before filters',
    request: 'filter[secret]=1&includes=nothing&sort=secret&fields=secret&page=0',
    code: 'FIELD_NOT_ALLOWED',
    details: { param: 'includes', path: 'nothing' },
  },
  {
    name: 'filters come before sorts',
    request: 'sort=secret&fields=secret&filter[name][regex]=1&filter[age]=x&page=0',
    code: 'OPERATOR_NOT_ALLOWED',
  },
  {
    name: 'sorts come before the projection',
    request: 'fields=secret&sort=name,-name&filter[age]=x&page=0',
    code: 'SORT_CONFLICT',
  },
  {
    name: 'the projection comes before values',
    request: 'filter[age]=x&fields=secret&page=0',
    code: 'FIELD_NOT_ALLOWED',
    details: { param: 'fields', path: 'secret' },
  },
  {
    name: 'values come before pagination',
    request: 'page=0&cursor=x&filter[age]=x',
    code: 'FILTER_VALUE_INVALID',
  },
  {
    name: 'pagination comes before the cursor',
    request: 'cursor=x&perPage=0',
    code: 'PAGINATION_INVALID',
  },
];

/** Every refusal by the check that makes it. */
export const hostileCases: { readonly [check: string]: readonly HostileCase[] } = {
  'unknown parameters': unknownParams,
  syntax,
  paths,
  operators,
  values,
  pages,
  cursors,
  conflicts,
  'the order of checks': inOrder,
};

/** Requests that look hostile and mean what they say: the rows they find. */
export const harmlessCases: readonly {
  readonly name: string;
  readonly request: ListRequestInput;
  readonly ids: readonly number[];
}[] = [
  { name: 'a percent sign', request: filter('name', 'like', '%25'), ids: [3] },
  { name: 'an underscore', request: filter('name', 'ilike', '_'), ids: [7] },
  { name: 'a backslash', request: filter('name', 'like', '%5C'), ids: [4] },
  { name: 'a quote and a comment', request: filter('name', 'like', "'Hara; --"), ids: [5] },
  { name: 'a wildcard as search', request: 'search=%25', ids: [1, 3] },
  { name: 'outer blanks', request: filter('name', 'eq', '%20blank%20'), ids: [8] },
  { name: 'blanks that are not there', request: filter('name', 'eq', 'blank'), ids: [] },
  { name: 'other letters', request: filter('name', 'eq', 'ADA'), ids: [] },
  { name: 'in an empty list', request: 'filter[id][in]=', ids: [] },
  { name: 'not in an empty list', request: 'filter[id][notIn]=', ids: [1, 2, 3, 4, 5, 6, 7, 8] },
  { name: 'the longest list', request: `filter[id][in]=${'1,'.repeat(999)}2`, ids: [1, 2] },
  { name: 'a range with its bounds swapped', request: filter('id', 'between', '3,1'), ids: [] },
  { name: 'a prototype name as text', request: filter('name', 'eq', '__proto__'), ids: [] },
  { name: 'a page past the end', request: 'page=9007199254740991&perPage=1', ids: [] },
  {
    name: 'the same sort many times',
    request: `sort=${'id,'.repeat(2000)}id&perPage=2`,
    ids: [1, 2],
  },
  { name: 'empty parameters', request: '&&search=&&', ids: [1, 2, 3, 4, 5, 6, 7, 8] },
];
