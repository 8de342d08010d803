/** The client's side of the request grammar: a typed request to the query string that means it. */

import type { ClientValue, RequestOf } from './client-request.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';

/** The request as the builder reads it, whatever the declaration allows. */
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
 * Writes the query string of a request, without a leading `?`: names the rules by value,
 * `buildQuery(rules, request)`, or by type alone, `buildQuery<typeof rules>(request)`, so that a browser
 * bundle holds neither the rules nor their registry. The rules serve the compiler; what they do not allow
 * is left to the endpoint to refuse. `planQuery(buildQuery(rules, request), rules)` means the request
 * (decisions-query, "Request grammar").
 *
 * @throws {RangeError} when a number is not finite or a `Date` is not valid.
 * @throws {URIError} when text has an unpaired surrogate, which no request can carry.
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

/** A list item; quoted where it is empty or holds a character that means something in a list. */
function quoted(text: string): string {
  if (text !== '' && !/[",\\]/.test(text)) return text;
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function valueText(value: ClientValue): string {
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
  // A fraction with an exponent is smaller than 1e-6: all its digits stand after the point.
  const digits = text.slice(0, at).replace(/[-.]/g, '');
  const zeros = -Number(text.slice(at + 1)) - 1;
  return `${value < 0 ? '-' : ''}0.${'0'.repeat(zeros)}${digits}`;
}
