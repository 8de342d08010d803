/** A list request whose parameters came as the body of a POST or QUERY request. */

import { isObject } from '../../lib/index.ts';
import { configurationError } from '../../schema/index.ts';

/** Shared by copies of the package, as an ES module and as CommonJS. No parser of a client's text makes symbols. */
const sign = Symbol.for('sluice.bodyRequest');

/** A list request with a body; made by `bodyRequest`. */
export interface BodyRequest {
  /** The body: the text of a form, or the parsed object. */
  readonly body: string | { readonly [param: string]: unknown };
  /** The query string of the address, whose parameters count as well. */
  readonly query: string;
}

/**
 * The list request of a POST or QUERY request, for lists that no address holds: the parameters of a query string as body.
 * `limits.maxBodyLength` bounds it.
 *
 * @param body the body as text, as a form sends it (`application/x-www-form-urlencoded`), or the object that a
 * framework's parser made of it
 * @param query the query string of the address; its parameters are added to those of the body, so that one which both
 * have is one given twice. Default: none
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the body is neither text nor an object
 */
export function bodyRequest(body: BodyRequest['body'], query = ''): BodyRequest {
  const isBody = typeof body === 'string' || (typeof body === 'object' && body !== null);
  if (!isBody || typeof query !== 'string') {
    throw configurationError(
      'bodyRequest: "body" must be a string or an object, "query" a string.',
    );
  }
  return Object.freeze({ body, query, [sign]: true });
}

/** Whether an input was made by `bodyRequest`. */
export const isBodyRequest = (input: unknown): input is BodyRequest =>
  isObject(input) && Object.getOwnPropertySymbols(input).includes(sign);
