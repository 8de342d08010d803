/** The strategy `basic`: one user name and password, which the browser asks for (RFC 7617). */

import { hash, timingSafeEqual } from 'node:crypto';
import type { AuthRequest } from '../web.ts';
import { needsPassword, tooManyAttempts } from '../answers.ts';
import { AttemptLimiter } from '../attempt-limit.ts';
import type { Exchange } from '../exchange.ts';
import type { Tell } from '../event.ts';
import type { AuthUser, BasicOptions } from '../options.ts';
import { userOf } from '../auth-user.ts';
import { canBeGuessed } from '../secret-strength.ts';
import type { Identity, Strategy } from '../strategy.ts';

/** Maximum length of the header, in characters. */
const longest = 8192;

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** `user:password` of a request; `undefined` without the header or with another scheme. */
function credentialsOf({ headers: { authorization } }: AuthRequest): string | undefined {
  if (authorization === undefined || authorization.length > longest) return undefined;
  const encoded = /^basic +([\w+/=-]*) *$/i.exec(authorization)?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
}

const passwordIn = (credentials: string): string => credentials.slice(credentials.indexOf(':') + 1);

/** A browser sends the credentials with every request, also from other sites: see {@link Identity.by}. */
export class BasicStrategy implements Strategy {
  readonly described = {
    strategy: 'basic',
    header: null,
    sessionCookie: null,
    openIdConnectUrl: null,
  } as const;
  readonly #expected: Buffer;
  readonly #user: AuthUser;
  readonly #limiter: AttemptLimiter;
  readonly #tell: Tell;

  constructor({ user, password, ...options }: BasicOptions, tell: Tell) {
    this.#expected = digest(`${user}:${password}`);
    this.#user = userOf({ username: user }, user);
    this.#limiter = new AttemptLimiter(options);
    this.#tell = tell;
  }

  async serve(): Promise<boolean> {
    return false;
  }

  recognise(req: AuthRequest): AuthUser | null {
    const given = credentialsOf(req);
    // Not without the limit.
    return given === undefined || canBeGuessed(passwordIn(given)) ? null : this.#userOf(given);
  }

  async identify(exchange: Exchange): Promise<Identity | null> {
    const found = await this.#attempt(exchange.req);
    if (found === 'limited') tooManyAttempts(exchange, this.#limiter.seconds);
    else if (found === null) needsPassword(exchange);
    else return found;
    return null;
  }

  async authenticate(req: AuthRequest): Promise<Identity | null> {
    const found = await this.#attempt(req);
    return found === 'limited' ? null : found;
  }

  async #attempt(req: AuthRequest): Promise<Identity | null | 'limited'> {
    if (req.headers.authorization === undefined) return null;
    const given = credentialsOf(req) ?? '';
    const attempt = async (): Promise<AuthUser | null> => this.#userOf(given);
    const user = await this.#limiter.request(req, [passwordIn(given)], attempt);
    if (user !== null && user !== 'limited') return { user, by: 'password', claims: {} };
    this.#tell({ type: 'refusal', reason: user === null ? 'credentials' : 'limit' }, req);
    return user;
  }

  #userOf(given: string): AuthUser | null {
    return timingSafeEqual(digest(given), this.#expected) ? this.#user : null;
  }
}
