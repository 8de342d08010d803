/** The strategy `basic`: one user name and password, which the browser asks for (RFC 7617). */

import { hash, timingSafeEqual } from 'node:crypto';
import type { AuthRequest } from '../web.ts';
import { needsPassword } from '../answers.ts';
import type { Exchange } from '../exchange.ts';
import type { Tell } from '../event.ts';
import type { AuthUser, BasicOptions } from '../options.ts';
import { userOf } from '../auth-user.ts';
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

/** A browser sends the credentials with every request, also from other sites: the board refuses their writes. */
export class BasicStrategy implements Strategy {
  readonly name = 'basic';
  readonly #expected: Buffer;
  readonly #user: AuthUser;
  readonly #tell: Tell;

  constructor({ user, password }: BasicOptions, tell: Tell) {
    this.#expected = digest(`${user}:${password}`);
    this.#user = userOf({ username: user }, user);
    this.#tell = tell;
  }

  async serve(): Promise<boolean> {
    return false;
  }

  recognise(req: AuthRequest): AuthUser | null {
    const given = credentialsOf(req);
    if (given === undefined) return null;
    return timingSafeEqual(digest(given), this.#expected) ? this.#user : null;
  }

  async identify(exchange: Exchange): Promise<Identity | null> {
    const identity = await this.authenticate(exchange.req);
    if (identity !== null) return identity;
    if (exchange.req.headers.authorization !== undefined) {
      this.#tell({ type: 'refusal', reason: 'credentials' }, exchange.req);
    }
    needsPassword(exchange);
    return null;
  }

  async authenticate(req: AuthRequest): Promise<Identity | null> {
    const user = this.recognise(req);
    return user && { user, by: 'header', claims: {} };
  }
}
