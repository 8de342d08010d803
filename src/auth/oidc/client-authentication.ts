/** Client authentication at the token endpoint, by a method that the provider supports. */

import { ClientSecretBasic, ClientSecretJwt, ClientSecretPost, None } from 'openid-client';
import type { ClientAuth } from 'openid-client';
import type { OidcSettings } from './oidc-settings.ts';

const methods = {
  client_secret_post: ClientSecretPost,
  client_secret_basic: ClientSecretBasic,
  client_secret_jwt: ClientSecretJwt,
} as const;

type Method = keyof typeof methods;

/** Methods assumed when discovery does not list any. */
const unsaid: readonly string[] = ['client_secret_basic'];

/** The configured method, else the first of `methods` that discovery lists; none for a public client. */
export function clientAuthentication({
  clientSecret,
  clientAuthentication: chosen,
}: OidcSettings): ClientAuth {
  if (clientSecret === undefined) return None();
  const made = Object.entries(methods).map(
    ([method, make]) => [method as Method, make(clientSecret)] as const,
  );
  const [[, first]] = made as [(typeof made)[number]];
  return (server, client, body, headers) => {
    const offered = server.token_endpoint_auth_methods_supported ?? unsaid;
    const found = made.find(([method]) =>
      chosen === undefined ? offered.includes(method) : method === chosen,
    );
    (found?.[1] ?? first)(server, client, body, headers);
  };
}
