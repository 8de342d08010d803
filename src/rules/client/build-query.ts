/** The client side of the request grammar: writes a typed request as a query string. */

import type { RequestOf } from './client-request.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { ClientValue } from '../typed/facts.ts';

/** The request as the builder reads it, without the types of a declaration. */
interface UntypedRequest {
  readonly filter?: Readonly<Record<string, unknown>> | undefined;
  readonly sort?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly includes?: readonly string[] | undefined;
  readonly search?: string | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  readonly paginate?: boolean | undefined;
  readonly cursor?: string | undefined;
}

/**
 * Writes the query string of a request, without a leading `?`. Pass the rules as a value, `buildQuery(rules, request)`,
 * or only as a type, `buildQuery<typeof rules>(request)`, so that a browser bundle contains neither the rules nor their
 * registry. The rules are used for type checks only; the endpoint refuses a request that they do not allow.
 * `planQuery(buildQuery(rules, request), rules)` returns the plan of the request.
 *
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

function write(request: UntypedRequest): string {
  const pairs: string[] = [];
  for (const [path, conditions] of Object.entries(request.filter ?? {})) {
    for (const [operator, operand] of Object.entries(conditions ?? {})) {
      if (operand !== undefined)
        pairs.push(`${filterName(path, operator)}=${operandText(operand)}`);
    }
  }
  if (request.search !== undefined) pairs.push(`search=${encodeURIComponent(request.search)}`);
  for (const name of ['sort', 'fields', 'includes'] as const) {
    const paths = request[name];
    if (paths !== undefined && paths.length > 0)
      pairs.push(`${name}=${paths.map(encodeURIComponent).join(',')}`);
  }
  for (const name of ['page', 'perPage', 'paginate', 'cursor'] as const) {
    const value = request[name];
    if (value !== undefined) pairs.push(`${name}=${encodeURIComponent(valueText(value))}`);
  }
  return pairs.join('&');
}

function filterName(path: string, operator: string): string {
  return `filter[${encodeURIComponent(path)}][${encodeURIComponent(operator)}]`;
}

function operandText(operand: unknown): string {
  if (!Array.isArray(operand)) return encodeURIComponent(valueText(operand as ClientValue));
  return operand
    .map((item) => encodeURIComponent(quoted(valueText(item as ClientValue))))
    .join(',');
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
