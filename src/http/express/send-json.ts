/** Sends a body as Express's `res.json` does, with fewer steps where nothing of the host's takes part in it. */

import { resultText, withRows } from '../../rules/index.ts';
import { strongEtag } from '../endpoint/node-etag.ts';
import { type SentText, type TextResponse, endWith, sentText } from '../endpoint/sent-text.ts';
import type { EndpointRequest, EndpointResponse } from './endpoint-types.ts';

/** The settings and methods of Express that decide about a response. */
interface ExpressResponse extends TextResponse {
  hasHeader(name: string): boolean;
  readonly app?: {
    get(setting: string): unknown;
    readonly response?: object;
    readonly settings?: { readonly [setting: string]: unknown };
  };
  readonly statusCode: number;
  json(body: unknown): unknown;
  setHeader(name: string, value: string): unknown;
  removeHeader(name: string): void;
}

type EtagOf = (bytes: Buffer) => string | undefined;

interface ExpressRequest {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: unknown };
  /** Whether the client has the response with these headers already. */
  readonly fresh?: boolean;
}

/** Whether methods of Express's responses are its own: a wrapper reads none of the settings that they read. */
const known = new WeakMap<object, boolean>();

function reads(method: unknown, setting: string): boolean {
  if (typeof method !== 'function') return false;
  let isOwn = known.get(method);
  if (isOwn === undefined) {
    isOwn = new RegExp(`['"\`]${setting}['"\`]`).test(String(method));
    known.set(method, isOwn);
  }
  return isOwn;
}

/** The methods through which Express sends JSON. */
interface Methods {
  readonly json?: unknown;
  readonly send?: unknown;
  readonly set?: unknown;
  readonly header?: unknown;
  readonly get?: unknown;
}

/** Whether nothing of the host's stands between a body and the response. */
function hasOwnMethods(response: ExpressResponse): boolean {
  const own = response.app?.response;
  if (!own || typeof response.hasHeader !== 'function') return false;
  const given = response as Methods;
  const prototype = Object.getPrototypeOf(own) as Methods;
  return (
    given.json === prototype.json &&
    given.send === prototype.send &&
    given.set === prototype.set &&
    given.header === prototype.header &&
    given.get === prototype.get &&
    reads(prototype.json, 'json escape') &&
    reads(prototype.send, 'etag fn')
  );
}

/** The function that makes ETags, or `false`; `undefined` where `res.json` must send the response. */
function directEtag(response: ExpressResponse): unknown {
  const settings = response.app?.settings;
  if (response.statusCode !== 200 || !settings || !hasOwnMethods(response)) return undefined;
  if (settings['json escape'] || settings['json replacer'] || settings['json spaces']) {
    return undefined;
  }
  const isDecided =
    response.hasHeader('content-type') ||
    response.hasHeader('etag') ||
    response.hasHeader('transfer-encoding');
  return isDecided ? undefined : (settings['etag fn'] ?? false);
}

/** The values of the setting `etag` for which Express's own functions make ETags. */
const ownEtags: ReadonlySet<unknown> = new Set([true, 'weak', 'strong']);

/** The signs of functions whose ETags are those of `strongEtag`, which costs half as much, and `undefined` for others. */
const signs = new WeakMap<EtagOf, 'W/' | '' | undefined>();

/** The ETag of a body by the function of the application. */
function etagFor({ app }: ExpressResponse, etagOf: EtagOf, body: SentText): string | undefined {
  if (!signs.has(etagOf)) {
    const made = ownEtags.has(app?.get('etag')) ? etagOf(Buffer.from(body.content)) : undefined;
    const strong = strongEtag(body);
    signs.set(etagOf, made === strong ? '' : made === `W/${strong}` ? 'W/' : undefined);
  }
  const sign = signs.get(etagOf);
  return sign === undefined ? etagOf(Buffer.from(body.content)) : sign + strongEtag(body);
}

/** Whether no method of the host's looks at the body of a response. */
export const sendsDirectly = (response: EndpointResponse<never>): boolean =>
  hasOwnMethods(response as unknown as ExpressResponse);

/** Answers 200 with a body as JSON. */
export function sendJson<Body>(
  request: EndpointRequest & ExpressRequest,
  response: EndpointResponse<Body>,
  body: Body,
): void {
  const direct = response as unknown as ExpressResponse;
  const etagOf = directEtag(direct);
  if (etagOf === undefined) {
    // Settings and methods that the host has changed meanwhile see rows.
    response.json(withRows(body as object) as Body);
    return;
  }
  const sent = sentText(direct, resultText(body as object));
  direct.setHeader('Content-Type', 'application/json; charset=utf-8');
  direct.setHeader('Content-Length', String(sent.length));
  const etag = typeof etagOf === 'function' && etagFor(direct, etagOf as EtagOf, sent);
  if (etag) direct.setHeader('ETag', etag);
  const { headers = {} } = request;
  const isConditional =
    headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
  const isKnown = isConditional && request.fresh;
  if (isKnown) {
    response.status(304);
    direct.removeHeader('Content-Type');
    direct.removeHeader('Content-Length');
  }
  if (request.method === 'HEAD') direct.end();
  else if (isKnown) direct.end('', 'utf8');
  else endWith(direct, sent);
}
