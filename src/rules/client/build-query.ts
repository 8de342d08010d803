/** The client side of the request grammar: writes a typed request as a query string. */

import type { RequestOf } from './client-request.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { ClientValue } from '../typed/rules-types.ts';

/** Filters by path, and by the names of groups. */
type UntypedFilter = Readonly<Record<string, object | ClientValue | null | undefined>>;

/** A request for the children of an include. */
interface UntypedChildren {
  readonly filter?: UntypedFilter | undefined;
  readonly sort?: readonly string[] | undefined;
  readonly perPage?: number | undefined;
}

/** The request as the builder reads it, without the types of a declaration. */
interface UntypedRequest {
  readonly filter?: UntypedFilter | undefined;
  readonly sort?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly includes?: readonly string[] | undefined;
  readonly include?: Readonly<Record<string, UntypedChildren | undefined>> | undefined;
  readonly search?: string | undefined;
  readonly where?: string | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  readonly paginate?: boolean | undefined;
  readonly cursor?: string | undefined;
}

/** The keys of a request that are written as they are, in the order of a query string. */
const keys = [
  'search',
  'where',
  'sort',
  'fields',
  'includes',
  'page',
  'perPage',
  'paginate',
  'cursor',
] as const;

/**
 * Writes the query string of a request, without a leading `?`. Pass the rules as a value, `buildQuery(rules, request)`,
 * or only as a type, `buildQuery<typeof rules>(request)`, so that a browser bundle contains neither the rules nor their
 * registry. The rules are used for type checks only; the endpoint refuses a request that they do not allow.
 * `planQuery(buildQuery(rules, request), rules)` returns the plan of the request.
 *
 * @throws {TypeError} when the request has an unknown key, such as `filters` in place of `filter`, or a condition is null.
 * @throws {RangeError} when a number is not finite or a `Date` is not valid.
 * @throws {URIError} when a text has an unpaired surrogate, which a query string cannot represent.
 */
export function buildQuery<Rules extends CompiledQueryRules>(request: RequestOf<Rules>): string;
export function buildQuery<Rules extends CompiledQueryRules>(
  rules: Rules | undefined,
  request: RequestOf<Rules>,
): string;
export function buildQuery(...args: readonly unknown[]): string {
  return write(args[args.length - 1] as UntypedRequest);
}

/** The keys of what is asked of children that are written as they are. */
const childKeys = ['sort', 'perPage'] as const;

function write({ filter, include = {}, ...given }: UntypedRequest): string {
  const children = Object.entries(include).filter((each) => each[1] !== undefined);
  const included = new Set([...(given.includes ?? []), ...children.map(([path]) => path)]);
  const request: UntypedRequest =
    children.length === 0 ? given : { ...given, includes: [...included] };
  const pairs: string[] = [];
  const add = (prefix: string, filters: UntypedFilter) => {
    for (const [path, conditions] of Object.entries(filters)) {
      const name = `${prefix}[${isNested(path) ? path : encoded(path)}]`;
      if (path === '$not') addWithin(name, conditions);
      else if (isNested(path)) {
        for (const [at, member] of Object.entries(Object(conditions))) {
          addWithin(`${name}[${at}]`, member);
        }
      } else addPath(path, name, conditions);
    }
  };
  const addWithin = (prefix: string, filters: unknown) => {
    if (filters !== undefined) add(prefix, filters as UntypedFilter);
  };
  const addPath = (path: string, name: string, conditions: UntypedFilter[string]) => {
    const isValue = typeof conditions !== 'object' || conditions instanceof Date;
    const operands = isValue ? { eq: conditions } : conditions;
    for (const [operator, operand] of Object.entries(operands ?? { eq: null })) {
      if (operand === null) throw new TypeError(`"filter.${path}" must not be null; use isNull`);
      if (isNested(operator)) addWithin(`${name}[${operator}]`, operand);
      else if (operand !== undefined)
        pairs.push(`${name}[${encoded(operator)}]=${operandText(operand)}`);
    }
  };
  const addValues = (of: object, known: readonly string[], nameOf: (key: string) => string) => {
    for (const key of known) {
      const value: unknown = Reflect.get(of, key) ?? [];
      const items = [value as ClientValue | ClientValue[]].flat();
      if (items.length > 0) pairs.push(`${nameOf(key)}=${items.map(encoded).join(',')}`);
    }
  };
  add('filter', filter ?? {});
  addValues(request, keys, String);
  for (const [path, asked = {}] of children) {
    const { filter: filters = {}, ...others } = asked;
    const prefix = `include[${encoded(path)}]`;
    add(`${prefix}[filter]`, filters);
    addValues(others, childKeys, (key) => `${prefix}[${key}]`);
    assertKnown(others, childKeys, `include.${path}`, 'filter');
  }
  assertKnown(request, keys, 'a request', 'filter');
  return pairs.join('&');
}

function assertKnown(of: object, known: readonly string[], place: string, further: string): void {
  for (const key in of) {
    if (known.includes(key)) continue;
    throw new TypeError(
      `"${key}" is not an option of ${place}; it has ${further}, ${known.join(', ')}`,
    );
  }
}

/** Whether the name is that of a group or a quantifier. */
const isNested = (name: string): boolean => /^\$[a-z]+$/.test(name);

function operandText(operand: ClientValue | ClientValue[]): string {
  if (!Array.isArray(operand)) return encoded(operand);
  return operand.map((item) => encoded(quoted(valueText(item)))).join(',');
}

function encoded(value: ClientValue): string {
  return encodeURIComponent(valueText(value));
}

/** A list item; quoted where it is empty or contains a character with a meaning in lists. */
function quoted(text: string): string {
  if (text !== '' && !/[",\\]/.test(text)) return text;
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The text of a value in a request. */
export function valueText(value: ClientValue): string {
  if (typeof value === 'number') return numberText(value);
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Plain digits: the grammar of numbers has no exponent, `NaN` or infinity. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('A number in a request must be finite.');
  const text = String(value);
  const at = text.indexOf('e');
  if (at < 0) return text;
  if (Number.isInteger(value)) return BigInt(value).toString();
  // A number with a negative exponent is smaller than 1e-6, so all of its digits follow the decimal point.
  const digits = text.slice(0, at).replace(/[-.]/g, '');
  const zeros = -Number(text.slice(at + 1)) - 1;
  return `${value < 0 ? '-' : ''}0.${'0'.repeat(zeros)}${digits}`;
}
