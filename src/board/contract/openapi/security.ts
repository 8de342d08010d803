/** The security schemes of a document, and the routes of the authentication. */

import { authRoutes } from '../routes/auth.ts';
import type { RouteTable } from '../routes/route.ts';
import type { JsonSchema } from './json-schema.ts';

/** Authentication in front of a board, as far as documents tell of it. */
export interface DescribedAuth {
  readonly strategy: 'oidc' | 'token' | 'basic';
  /** Header that takes a token besides `Authorization`; null for none. */
  readonly header: string | null;
  /** Name of the cookie of sessions; null where there are none. */
  readonly sessionCookie: string | null;
  /** Address of the provider's discovery document; null without a provider. */
  readonly openIdConnectUrl: string | null;
}

/** Each scheme by its name in the document. */
export function securitySchemes(auth: DescribedAuth): Readonly<Record<string, JsonSchema>> {
  const { strategy, header, sessionCookie, openIdConnectUrl } = auth;
  if (strategy === 'basic') return { basic: { type: 'http', scheme: 'basic' } };
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      ...(strategy === 'oidc' && { bearerFormat: 'JWT' }),
    },
    ...(openIdConnectUrl !== null && { oidc: { type: 'openIdConnect', openIdConnectUrl } }),
    ...(header !== null && { header: { type: 'apiKey', in: 'header', name: header } }),
    ...(sessionCookie !== null && {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: sessionCookie,
        description: 'The session of a browser, from `/auth/login`.',
      },
    }),
  };
}

/** The schemes, each of which suffices. */
export const securityOf = (auth: DescribedAuth): Readonly<Record<string, readonly string[]>>[] =>
  Object.keys(securitySchemes(auth)).map((name) => ({ [name]: [] }));

/** The routes that the authentication answers. */
export function servedAuthRoutes({ strategy, sessionCookie }: DescribedAuth): RouteTable {
  const { getAuthenticatedUser, beginLogin, submitLogin, completeLogin, logout } = authRoutes;
  if (sessionCookie === null) return { getAuthenticatedUser };
  const own: RouteTable = strategy === 'oidc' ? { completeLogin } : { submitLogin };
  return { getAuthenticatedUser, beginLogin, ...own, logout };
}
