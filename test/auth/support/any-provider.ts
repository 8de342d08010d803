/** Real OpenID providers on loopback, set up as well-known ones differ from each other. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { JWTPayload } from 'jose';
import { Provider } from 'oidc-provider';
import type { Configuration } from 'oidc-provider';
import { page } from './realm-page.ts';
import { clientSecret } from './realm.ts';
import { secret, secretToken } from './transcript.ts';

/** Behaviour of one provider that others do not have. */
export interface Manner {
  /** Path of the issuer below the origin, as its discovery writes it. */
  readonly issuerPath: string;
  readonly clientAuthentication: readonly (
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'client_secret_jwt'
  )[];
  readonly endSession: boolean;
  /** An access token that is a JWT, or one that only the provider reads. */
  readonly accessToken: 'jwt' | 'opaque';
  /** Whether refresh tokens are only given for `access_type=offline`. */
  readonly offlineByParameter?: boolean;
  readonly rotates: boolean;
  /** Claims of the person in the ID token. */
  readonly idClaims: Readonly<Record<string, unknown>>;
  /** Claims of access tokens, in place of those that the provider writes. */
  readonly accessClaims: (claims: JWTPayload) => JWTPayload;
}

export interface AnyProvider {
  readonly origin: string;
  readonly issuer: string;
  /** Queries of the authorize requests, newest last. */
  readonly authorized: URLSearchParams[];
  /** How the client proved its secret at the token endpoint. */
  readonly provenBy: string[];
  /** An access token as the provider issues them. */
  accessToken(): Promise<string>;
  close(): Promise<void>;
}

/** Starts a provider of that manner, for one board. */
export async function startProvider(board: string, manner: Manner): Promise<AnyProvider> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const path = manner.issuerPath.replace(/\/$/, '');
  const issuer = origin + manner.issuerPath;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  // Without `alg`, as Entra publishes its keys.
  const jwk = { ...(await exportJWK(privateKey)), kid: 'one', use: 'sig' };
  const authorized: URLSearchParams[] = [];
  const provenBy: string[] = [];
  const sign = (claims: JWTPayload): Promise<string> =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one', typ: 'JWT' })
      .sign(privateKey);
  let offline = false;
  const [method = 'client_secret_basic'] = manner.clientAuthentication;
  const configuration: Configuration = {
    clients: [
      {
        client_id: 'board',
        client_secret: clientSecret,
        token_endpoint_auth_method: method,
        redirect_uris: [`${board}/auth/callback`],
        post_logout_redirect_uris: [`${board}/`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    clientAuthMethods: [...manner.clientAuthentication],
    jwks: { keys: [jwk] },
    cookies: { keys: ['cookies of the provider'] },
    claims: { openid: ['sub', ...Object.keys(manner.idClaims)] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...manner.idClaims }),
    }),
    issueRefreshToken: () => manner.offlineByParameter !== true || offline,
    rotateRefreshToken: () => manner.rotates,
    ttl: { AccessToken: 10, Session: 3600, Grant: 3600 },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: manner.endSession },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => (manner.accessToken === 'jwt' ? 'urn:api' : []),
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'openid',
          audience: 'urn:api',
          accessTokenTTL: 10,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    extraParams: ['access_type', 'audience', 'prompt_hint'],
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email offline_access');
      grant.addResourceScope('urn:api', 'openid');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(issuer, configuration);
  provider.use(async (context, next) => {
    if (context.path.endsWith('/auth')) {
      authorized.push(new URLSearchParams(context.querystring));
      offline = authorized.at(-1)?.get('access_type') === 'offline';
    }
    await next();
    if (context.path.endsWith('/token')) {
      const inBody = context.oidc.body?.['client_assertion'] === undefined ? 'body' : 'signature';
      provenBy.push(context.headers.authorization?.split(' ')[0] ?? inBody);
    }
    const answer = context.body as Record<string, unknown>;
    if (context.path.endsWith('/token') && typeof answer['access_token'] === 'string') {
      if (manner.accessToken === 'jwt') {
        answer['access_token'] = await sign(manner.accessClaims(decodeJwt(answer['access_token'])));
      }
      for (const name of ['access_token', 'refresh_token', 'id_token']) {
        if (typeof answer[name] === 'string') secretToken(answer[name]);
      }
    }
    if (context.path.endsWith('/.well-known/openid-configuration')) answer['issuer'] = issuer;
  });
  const app = express();
  app.get('/interaction/:uid', (_request, response) => {
    response
      .type('html')
      .send(page('Provider', '<form method="post"><input name="account"></form>'));
  });
  app.post(
    '/interaction/:uid',
    express.urlencoded({ extended: false }),
    (request, response, next) => {
      const { account } = request.body as { account: string };
      const login = { login: { accountId: account } };
      provider.interactionFinished(request, response, login).catch(next);
    },
  );
  app.use(path === '' ? '/' : path, (request, response) => {
    void provider.callback()(request, response);
  });
  server.on('request', app);
  const now = () => Math.floor(Date.now() / 1000);
  return {
    origin,
    issuer,
    authorized,
    provenBy,
    accessToken: async () => {
      const usual = {
        iss: issuer,
        aud: 'urn:api',
        client_id: 'board',
        iat: now(),
        exp: now() + 60,
      };
      if (manner.accessToken === 'opaque')
        return secret('ya29.an-opaque-access-token-of-a-provider');
      return secretToken(await sign(manner.accessClaims({ ...usual, sub: 'ada' })));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
