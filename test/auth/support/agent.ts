/** A client over plain sockets: it sends headers as they are written, keeps cookies, and follows when told to. */

import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { recordAnswer } from './transcript.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The cookies it sets, as they are written. */
  readonly cookies: readonly string[];
  json(): unknown;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Headers of a browser that goes to a page. */
export const navigation = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
} as const;

/** Sends one request. `board: false` is for answers of the provider, which do hold tokens. */
export function ask(
  url: string | { readonly port: number; readonly path: string },
  { method = 'GET', headers = {}, body }: Asking = {},
  { board = true } = {},
): Promise<Answer> {
  const to =
    typeof url === 'string'
      ? { host: new URL(url).hostname, port: new URL(url).port, path: pathOf(url) }
      : { host: '127.0.0.1', ...url };
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...to, method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const status = incoming.statusCode ?? 0;
        if (board) recordAnswer(status, incoming.headers, text);
        resolve({
          status,
          headers: incoming.headers,
          body: text,
          cookies: incoming.headers['set-cookie'] ?? [],
          json: () => JSON.parse(text) as unknown,
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function pathOf(url: string): string {
  return url.slice(new URL(url).origin.length) || '/';
}

/** A cookie as a browser keeps it. */
interface Kept {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** A browser without a window: one jar of cookies for all hosts of the loopback interface. */
export class Agent {
  #jar: Kept[] = [];

  /** Value of a cookie. */
  cookie(name: string): string | undefined {
    return this.#jar.find((kept) => kept.name === name)?.value;
  }

  /** Names of the cookies that begin so. */
  cookieNames(prefix: string): string[] {
    return this.#jar.map((kept) => kept.name).filter((name) => name.startsWith(prefix));
  }

  /** Puts a cookie into the jar; without a value, takes it out. */
  setCookie(name: string, value?: string, path = '/'): void {
    this.#jar = this.#jar.filter((kept) => kept.name !== name || kept.path !== path);
    if (value !== undefined) this.#jar.push({ name, value, path });
  }

  async ask(url: string, asking: Asking = {}, options: { board?: boolean } = {}): Promise<Answer> {
    const path = new URL(url).pathname;
    const cookie = this.#jar
      .filter((kept) => path === kept.path || path.startsWith(kept.path.replace(/\/?$/, '/')))
      .map((kept) => `${kept.name}=${kept.value}`)
      .join('; ');
    const headers = { ...asking.headers, ...(cookie === '' ? {} : { cookie }) };
    const answer = await ask(url, { ...asking, headers }, options);
    for (const text of answer.cookies) this.#keep(text);
    return answer;
  }

  #keep(text: string): void {
    const [pair = '', ...attributes] = text.split(/;\s*/);
    const equals = pair.indexOf('=');
    const of = (name: string) =>
      attributes.find((one) => one.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
    const value = pair.slice(equals + 1);
    const gone =
      of('max-age') === '0' || value === '' || Date.parse(of('expires') ?? '') < Date.now();
    this.setCookie(pair.slice(0, equals), gone ? undefined : value, of('path') ?? '/');
  }
}
