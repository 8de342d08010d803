/** The authentication that the settings choose: a user and password, tokens, or an OpenID Connect provider. */

import { randomBytes } from 'node:crypto';
import type { AuthOptions } from '../../../auth/index.ts';
import { UsageError } from '../../command.ts';
import { givenAmong, type Layers } from './layers.ts';
import type { SettingName } from './settings-table.ts';

/** The settings of each kind of authentication. */
const kinds = {
  basic: ['user', 'password'],
  token: ['tokens', 'tokenHeader'],
  oidc: [
    'oidcUrl',
    'oidcRealm',
    'oidcIssuer',
    'oidcClientId',
    'oidcClientSecret',
    'oidcRoles',
    'oidcBearerOnly',
  ],
} as const satisfies Record<AuthOptions['strategy'], readonly SettingName[]>;

type Kind = keyof typeof kinds;

/**
 * The options of the one kind of authentication that is set; undefined when none is.
 *
 * @throws {UsageError} when several kinds are set, or one incompletely
 */
export function authSettings(
  layers: Layers,
  publicUrl: string | undefined,
): AuthOptions | undefined {
  const { config } = layers;
  const inFile: Readonly<Record<Kind, boolean>> = {
    basic: config.user !== undefined || config.password !== undefined,
    token: config.token !== undefined,
    oidc: config.oidc !== undefined,
  };
  const chosen = (Object.keys(kinds) as Kind[]).filter(
    (kind) => inFile[kind] || givenAmong(layers, kinds[kind]).length > 0,
  );
  const [kind] = chosen;
  if (kind === undefined) {
    if (layers.values.sessionSecret === undefined) return undefined;
    throw new UsageError(`${layers.nameOf('sessionSecret')} needs --token or --oidc-url.`);
  }
  if (chosen.length > 1) {
    throw new UsageError(
      `only one kind of authentication may be set, and these are: ${chosen.join(', ')}.`,
    );
  }
  const { trustProxy } = layers.values;
  return {
    ...options[kind](layers),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(trustProxy !== undefined && { trustProxy }),
  };
}

const options: Readonly<Record<Kind, (layers: Layers) => AuthOptions>> = {
  basic({ values, config, nameOf, layerOf }) {
    const user = values.user ?? config.user;
    const password = values.password ?? config.password;
    if (user !== undefined && password !== undefined) {
      return { strategy: 'basic', user, password };
    }
    const [has, lacks] =
      user === undefined ? (['password', 'user'] as const) : (['user', 'password'] as const);
    const given = layerOf(has) === undefined ? `"${has}" of the config file` : nameOf(has);
    throw new UsageError(`${given} needs ${nameOf(lacks)}.`);
  },
  token({ values, config, nameOf }) {
    const { tokens, validate, ...others } = config.token ?? {};
    const accepted = values.tokens ?? tokens;
    if (accepted === undefined && validate === undefined) {
      throw new UsageError(`${nameOf('tokenHeader')} needs --token.`);
    }
    const secret = values.sessionSecret ?? others.cookie?.secret ?? randomSecret();
    return {
      ...others,
      strategy: 'token',
      ...(accepted && { tokens: accepted }),
      ...(validate && { validate }),
      ...(values.tokenHeader !== undefined && { header: values.tokenHeader }),
      cookie: { ...others.cookie, secret },
    };
  },
  oidc({ values, config, nameOf }) {
    const inFile = config.oidc ?? {};
    const clientId = values.oidcClientId ?? inFile.clientId;
    const provider = providerOf(values, inFile);
    if (clientId === undefined || provider === undefined) {
      throw new UsageError(
        `authentication by a provider needs ${nameOf('oidcClientId')}, and ${nameOf('oidcUrl')} with ${nameOf('oidcRealm')} or ${nameOf('oidcIssuer')}.`,
      );
    }
    const { url: _url, realm: _realm, issuer: _issuer, ...others } = inFile;
    const secret = values.sessionSecret ?? others.cookie?.secret;
    return {
      ...others,
      ...provider,
      strategy: 'oidc',
      clientId,
      ...(values.oidcClientSecret !== undefined && { clientSecret: values.oidcClientSecret }),
      ...(values.oidcRoles && { requiredRoles: values.oidcRoles }),
      ...(values.oidcBearerOnly !== undefined && { bearerOnly: values.oidcBearerOnly }),
      ...(secret !== undefined && { cookie: { ...others.cookie, secret } }),
    };
  },
};

type Provider = Readonly<Record<'issuer', string>> | Readonly<Record<'url' | 'realm', string>>;

/** The provider by its issuer, or by URL and realm; a flag or variable of one form replaces the other form of the file. */
function providerOf(
  values: Layers['values'],
  inFile: NonNullable<Layers['config']['oidc']>,
): Provider | undefined {
  if (values.oidcIssuer !== undefined) {
    if (values.oidcUrl === undefined && values.oidcRealm === undefined) {
      return { issuer: values.oidcIssuer };
    }
    throw new UsageError('--oidc-issuer replaces --oidc-url and --oidc-realm; give one of them.');
  }
  const url = values.oidcUrl ?? inFile.url;
  const realm = values.oidcRealm ?? inFile.realm;
  if (url !== undefined && realm !== undefined) return { url, realm };
  return inFile.issuer === undefined ? undefined : { issuer: inFile.issuer };
}

/** Sessions end with the process. */
const randomSecret = (): string => randomBytes(32).toString('base64url');
