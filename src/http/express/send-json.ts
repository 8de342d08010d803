/** Sends a body as Express's `res.json` does, with fewer steps where nothing of the host's takes part in it. */

import { hash } from 'node:crypto';
import { resultText } from '../../rules/index.ts';
import { type SentText, type TextResponse, endWith, sentText } from '../endpoint/sent-text.ts';
import type { EndpointRequest, EndpointResponse } from './endpoint-types.ts';

/** The settings and methods of Express that decide about a response. */
interface ExpressResponse extends TextResponse {
  getHeaderNames(): string[];
  readonly app?: { get(setting: string): unknown; readonly response?: object };
  readonly statusCode: number;
  json(body: unknown): unknown;
  setHeader(name: string, value: string | number): unknown;
  removeHeader(name: string): void;
}

type EtagOf = (bytes: Buffer) => string | undefined;

interface ExpressRequest {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: unknown };
  /** Whether the client has the response with these headers already. */
  readonly fresh?: boolean;
}

/** Whether the methods of Express's responses are its own, by the object on which an application's are built. */
const unchanged = new WeakMap<object, boolean>();

function isUnchanged(prototype: object): boolean {
  let known = unchanged.get(prototype);
  if (known === undefined) {
    // A wrapper reads none of the settings that Express's own functions read.
    const reads = (method: string, setting: string): boolean =>
      new RegExp(`['"\`]${setting}['"\`]`).test(String(Reflect.get(prototype, method)));
    known = reads('json', 'json escape') && reads('send', 'etag fn');
    unchanged.set(prototype, known);
  }
  return known;
}

const decided: ReadonlySet<string> = new Set(['content-type', 'etag', 'transfer-encoding']);

/** The function that makes ETags, or `false`; `undefined` where `res.json` must send the response. */
function directEtag(response: ExpressResponse): unknown {
  const { app, statusCode } = response;
  const own = app?.response;
  if (statusCode !== 200 || !own) return undefined;
  const prototype = Object.getPrototypeOf(own) as { json?: unknown; send?: unknown };
  const { json, send } = response as { json?: unknown; send?: unknown };
  if (json !== prototype.json || send !== prototype.send || !isUnchanged(prototype)) {
    return undefined;
  }
  if (app.get('json escape') || app.get('json replacer') || app.get('json spaces')) {
    return undefined;
  }
  if (response.getHeaderNames().some((name) => decided.has(name))) return undefined;
  return app.get('etag fn') ?? false;
}

/** The values of the setting `etag` for which Express's own functions make ETags. */
const ownEtags: ReadonlySet<unknown> = new Set([true, 'weak', 'strong']);

/** The ETag of those functions without the sign of a weak one, at half of the cost. */
const strongEtag = ({ content, length }: SentText): string =>
  `"${length.toString(16)}-${hash('sha1', content, 'base64').slice(0, 27)}"`;

/** The signs of functions that make such ETags, and `undefined` for others. */
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

/** Whether a response is sent here, and not by methods that the host may have replaced. */
export function sendsDirectly(response: EndpointResponse<never>): boolean {
  const direct = response as unknown as ExpressResponse;
  return typeof direct.getHeaderNames === 'function' && directEtag(direct) !== undefined;
}

/** Answers 200 with a body as JSON. */
export function sendJson<Body>(
  request: EndpointRequest & ExpressRequest,
  response: EndpointResponse<Body>,
  body: Body,
): void {
  const direct = response as unknown as ExpressResponse;
  const etagOf = typeof direct.getHeaderNames === 'function' ? directEtag(direct) : undefined;
  if (etagOf === undefined) {
    response.json(body);
    return;
  }
  const sent = sentText(direct, resultText(body as object));
  direct.setHeader('Content-Type', 'application/json; charset=utf-8');
  direct.setHeader('Content-Length', sent.length);
  const etag = typeof etagOf === 'function' && etagFor(direct, etagOf as EtagOf, sent);
  if (etag) direct.setHeader('ETag', etag);
  const { headers = {} } = request;
  const isConditional =
    headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
  if (isConditional && request.fresh) {
    response.status(304);
    direct.removeHeader('Content-Type');
    direct.removeHeader('Content-Length');
    direct.end();
  } else if (request.method === 'HEAD') direct.end();
  else endWith(direct, sent);
}
