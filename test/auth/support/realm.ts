/** A real OpenID provider on loopback, shaped like a realm: issuer `<url>/realms/<realm>`, roles in claims. */

import { createServer } from 'node:http';
import type { Server } from 'node:http';
import express from 'express';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import type { JWK, JWTPayload } from 'jose';
import { Provider } from 'oidc-provider';
import { KeyedMutex } from '../../../src/lib/index.ts';
import { freePort } from '../../services/server-process.ts';
import { page } from './realm-page.ts';
import { secret, secretToken } from './transcript.ts';

type SigningKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** The claims of a person; the name is the account. */
export interface Person {
  readonly name?: string;
  readonly email?: string;
  /** Default true. */
  readonly emailVerified?: boolean;
  readonly realmRoles?: readonly string[];
  readonly clientRoles?: Readonly<Record<string, readonly string[]>>;
  /** More claims in the ID token. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** How the realm behaves; read at every request, so that a test may change it. */
export interface Behaviour {
  accessTokenSeconds: number;
  refreshTokens: boolean;
  rotateRefreshTokens: boolean;
  accessTokenFormat: 'jwt' | 'opaque';
  /** Sent beside the tokens, as some providers do. */
  refreshExpiresIn: number | undefined;
  /** Whether the provider has a logout. */
  endSession: boolean;
  /** Puts another nonce into the ID tokens of the next logins. */
  breakNonce: boolean;
  /** Changes what the provider says of itself. */
  changeDiscovery: ((document: Record<string, unknown>) => unknown) | null;
  /** Changes an answer of the token endpoint. */
  changeGrant: ((answer: Record<string, unknown>) => unknown) | null;
  /** Answers requests for the keys with status 500. */
  brokenKeys: boolean;
  /** Answers everything with status 500, with a page instead of JSON, or not at all. */
  broken: 'status 500' | 'a page' | 'silence' | null;
}

export interface RealmOptions {
  readonly realm?: string;
  readonly people?: Readonly<Record<string, Person>>;
  /** Origins and base paths that clients may be sent back to. */
  readonly boards: readonly string[];
}

export const clientSecret = secret('a-confidential-client-secret-of-the-tests');

export interface Realm {
  /** Base address: what the option `url` takes. */
  readonly url: string;
  readonly realm: string;
  readonly issuer: string;
  readonly behaviour: Behaviour;
  /** Answers of the token endpoint, newest last. */
  readonly grants: Record<string, unknown>[];
  /** How many requests for the signing keys, and of the token endpoint, there were. */
  readonly counts: { keys: number; tokens: number; discovery: number };
  /** A token signed by the realm's own key, or by another one. */
  sign(claims: Readonly<Record<string, unknown>>, options?: SignOptions): Promise<string>;
  /** Signs with a new key from now on, and forgets the old one. */
  rotateKeys(): Promise<void>;
  /** Ends the provider's sessions and withdraws all its tokens. */
  revokeAll(): Promise<void>;
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

export interface SignOptions {
  readonly key?: SigningKey | Uint8Array;
  readonly header?: Readonly<Record<string, unknown>>;
  /** Members of the header that `crit` may name although no standard knows them. */
  readonly crit?: Readonly<Record<string, boolean>>;
  /** Claims to leave out. */
  readonly without?: readonly string[];
}

let keyNumber = 0;

async function newKey(): Promise<{ kid: string; key: SigningKey; jwk: JWK }> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = `key-${(keyNumber += 1)}`;
  return {
    kid,
    key: privateKey,
    jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' },
  };
}

export async function startRealm(options: RealmOptions): Promise<Realm> {
  const { realm = 'demo', people = {}, boards } = options;
  const behaviour: Behaviour = {
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
  const grants: Record<string, unknown>[] = [];
  const counts = { keys: 0, tokens: 0, discovery: 0 };
  let server: Server = createServer();
  // Not one of the system's own choice: while the provider is down, an outgoing connection would take it.
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${port}`;
  const path = `/realms/${encodeURIComponent(realm)}`;
  const issuer = url + path;

  let signing = await newKey();
  let current = makeProvider();

  function makeProvider(): Provider {
    const redirects = {
      redirect_uris: boards.map((board) => `${board}/auth/callback`),
      post_logout_redirect_uris: boards.map((board) => `${board}/`),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code' as const],
    };
    const rolesOf = (account: string) => ({
      realm_access: { roles: people[account]?.realmRoles ?? [] },
      resource_access: Object.fromEntries(
        Object.entries(people[account]?.clientRoles ?? {}).map(([id, roles]) => [id, { roles }]),
      ),
    });
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: 'board',
          client_secret: clientSecret,
          token_endpoint_auth_method: 'client_secret_post',
          ...redirects,
        },
        { client_id: 'public-board', token_endpoint_auth_method: 'none', ...redirects },
      ],
      jwks: { keys: [signing.jwk] },
      cookies: { keys: ['cookies of the realm'] },
      claims: {
        openid: ['sub'],
        profile: ['name', 'preferred_username', 'more'],
        email: ['email', 'email_verified'],
      },
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => {
          const { name, email, emailVerified = true, more } = people[id] ?? {};
          const address = email === undefined ? {} : { email, email_verified: emailVerified };
          return { sub: id, preferred_username: id, name, more, ...address };
        },
      }),
      extraTokenClaims: (_context, token) => {
        if (token.kind !== 'AccessToken') return undefined;
        return { azp: token.clientId, ...rolesOf(token.accountId) };
      },
      issueRefreshToken: () => behaviour.refreshTokens,
      rotateRefreshToken: () => behaviour.rotateRefreshTokens,
      ttl: { AccessToken: () => behaviour.accessTokenSeconds, Session: 3600, Grant: 3600 },
      features: {
        devInteractions: { enabled: false },
        jwtResponseModes: { enabled: true },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context, form) => {
            context.body = page(
              'Sign out',
              `${form}<button form="op.logoutForm" name="logout" value="yes">Yes</button>`,
            );
          },
        },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => (behaviour.accessTokenFormat === 'jwt' ? 'urn:sluice:board' : []),
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({
            scope: 'openid profile email',
            audience: 'urn:sluice:board',
            accessTokenTTL: behaviour.accessTokenSeconds,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
      interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
      // Who may use what is the board's own question: the realm grants what was asked for.
      loadExistingGrant: async ({ oidc }) => {
        // A code is refused once its session has another grant: logins of one session share theirs.
        const known = oidc.session?.grantIdFor(oidc.client?.clientId ?? '');
        const existing = known && (await oidc.provider.Grant.find(known));
        if (existing) return existing;
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId ?? '',
          accountId: oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid profile email');
        grant.addResourceScope('urn:sluice:board', 'openid profile email');
        await grant.save();
        return grant;
      },
    });
    // One after the other: the library saves a session as a request found it.
    const logins = new KeyedMutex();
    provider.use((context, next) =>
      /^\/(?:auth|interaction)\b/.test(context.path) ? logins.run('', next) : next(),
    );
    provider.use(async (context, next) => {
      if (context.path.endsWith('/auth') && behaviour.breakNonce) {
        context.querystring = context.querystring.replace(/nonce=[^&]+/, 'nonce=another');
      }
      await next();
      const { body } = context;
      if (context.path.endsWith('/token') && typeof body === 'object' && body !== null) {
        const answer = body as Record<string, unknown>;
        if (behaviour.refreshExpiresIn !== undefined) {
          answer['refresh_expires_in'] = behaviour.refreshExpiresIn;
        }
        await behaviour.changeGrant?.(answer);
        for (const name of ['access_token', 'refresh_token', 'id_token']) {
          if (typeof answer[name] === 'string') secretToken(answer[name]);
        }
        grants.push(answer);
      }
      if (context.path.endsWith('/.well-known/openid-configuration')) {
        const document = body as Record<string, unknown>;
        if (!behaviour.endSession) delete document['end_session_endpoint'];
        behaviour.changeDiscovery?.(document);
      }
    });
    return provider;
  }

  const app = express();
  app.get('/interaction/:uid', (_request, response) => {
    response
      .type('html')
      .send(
        page(
          'The realm',
          '<form method="post"><label>User name <input name="account" autofocus></label><button>Log in</button></form>',
        ),
      );
  });
  app.post(
    '/interaction/:uid',
    express.urlencoded({ extended: false }),
    (request, response, next) => {
      const { account } = request.body as { account: string };
      const login = { login: { accountId: account } };
      current.interactionFinished(request, response, login).catch(next);
    },
  );
  app.use(path, (request, response) => {
    if (behaviour.broken === 'status 500') return void response.status(500).json({});
    if (behaviour.broken === 'silence') return;
    if (behaviour.broken === 'a page') return void response.send(page('Maintenance', 'Soon.'));
    if (request.path === '/jwks') counts.keys += 1;
    if (request.path === '/jwks' && behaviour.brokenKeys) return void response.status(500).end();
    if (request.path === '/token') counts.tokens += 1;
    if (request.path.startsWith('/.well-known/')) counts.discovery += 1;
    void current.callback()(request, response);
  });
  server.on('request', app);

  const down = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url,
    realm,
    issuer,
    behaviour,
    grants,
    counts,
    async sign(claims, { key, header, crit = {}, without = [] } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const whole: JWTPayload = {
        iss: issuer,
        sub: 'script',
        azp: 'board',
        iat: now,
        exp: now + 300,
        ...claims,
      };
      const kept = Object.entries(whole).filter(([name]) => !without.includes(name));
      const token = await new SignJWT(Object.fromEntries(kept))
        .setProtectedHeader({ alg: 'RS256', kid: signing.kid, ...header })
        .sign(key ?? signing.key, { crit });
      return secretToken(token);
    },
    async rotateKeys() {
      signing = await newKey();
      current = makeProvider();
    },
    async revokeAll() {
      for (const { refresh_token: token } of grants) {
        if (typeof token === 'string') await (await current.RefreshToken.find(token))?.destroy();
      }
    },
    down,
    async up() {
      server = createServer(app);
      server.listen(port, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
    },
    close: down,
  };
}
