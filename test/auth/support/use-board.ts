/** A board behind the strategy `token`, for the tests of one file. */

import { afterAll, beforeAll } from 'vitest';
import type { TokenOptions } from '../../../src/auth/index.ts';
import { ask } from './agent.ts';
import type { Agent, Answer } from './agent.ts';
import { startBoard } from './board.ts';
import type { Board } from './board.ts';
import { keepsSecrets, secret } from './transcript.ts';

export const tokens = [
  secret('first-token-of-the-tests-0123456789abcdef'),
  secret('second-token-of-the-tests-0123456789abcde'),
] as const;

export class TokenSetting {
  #board: Board | undefined;

  get board(): Board {
    if (this.#board === undefined) throw new Error('there is no board yet');
    return this.#board;
  }

  async start(): Promise<void> {
    this.#board = await startBoard();
  }

  /** Options that work and have a login, with changes. */
  options(more: Partial<TokenOptions> = {}): TokenOptions {
    return {
      strategy: 'token',
      tokens: [...tokens],
      cookie: { secret: secret('the cookie secret of the token tests') },
      ...more,
    };
  }

  /** Posts the login form, as the board's own page does. */
  post(
    fields: Readonly<Record<string, string>>,
    more: Readonly<Record<string, string>> = {},
    agent?: Agent,
  ): Promise<Answer> {
    const asking = {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        origin: this.board.origin,
        accept: 'text/html',
        ...more,
      },
      body: new URLSearchParams(fields).toString(),
    };
    const url = `${this.board.url}/auth/login`;
    return agent === undefined ? ask(url, asking) : agent.ask(url, asking);
  }
}

/** Starts a board before the file's tests. */
export function useBoard(): TokenSetting {
  const setting = new TokenSetting();
  keepsSecrets();
  beforeAll(() => setting.start());
  afterAll(() => setting.board.close());
  return setting;
}
