/** A board and a realm for the tests of one file. */

import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { OidcOptions } from '../../../src/auth/index.ts';
import { startBoard } from './board.ts';
import type { Board } from './board.ts';
import { clientSecret, startRealm } from './realm.ts';
import type { Behaviour, Realm } from './realm.ts';
import { keepsSecrets, secret } from './transcript.ts';

const people = {
  ada: { name: 'Ada Lovelace', email: 'ada@example.test', realmRoles: ['operator'] },
  bob: { clientRoles: { board: ['admin'], another: ['root'] } },
  // With this claim the ID token is too long to be kept beside the refresh token.
  eve: { name: 'Eve', more: { text: 'long '.repeat(400) } },
  // The roles of somebody in a large organisation.
  lin: {
    realmRoles: [...Array.from({ length: 120 }, (_, at) => `department-role-${at}`), 'operator'],
  },
  // An account with an address that nobody checked.
  mal: { email: 'ceo@example.test', emailVerified: false },
  // More roles than a cookie holds.
  max: { realmRoles: Array.from({ length: 300 }, (_, index) => `role-number-${index}`) },
};

const usual: Behaviour = {
  accessTokenSeconds: 300,
  refreshTokens: true,
  rotateRefreshTokens: true,
  accessTokenFormat: 'jwt',
  refreshExpiresIn: undefined,
  endSession: true,
  breakNonce: false,
  changeDiscovery: null,
  changeGrant: null,
  brokenKeys: false,
  broken: null,
};

/** The parts that the tests of a file use. */
export class Setting {
  #board: Board | undefined;
  #realm: Realm | undefined;

  get board(): Board {
    if (this.#board === undefined) throw new Error('there is no board yet');
    return this.#board;
  }

  get realm(): Realm {
    if (this.#realm === undefined) throw new Error('there is no realm yet');
    return this.#realm;
  }

  async start(): Promise<void> {
    this.#board = await startBoard();
    const boards = [
      this.#board.url,
      this.#board.origin,
      'https://board.example.test/admin/queues',
      'https://proxy.test/admin/queues',
    ];
    this.#realm = await startRealm({ people, boards });
  }

  /** Options that work, with changes. */
  options(more: Partial<OidcOptions> = {}): OidcOptions {
    return {
      strategy: 'oidc',
      url: this.realm.url,
      realm: this.realm.realm,
      clientId: 'board',
      clientSecret,
      cookie: { secret: secret('a cookie secret that is long enough') },
      ...more,
    };
  }

  async stop(): Promise<void> {
    await this.#board?.close();
    await this.#realm?.close();
  }
}

/** Starts a board and a realm before the file's tests; every test finds the realm behaving as usual. */
export function useRealm(): Setting {
  const setting = new Setting();
  keepsSecrets();
  beforeAll(() => setting.start());
  beforeEach(() => {
    Object.assign(setting.realm.behaviour, usual);
    setting.board.reported.length = 0;
  });
  afterAll(() => setting.stop());
  return setting;
}
