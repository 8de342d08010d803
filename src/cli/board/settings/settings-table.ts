/** The settings of `sluice board`: flags, environment variables, and how their text is read. */

import { isBoolean, list, port, text, wholeNumber, type ReadText } from './read-text.ts';

/** One setting that a flag or an environment variable gives. */
interface Setting<Value> {
  /** The long flag, and further flags of the same meaning. A flag without a value gives true. */
  readonly flags: readonly [`--${string}`, ...string[]];
  /** Name of the environment variable without `BOARD_`. */
  readonly env: string;
  readonly read: ReadText<Value>;
}

const setting = <Value>(
  flags: Setting<Value>['flags'],
  env: string,
  read: ReadText<Value>,
): Setting<Value> => ({ flags, env, read });

/** The order is that of messages and of the documentation. */
export const settingsTable = {
  kvUrl: setting(['--redis', '--kv', '-r'], 'KV_URL', text),
  sentinels: setting(['--sentinel'], 'SENTINELS', list),
  sentinelName: setting(['--sentinel-name'], 'SENTINEL_NAME', text),
  sentinelPassword: setting(['--sentinel-password'], 'SENTINEL_PASSWORD', text),
  clusterNodes: setting(['--cluster'], 'CLUSTER_NODES', list),
  kvUsername: setting(['--kv-username'], 'KV_USERNAME', text),
  kvPassword: setting(['--kv-password'], 'KV_PASSWORD', text),
  kvDb: setting(['--kv-db'], 'KV_DB', wholeNumber(0)),
  postgresUrl: setting(['--postgres'], 'POSTGRES_URL', text),
  postgresSchema: setting(['--postgres-schema'], 'POSTGRES_SCHEMA', text),
  pgqUrl: setting(['--pgq'], 'PGQ_URL', text),
  pgqSchema: setting(['--pgq-schema'], 'PGQ_SCHEMA', text),
  pgqQueues: setting(['--pgq-queues'], 'PGQ_QUEUES', list),
  pgqPath: setting(['--pgq-path'], 'PGQ_PATH', text),
  prefix: setting(['--prefix'], 'PREFIX', list),
  queues: setting(['--queues'], 'QUEUES', list),
  scanInterval: setting(['--scan-interval'], 'SCAN_INTERVAL', wholeNumber(0, 86_400)),
  port: setting(['--port', '-p'], 'PORT', port),
  host: setting(['--host'], 'HOST', text),
  basePath: setting(['--base-path'], 'BASE_PATH', text),
  publicUrl: setting(['--public-url'], 'PUBLIC_URL', text),
  trustProxy: setting(['--trust-proxy'], 'TRUST_PROXY', wholeNumber(0, 100)),
  boardTitle: setting(['--board-title'], 'BOARD_TITLE', text),
  readOnly: setting(['--read-only'], 'READ_ONLY', isBoolean),
  user: setting(['--user'], 'USER', text),
  password: setting(['--password'], 'PASSWORD', text),
  tokens: setting(['--token'], 'TOKENS', list),
  tokenHeader: setting(['--token-header'], 'TOKEN_HEADER', text),
  oidcUrl: setting(['--oidc-url'], 'OIDC_URL', text),
  oidcRealm: setting(['--oidc-realm'], 'OIDC_REALM', text),
  oidcIssuer: setting(['--oidc-issuer'], 'OIDC_ISSUER', text),
  oidcClientId: setting(['--oidc-client-id'], 'OIDC_CLIENT_ID', text),
  oidcClientSecret: setting(['--oidc-client-secret'], 'OIDC_CLIENT_SECRET', text),
  oidcRoles: setting(['--oidc-roles'], 'OIDC_ROLES', list),
  oidcBearerOnly: setting(['--oidc-bearer-only'], 'OIDC_BEARER_ONLY', isBoolean),
  sessionSecret: setting(['--session-secret'], 'SESSION_SECRET', text),
  insecureNoAuth: setting(['--insecure-no-auth'], 'INSECURE_NO_AUTH', isBoolean),
  history: setting(['--history'], 'HISTORY', isBoolean),
  historyRetentionDays: setting(
    ['--history-retention-days'],
    'HISTORY_RETENTION_DAYS',
    wholeNumber(1, 3_650),
  ),
  config: setting(['--config'], 'CONFIG', text),
  browser: setting(['--browser'], 'BROWSER', text),
  open: setting(['--open'], 'OPEN', isBoolean),
  noRetry: setting(['--no-retry'], 'NO_RETRY', isBoolean),
} as const;

export type SettingName = keyof typeof settingsTable;

/** The values of settings, each as its row reads it. */
export type SettingValues = {
  -readonly [Name in SettingName]?: ReturnType<(typeof settingsTable)[Name]['read']['parse']>;
};
