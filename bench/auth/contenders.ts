/** The servers of `bench auth`: the same request to the same handler, with and without the middleware. */

import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import type { AuthMiddleware } from '../../src/auth/index.ts';
import { createSealer } from '../../src/auth/session/sealing.ts';

export const basePath = '/admin/queues';
const secret = 'the cookie secret of the benchmark';
const user = {
  username: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@example.test',
  roles: ['operator'],
};
const exp = Math.floor(Date.now() / 1000) + 3600;

/** Two kilobytes of JSON: a small answer of a board. */
const body = JSON.stringify({
  queues: Array.from({ length: 20 }, (_, index) => ({
    name: `queue-${index}`,
    counts: { active: index, waiting: 0, completed: 100, failed: 3, delayed: 0 },
  })),
});

export interface Contender {
  readonly name: string;
  /** Headers of the request to both servers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: AuthMiddleware;
}

/** A server on a free port of the loopback interface; it closes when the process ends. */
export async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  server.unref();
  return (server.address() as AddressInfo).port;
}

/** The handler behind the middleware. Like the handler of a board, it checks a header before it answers. */
export const handler: RequestListener = (request, response) => {
  if (request.headers['sec-fetch-site'] === 'cross-site') response.statusCode = 403;
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
};

/** A provider without logins: discovery, keys, and a token with its signature. */
async function provider(): Promise<{ url: string; token: string; issuer: string }> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' };
  const port = await listen((request, response) => {
    const discovery = {
      issuer,
      jwks_uri: `${issuer}/keys`,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url?.endsWith('/keys') ? { keys: [key] } : discovery));
  });
  const url = `http://127.0.0.1:${port}`;
  const issuer = `${url}/realms/bench`;
  const token = await new SignJWT({ azp: 'board', realm_access: { roles: ['operator'] } })
    .setProtectedHeader({ alg: 'RS256', kid: 'bench' })
    .setIssuer(issuer)
    .setSubject('ada')
    .setExpirationTime(exp)
    .sign(privateKey);
  return { url, token, issuer };
}

export async function contenders(): Promise<Contender[]> {
  const token = 'a-fixed-token-of-the-benchmark-0123456789';
  const byToken = createAuthMiddleware(
    { strategy: 'token', tokens: [token], cookie: { secret } },
    { basePath },
  );
  const tokenSession = await createSealer(secret, 'token session').seal({ v: 1, token, exp });
  const { url, token: jwt, issuer } = await provider();
  const byOidc = createAuthMiddleware(
    {
      strategy: 'oidc',
      url,
      realm: 'bench',
      clientId: 'board',
      requiredRoles: ['operator'],
      cookie: { secret },
    },
    { basePath },
  );
  const sealer = createSealer(secret, `oidc session ${JSON.stringify([issuer, 'board'])}`);
  const since = Math.floor(Date.now() / 1000);
  const session = { v: 2, id: 'bench', sub: 'ada', user, claims: {}, since, seen: since, exp };
  const small = await sealer.seal(session);
  const full = await sealer.seal({
    ...session,
    refreshToken: 'r'.repeat(900),
    idToken: 'i'.repeat(1500),
  });
  const cookie = (sealed: string) => ({ cookie: `theme=dark; board_session=${sealed}` });
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
  return [
    {
      name: `token: session, ${tokenSession.length} characters`,
      headers: cookie(tokenSession),
      auth: byToken,
    },
    { name: 'token: bearer', headers: bearer(token), auth: byToken },
    { name: `oidc: session, ${small.length} characters`, headers: cookie(small), auth: byOidc },
    { name: `oidc: session, ${full.length} characters`, headers: cookie(full), auth: byOidc },
    { name: `oidc: bearer, ${jwt.length} characters`, headers: bearer(jwt), auth: byOidc },
  ];
}
