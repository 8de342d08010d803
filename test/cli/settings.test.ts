/** The settings of `sluice board`: every flag and variable, the order of the layers, and what is refused. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pgqOptionTable } from '../../src/board/pgq/index.ts';
import { flags } from '../../src/cli/board/settings/read-settings.ts';
import { settingsTable } from '../../src/cli/board/settings/settings-table.ts';
import { boardSettings } from '../../src/cli/board/settings/settings.ts';
import type { BoardSettings } from '../../src/cli/board/settings/settings.ts';
import { usage } from '../../src/cli/board/command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-settings-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly file?: object | string;
  readonly warn?: (line: string) => void;
}

async function read(line: string, given: Given = {}): Promise<BoardSettings> {
  const { env = {}, file, warn = () => undefined } = given;
  const args = line === '' ? [] : line.split(' ');
  if (file === undefined) return boardSettings(args, env, folder, warn);
  const text = typeof file === 'string' ? file : `export default ${JSON.stringify(file)};`;
  const own = await mkdtemp(path.join(folder, 'file-'));
  await writeFile(path.join(own, 'sluice.config.mjs'), text);
  return boardSettings(args, env, own, warn);
}

const secret = 'a-word-that-is-long-enough-for-a-secret';
const pg = 'postgresql://me:pw@db:5433/app';
const oidc = '--oidc-url https://id.example.test --oidc-realm r --oidc-client-id c';

describe('every flag and its variable', () => {
  it.each<[line: string, env: Record<string, string>, expected: object]>([
    ['', {}, { port: 3000, host: '127.0.0.1', basePath: '', open: true, retry: true }],
    ['', {}, { sources: { redis: { url: 'redis://localhost:6379' } }, access: 'this machine' }],
    [
      '--redis redis://:pw@r:1/2',
      { KV_URL: 'redis://:pw@r:1/2' },
      { sources: { redis: { url: 'redis://:pw@r:1/2', address: 'redis://:***@r:1/2' } } },
    ],
    [
      '--kv /tmp/redis.sock',
      { KV_URL: '/tmp/redis.sock' },
      { sources: { redis: { url: '/tmp/redis.sock' } } },
    ],
    [
      '--sentinel a,b:1,[::1]:2 --sentinel-name m --sentinel-password p --kv-username u --kv-password w --kv-db 3',
      {
        SENTINELS: 'a,b:1,[::1]:2',
        SENTINEL_NAME: 'm',
        SENTINEL_PASSWORD: 'p',
        KV_USERNAME: 'u',
        KV_PASSWORD: 'w',
        KV_DB: '3',
      },
      {
        sources: {
          redis: {
            options: {
              sentinels: [
                { host: 'a', port: 26379 },
                { host: 'b', port: 1 },
                { host: '::1', port: 2 },
              ],
              name: 'm',
              sentinelPassword: 'p',
              username: 'u',
              password: 'w',
              db: 3,
            },
          },
        },
      },
    ],
    [
      '--cluster a,b:7001 --kv-username u --kv-password w',
      { CLUSTER_NODES: 'a,b:7001', KV_USERNAME: 'u', KV_PASSWORD: 'w' },
      {
        sources: {
          redis: {
            nodes: [
              { host: 'a', port: 6379 },
              { host: 'b', port: 7001 },
            ],
            options: { redisOptions: { username: 'u', password: 'w' } },
          },
        },
      },
    ],
    ['-p 0', { PORT: '0' }, { port: 0 }],
    ['--host ::1', { HOST: '::1' }, { host: '::1', access: 'this machine' }],
    ['--prefix a,{b}', { PREFIX: 'a,{b}' }, { queues: { prefixes: ['a', '{b}'] } }],
    ['--queues x,y', { QUEUES: 'x,y' }, { queues: { names: ['x', 'y'] } }],
    ['--scan-interval 0', { SCAN_INTERVAL: '0' }, { queues: { scanInterval: 0 } }],
    ['--base-path admin//queues/', { BASE_PATH: 'admin//queues/' }, { basePath: '/admin/queues' }],
    ['--read-only', { READ_ONLY: 'yes' }, { readOnly: true }],
    [
      '--user u --password w',
      { USER: 'u', PASSWORD: 'w' },
      { access: { options: { strategy: 'basic', user: 'u', password: 'w' } } },
    ],
    [
      `${oidc} --oidc-client-secret s --oidc-roles a,b --oidc-bearer-only --public-url https://b.test/q --session-secret ${secret}`,
      {
        OIDC_URL: 'https://id.example.test',
        OIDC_REALM: 'r',
        OIDC_CLIENT_ID: 'c',
        OIDC_CLIENT_SECRET: 's',
        OIDC_ROLES: 'a,b',
        OIDC_BEARER_ONLY: '1',
        PUBLIC_URL: 'https://b.test/q',
        SESSION_SECRET: secret,
      },
      {
        access: {
          options: {
            strategy: 'oidc',
            url: 'https://id.example.test',
            realm: 'r',
            clientId: 'c',
            clientSecret: 's',
            requiredRoles: ['a', 'b'],
            bearerOnly: true,
            publicUrl: 'https://b.test/q',
            cookie: { secret },
          },
        },
      },
    ],
    [
      '--oidc-issuer https://i.test --oidc-client-id c',
      { OIDC_ISSUER: 'https://i.test', OIDC_CLIENT_ID: 'c' },
      { access: { options: { strategy: 'oidc', issuer: 'https://i.test' } } },
    ],
    [
      '--token a,b --token-header x-t',
      { TOKENS: 'a,b', TOKEN_HEADER: 'x-t' },
      {
        access: {
          options: {
            strategy: 'token',
            tokens: ['a', 'b'],
            header: 'x-t',
            cookie: { secret: expect.stringMatching(/^[\w-]{43}$/) },
          },
        },
      },
    ],
    [
      '--token a --trust-proxy 2',
      { TOKENS: 'a', TRUST_PROXY: '2' },
      { access: { options: { strategy: 'token', trustProxy: 2 } } },
    ],
    [
      '--token a --insecure-no-auth=0 --host 0.0.0.0',
      { TOKENS: 'a', HOST: '0.0.0.0' },
      { host: '0.0.0.0' },
    ],
    [
      '--insecure-no-auth --host 0.0.0.0',
      { INSECURE_NO_AUTH: 'true', HOST: '0.0.0.0' },
      { access: 'everybody' },
    ],
    [
      `--postgres ${pg} --postgres-schema s`,
      { POSTGRES_URL: pg, POSTGRES_SCHEMA: 's' },
      {
        sources: {
          postgres: {
            connection: { connectionString: pg },
            schema: 's',
            address: 'postgresql://me:***@db:5433/app',
          },
        },
      },
    ],
    [
      `--pgq ${pg} --pgq-schema s --pgq-queues a,b --pgq-path /boss`,
      { PGQ_URL: pg, PGQ_SCHEMA: 's', PGQ_QUEUES: 'a,b', PGQ_PATH: '/boss' },
      {
        sources: {
          pgq: { connection: pg, options: { schema: 's', queues: ['a', 'b'] }, path: '/boss' },
        },
      },
    ],
    ['--board-title Jobs', { BOARD_TITLE: 'Jobs' }, { options: { ui: { boardTitle: 'Jobs' } } }],
    [
      '--history --history-retention-days 30',
      { HISTORY: 'true', HISTORY_RETENTION_DAYS: '30' },
      { history: { retentionDays: 30 } },
    ],
    ['--no-open', { OPEN: 'false' }, { open: false }],
    ['--browser=firefox', { BROWSER: 'firefox' }, { browser: ['firefox'] }],
    ['--no-retry', { NO_RETRY: '1' }, { retry: false }],
  ])('%s', async (line, env, expected) => {
    expect(await read(line)).toMatchObject(expected);
    const variables = Object.fromEntries(
      Object.entries(env).map(([key, value]) => [`BOARD_${key}`, value]),
    );
    expect(await read('', { env: variables })).toMatchObject(expected);
  });

  it('without another datastore than the ones named', async () => {
    expect(Object.keys((await read(`--postgres ${pg}`)).sources)).toEqual(['postgres']);
    expect(Object.keys((await read(`--pgq ${pg}`)).sources)).toEqual(['pgq']);
    expect(Object.keys((await read(`--pgq ${pg} -r redis://a`)).sources)).toEqual(['redis', 'pgq']);
  });

  it('is in the help, which fits a screen', () => {
    const lines = usage.split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    for (const flag of flags) {
      if (flag !== '--open') expect(usage).toMatch(new RegExp(`(?<![\\w-])${flag}(?![\\w-])`));
    }
  });

  it('is in the documentation', async () => {
    const document = await readFile(
      path.join(import.meta.dirname, '../../docs/command-line.md'),
      'utf8',
    );
    for (const { flags: own, env } of Object.values(settingsTable)) {
      for (const flag of own) expect(document).toContain(`\`${flag}\``);
      expect(document).toMatch(new RegExp(`\`BOARD_${env}(?:=false)?\``));
    }
    const [, example = ''] = /```js\n(.*?)```/s.exec(document) ?? [];
    vi.stubEnv('TOKEN', 'a token');
    const { access, sources } = await read('', { file: example });
    vi.unstubAllEnvs();
    expect(Object.keys(sources)).toEqual(['redis', 'postgres', 'pgq']);
    expect(access).toMatchObject({ options: { tokens: ['a token'], user: { username: 'ops' } } });
  });

  it('has a name of its own', () => {
    const names = Object.values(settingsTable).map(({ env }) => env);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(flags).size).toBe(flags.length);
  });
});

describe('the layers', () => {
  const file = {
    port: 1,
    host: 'localhost',
    readOnly: true,
    open: false,
    prefix: 'file',
    scanInterval: 5,
    noRetry: true,
  };

  it('a flag before a variable before the file before the default, each setting for itself', async () => {
    const env = { BOARD_PORT: '2', BOARD_PREFIX: 'env', BOARD_READ_ONLY: '0' };
    expect(await read('--port 3', { env, file })).toMatchObject({
      port: 3,
      host: 'localhost',
      readOnly: false,
      open: false,
      queues: { prefixes: ['env'], scanInterval: 5 },
      retry: false,
      basePath: '',
    });
  });

  it('flags that take back what a variable or the file sets', async () => {
    const env = { BOARD_READ_ONLY: 'true', BOARD_OPEN: 'false' };
    expect(await read('--no-read-only --open', { env })).toMatchObject({
      readOnly: false,
      open: true,
    });
    expect(await read('--read-only=false --open', { file })).toMatchObject({
      readOnly: false,
      open: true,
    });
  });

  it.each(['0', 'false', 'no', '', 'FALSE', 'off'])('a variable %j is false', async (text) => {
    if (text === 'off')
      await expect(read('', { env: { BOARD_READ_ONLY: text } })).rejects.toThrow('true or false');
    else expect((await read('', { env: { BOARD_READ_ONLY: text } })).readOnly).toBe(false);
  });

  it('an empty variable is none, as compose files pass it', async () => {
    const env = { BOARD_PORT: '', BOARD_TOKENS: '', BOARD_HOST: '' };
    expect(await read('', { env })).toMatchObject({ port: 3000, access: 'this machine' });
  });

  it.each(['token', 'oidc'] as const)(
    'a session secret of %s before that of the file, whose other options of the cookie stay',
    async (kind) => {
      const cookie = { secret: `another-${secret}`, name: 'own' };
      const chosen = {
        token: { tokens: ['a'] },
        oidc: { issuer: 'https://i.test', clientId: 'c' },
      };
      const file = { [kind]: { ...chosen[kind], cookie } };
      const flag = await read(`--session-secret ${secret}`, { file });
      const variable = await read('', { env: { BOARD_SESSION_SECRET: secret }, file });
      const options = { strategy: kind, cookie: { ...cookie, secret } };
      expect([flag, variable]).toMatchObject([{ access: { options } }, { access: { options } }]);
      expect(await read('', { file })).toMatchObject({ access: { options: { cookie } } });
    },
  );

  it('a way to reach Redis of a higher layer replaces that of a lower one', async () => {
    const kv = { host: 'file', port: 1 };
    const env = { BOARD_CLUSTER_NODES: 'env' };
    expect((await read('', { file: { kv } })).sources.redis).toMatchObject({ options: kv });
    expect((await read('', { file: { kv }, env })).sources.redis?.nodes).toEqual([
      { host: 'env', port: 6379 },
    ]);
    expect((await read('-r redis://flag', { file: { kv }, env })).sources.redis).toMatchObject({
      url: 'redis://flag',
    });
    expect((await read('--kv-db 4', { file: { kv } })).sources.redis).toMatchObject({
      options: { ...kv, db: 4 },
    });
  });

  it('a URL replaces the connection of the file and no other option', async () => {
    const pgq = {
      host: 'file',
      password: 'x',
      schema: 'jobs',
      queues: ['a'],
      path: '/boss',
      delimiter: '.',
    };
    expect((await read('', { file: { pgq } })).sources.pgq).toMatchObject({
      connection: { host: 'file', password: 'x' },
      options: { schema: 'jobs', queues: ['a'], delimiter: '.' },
      path: '/boss',
    });
    const { pgq: replaced } = (await read(`--pgq ${pg} --pgq-queues b`, { file: { pgq } })).sources;
    expect(replaced).toMatchObject({
      connection: pg,
      options: { schema: 'jobs', queues: ['b'], delimiter: '.' },
    });
    expect(
      (await read(`--postgres ${pg}`, { file: { postgres: { host: 'h', schema: 's' } } })).sources
        .postgres,
    ).toMatchObject({ connection: { connectionString: pg }, schema: 's' });
  });

  it('the file has every option of a board of pg-boss beside its connection', async () => {
    const file = `export default { pgq: {
      host: 'db', scope: () => ({}), visibilityGuard: () => true, library: {}, snapshotMs: 0,
      pooler: true, includeInternalQueues: true, queryTimeoutMs: 1, writeTimeoutMs: 1_000, countCap: 1,
      allowUntestedSchema: true, formatters: {}, searchable: [], schema: 's', queues: [], delimiter: '.',
    } };`;
    const { connection, options = {} } = (await read('', { file })).sources.pgq ?? {};
    expect(connection).toEqual({ host: 'db' });
    const all = Object.keys(pgqOptionTable).toSorted();
    expect(Object.keys({ ...options, instance: '', connection }).toSorted()).toEqual(all);
  });

  it('repeats a list, and takes the last of other repeated flags', async () => {
    expect(await read('--token a --token b,c --port 1 --port 2')).toMatchObject({
      port: 2,
      access: { options: { tokens: ['a', 'b', 'c'] } },
    });
  });

  it('finds the config file in the order mjs, js, cjs, json', async () => {
    const own = await mkdtemp(path.join(folder, 'order-'));
    const put = (name: string, text: string) => writeFile(path.join(own, name), text);
    const port = async () => (await boardSettings([], {}, own, () => undefined)).port;
    await put('sluice.config.json', '{ "port": 4 }');
    expect(await port()).toBe(4);
    await put('sluice.config.cjs', 'module.exports = { port: 3 };');
    expect(await port()).toBe(3);
    await put('sluice.config.mjs', 'export default { port: 1 };');
    expect(await port()).toBe(1);
    await put('other.ts', 'export default { port: 5 as number };');
    expect((await boardSettings(['--config', 'other.ts'], {}, own, () => undefined)).port).toBe(5);
    expect((await boardSettings([], { BOARD_CONFIG: 'other.ts' }, own, () => undefined)).port).toBe(
      5,
    );
  });

  it('takes queues of the file as names or as options', async () => {
    const named = (await read('', { file: { queues: ['a'] } })).queues;
    const flagged = await read('--queues b', { file: { queues: ['a'] } });
    expect(flagged.queues.names).toEqual(['b']);
    expect(named).toMatchObject({ names: ['a'] });
    const { names, optionsOf } = (await read('', { file: { queues: { a: { displayName: 'A' } } } }))
      .queues;
    expect([names, optionsOf('a'), optionsOf('constructor')]).toEqual([
      undefined,
      { displayName: 'A' },
      undefined,
    ]);
  });

  it('uses the plain BROWSER last, split on blanks', async () => {
    const env = { BROWSER: 'w3m -F  x', BOARD_BROWSER: 'lynx' };
    expect((await read('', { env: { BROWSER: env.BROWSER } })).browser).toEqual(['w3m', '-F', 'x']);
    expect((await read('', { env })).browser).toEqual(['lynx']);
  });
});

describe('refused, with the name that the user gave', () => {
  it.each<[line: string, given: Given, message: string]>([
    ['--prot 1', {}, 'unknown flag --prot; did you mean --port?'],
    ['--nothing-like-it', {}, 'unknown flag --nothing-like-it.'],
    ['-x', {}, 'unknown flag -x.'],
    ['--no-port', {}, 'unknown flag --no-port'],
    ['redis://localhost', {}, 'this command takes flags only'],
    ['-- --port', {}, '"--" has no meaning'],
    ['--port', {}, '--port needs a value'],
    [
      '--password --user x',
      {},
      '--password needs a value; one that begins with a dash is written as --password=...',
    ],
    ['--port 80000', {}, '--port must be a whole number from 0 to 65535.'],
    ['', { env: { BOARD_PORT: '1e3' } }, 'BOARD_PORT must be a whole number'],
    ['', { file: { port: '3000' } }, 'sluice.config.mjs: "port" must be a whole number'],
    [
      '',
      { file: { prot: 1 } },
      'sluice.config.mjs: "prot" is not an option of sluice.config.mjs; did you mean "port"?',
    ],
    ['', { file: 'export default () => 1;' }, 'sluice.config.mjs must export an object.'],
    ['', { file: 'export const a = 1;' }, 'sluice.config.mjs must export an object.'],
    ['', { file: 'throw new Error("broken")' }, 'sluice.config.mjs cannot be loaded: broken.'],
    ['', { file: { uiConfig: {} } }, '"uiConfig" is called "ui"'],
    ['--config none.mjs', {}, 'the file of --config does not exist.'],
    ['--redis localhost:6379', {}, '--redis must be redis://host:port'],
    ['--redis redis://localhost:99999', {}, '--redis must be redis://host:port'],
    ['--redis redis://:a#b@localhost', {}, '--redis must be redis://host:port'],
    ['--redis redis://localhost/jobs', {}, '--redis must be redis://host:port'],
    ['--redis /tmp/redis.sock?db=jobs', {}, '--redis must be redis://host:port'],
    ['', { file: { kv: { db: 'jobs' } } }, '"kv.db" of sluice.config.mjs must be a whole number'],
    ['', { file: { kv: 'http://x' } }, '"kv" of sluice.config.mjs must be redis://'],
    ['-r redis://a --kv-db 1', {}, '--kv-db cannot go with a URL'],
    ['--kv-password x', {}, '--kv-password needs --sentinel or --cluster'],
    ['--sentinel a --cluster b', {}, '--sentinel and --cluster exclude each other.'],
    ['-r redis://a --sentinel a', {}, '-r and --sentinel exclude each other.'],
    ['--sentinel a', {}, '--sentinel needs --sentinel-name.'],
    ['--sentinel-name a', {}, '--sentinel-name needs --sentinel.'],
    ['--sentinel a:b --sentinel-name m', {}, '--sentinel must be a list such as host:port'],
    ['--cluster a --kv-db 1', {}, '--kv-db cannot go with a cluster'],
    ['--cluster a,,b', {}, '--cluster must be a list'],
    ['--prefix bull*', {}, '--prefix must be a list of prefixes without wildcards.'],
    ['--base-path ../x', {}, '--base-path must be a path'],
    ['--public-url tools', {}, '--public-url must be a URL'],
    ['--user a', {}, '--user needs --password.'],
    ['', { env: { BOARD_PASSWORD: 'x' } }, 'BOARD_PASSWORD needs --user.'],
    [
      '--token a --user b --password c',
      {},
      'only one kind of authentication may be set, and these are: basic, token.',
    ],
    [oidc, { file: { token: { tokens: ['a'] } } }, 'these are: token, oidc.'],
    [
      '--oidc-url https://a',
      {},
      'needs --oidc-client-id, and --oidc-url with --oidc-realm or --oidc-issuer',
    ],
    [`${oidc} --oidc-issuer https://b`, {}, '--oidc-issuer replaces'],
    ['--token-header x-t', {}, '--token-header needs --token.'],
    ['--session-secret x', {}, '--session-secret needs --token or --oidc-url.'],
    ['--insecure-no-auth --token a', {}, '--insecure-no-auth contradicts'],
    ['--host 0.0.0.0', {}, '--host reaches beyond this machine'],
    ['', { env: { BOARD_HOST: '192.168.0.1' } }, 'BOARD_HOST reaches beyond this machine'],
    ['--postgres mysql://x', {}, '--postgres must be a URL such as postgresql://'],
    ['--postgres-schema s', {}, '--postgres-schema needs --postgres.'],
    [
      `--postgres ${pg} --postgres-schema a-b`,
      {},
      '--postgres-schema must be a letter or underscore',
    ],
    [`--pgq ${pg} --pgq-schema a;b`, {}, '--pgq-schema must be a letter or underscore'],
    ['--pgq-path /x', {}, '--pgq-path needs --pgq.'],
    [`--pgq ${pg} -r redis://a --pgq-path /`, {}, '--pgq-path must not be the root'],
    [
      `--pgq ${pg} -r redis://a --pgq-path /api/x`,
      {},
      '--pgq-path must not be the root or begin with /api',
    ],
    [`--pgq ${pg} --postgres ${pg} --pgq-path /job-schedulers`, {}, '--pgq-path must not be'],
    [
      `--pgq ${pg} -r redis://a --pgq-path /workers`,
      {},
      '--pgq-path must not be the root or begin with /api, /assets',
    ],
    [
      `--pgq ${pg} -r redis://a`,
      { env: { BOARD_PGQ_PATH: '/assets' } },
      'BOARD_PGQ_PATH must not be',
    ],
    [
      `-r redis://a`,
      { file: { pgq: { connectionString: pg, path: '/metrics/boss' } } },
      '"pgq.path" of sluice.config.mjs must not be the root',
    ],
    ['--history-retention-days 4', {}, '--history-retention-days needs --history.'],
    ['--history --history-retention-days 0', {}, '--history-retention-days must be'],
    [
      `--pgq ${pg}`,
      { file: { history: { prefix: 'a:b' } } },
      '"history.prefix" of sluice.config.mjs must be letters',
    ],
    ['', { file: { history: { retentionDay: 1 } } }, '"history.retentionDay" is not an option'],
    [
      '',
      { file: { queues: { 'of others': { displayNme: 'A' } } } },
      'sluice.config.mjs: queues.of others: "displayNme" is not an option of a queue; did you mean "displayName"?',
    ],
    ['', { file: { queues: { a: { readOnly: 'yes' } } } }, '"readOnly" must be a boolean.'],
    [
      '',
      { file: { queues: { a: { readOnly: true, readOnlyMode: false } } } },
      '"readOnly" and "readOnlyMode" are one option and must not differ.',
    ],
  ])('%s %j', async (line, given, message) => {
    const refused = read(line, given);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toMatchObject({ name: 'UsageError' });
    await expect(refused).rejects.not.toThrow('?.');
  });

  it('an open board in production, also on this machine', async () => {
    const env = { NODE_ENV: 'production' };
    await expect(read('', { env })).rejects.toThrow(
      'with NODE_ENV=production a board needs authentication',
    );
    expect((await read('--insecure-no-auth', { env })).access).toBe('everybody');
    expect((await read('', { env, file: { insecureNoAuth: true } })).access).toBe('everybody');
    vi.stubEnv('NODE_ENV', 'production');
    expect((await read('')).access).toBe('this machine');
    vi.unstubAllEnvs();
  });

  it('never a value, which may be a secret', async () => {
    for (const [line, given] of [
      ['--redis http://:hunter2@x', {}],
      ['--postgres hunter2', {}],
      ['--kv-db hunter2 --cluster a', {}],
      ['hunter2', {}],
      ['', { env: { BOARD_PGQ_URL: 'hunter2' } }],
    ] as const) {
      await expect(read(line, given)).rejects.not.toThrow('hunter2');
    }
  });

  it('only warned of: a variable that is probably misspelt', async () => {
    const lines: string[] = [];
    const env = { BOARD_PROT: '1', BOARD_OF_DIRECTORS: '5', OTHER_PORT: '2' };
    await read('', { env, warn: (line) => lines.push(line) });
    expect(lines).toEqual(['BOARD_PROT is not a setting; did you mean BOARD_PORT?']);
  });
});
