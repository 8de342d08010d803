/**
 * The Helm chart: it renders and refuses, its Pods have no privileges, and the command of the image starts with what it
 * renders and answers its probes.
 */

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settingsTable } from '../../src/cli/board/settings/settings-table.ts';
import { runBoard } from '../cli/run-board.ts';
import { everyServiceRequired, findRedis } from '../services/index.ts';
import { freePort } from '../services/server-process.ts';
import { findHelm } from './helm.ts';
import { manifest, root } from './package.ts';

const run = promisify(execFile);
const chart = path.join(root, 'charts/sluice');
const redis = await findRedis();
const redisUrl = 'missing' in redis ? '' : redis.url;
if ('missing' in redis && everyServiceRequired()) throw new Error(redis.advice);
const helm = await findHelm();
afterAll(async () => {
  if (!('missing' in redis)) await redis.dispose();
});

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}

interface Probe {
  readonly exec: { readonly command: readonly string[] };
}

interface Container {
  readonly image: string;
  readonly env: readonly Variable[];
  readonly args?: readonly string[];
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly startupProbe: Probe;
  readonly securityContext: object;
}

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>> & {
    readonly template: {
      readonly spec: Readonly<Record<string, unknown>> & {
        readonly containers: readonly [Container];
      };
    };
  };
}

const flagsOf = (values: object): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => [
    '--set-json',
    `${name}=${JSON.stringify(value)}`,
  ]);

/** The resources that the chart renders, by kind. */
async function rendered(values: object): Promise<ReadonlyMap<string, Resource>> {
  const { stdout } = await run(helm ?? '', ['template', 'jobs', chart, ...flagsOf(values)]);
  const all = parseAllDocuments(stdout).map((document) => document.toJS() as Resource);
  return new Map(all.map((resource) => [resource.kind, resource]));
}

const containerOf = (resources: ReadonlyMap<string, Resource>): Container => {
  const [container] = resources.get('Deployment')?.spec.template.spec.containers ?? [];
  if (!container) throw new Error('There is no container.');
  return container;
};

const random = (): string => randomBytes(32).toString('hex');
const secret = (key: string) => ({ name: 'board', key });
const secrets: Readonly<Record<string, string>> = {
  token: `${random()},${random()}`,
  password: 'the password: of Zoë, at length',
  session: random(),
  client: random(),
  redis: redisUrl,
};

const token = { 'auth.token.secret': secret('token') };
const usual = { 'redis.secret': secret('redis'), ...token };

/** One of each way in. */
const ways: Readonly<Record<string, object>> = {
  'a token': token,
  'a user and a password': { 'auth.basic': { user: 'zoë', secret: secret('password') } },
  'a provider': {
    'auth.oidc': {
      issuer: 'https://127.0.0.1:9/realms/main',
      clientId: 'board',
      clientSecret: secret('client'),
      roles: ['ops', 'support'],
      bearerOnly: true,
    },
  },
  everybody: { 'auth.insecureNoAuth': true },
};

/** Values that set all that can be set. */
const everything = {
  ...usual,
  'postgres.url': 'postgresql://board@db/app',
  'postgres.schema': 'queues',
  pgq: { secret: secret('pgq'), schema: 'jobs', queues: ['a', 'b'] },
  'auth.sessionSecret': secret('session'),
  board: {
    basePath: '/admin/queues',
    publicUrl: 'https://example.com/admin/queues',
    trustProxy: 1,
    title: 'Jobs: "ours"',
    readOnly: true,
    prefix: ['bull', '{billing}'],
    queues: ['mail'],
    scanInterval: 0,
    history: { enabled: true, retentionDays: 30 },
  },
  extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/certificates/ca.pem' }],
  replicaCount: 3,
  serviceAccount: { create: true, annotations: { 'a.b/c': 'd' } },
  ingress: {
    enabled: true,
    className: 'nginx',
    hosts: ['example.com'],
    tls: [{ hosts: ['example.com'] }],
  },
  networkPolicy: {
    enabled: true,
    from: [{ podSelector: {} }],
    egress: [{ to: [{ podSelector: {} }] }],
  },
  podLabels: { team: 'a' },
  podAnnotations: { 'a.b/c': 'd' },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ operator: 'Exists' }],
  affinity: { podAntiAffinity: {} },
  imagePullSecrets: [{ name: 'registry' }],
};

describe.skipIf(helm === undefined)('the Helm chart', () => {
  it('has the version of the package', () => {
    const about: unknown = parse(readFileSync(path.join(chart, 'Chart.yaml'), 'utf8'));
    const { version } = manifest;
    expect(about).toMatchObject({ name: manifest.name, version, appVersion: version });
  });

  it.each([
    ['a Redis and a token', usual],
    ['all values', everything],
  ])('has no problem that helm lint knows, with %s', async (_, values) => {
    const { stdout } = await run(helm ?? '', [
      'lint',
      '--strict',
      '--quiet',
      chart,
      ...flagsOf(values),
    ]);
    expect(stdout.trim()).toBe('');
  });

  it('renders all resources for all values', async () => {
    const all = await rendered(everything);
    expect([...all.keys()].toSorted()).toEqual([
      'Deployment',
      'Ingress',
      'NetworkPolicy',
      'Service',
      'ServiceAccount',
    ]);
    expect([...(await rendered(usual)).keys()].toSorted()).toEqual(['Deployment', 'Service']);
    const policy = all.get('NetworkPolicy')?.spec;
    expect(policy?.['policyTypes']).toEqual(['Ingress', 'Egress']);
    expect(policy?.['egress']).toHaveLength(2);
    expect(all.get('Ingress')?.spec['rules']).toMatchObject([
      { host: 'example.com', http: { paths: [{ path: '/admin/queues' }] } },
    ]);
  });

  it.each([
    ['a Redis and a token', usual],
    ['all values', everything],
  ])('gives its Pods no privileges, with %s', async (_, values) => {
    const pod = (await rendered(values)).get('Deployment')?.spec.template.spec;
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    expect(pod?.containers).toHaveLength(1);
    expect(pod?.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod).not.toHaveProperty('hostNetwork');
    expect(pod).not.toHaveProperty('volumes');
  });

  it('sets the variables of settings that there are, each once', async () => {
    const known = Object.values(settingsTable).map(({ env }) => `BOARD_${env}`);
    const { 'auth.token.secret': _, 'auth.sessionSecret': sealed, ...others } = everything;
    for (const [name, way] of Object.entries(ways)) {
      const sessions = name === 'a token' || name === 'a provider';
      const values = { ...others, ...way, ...(sessions && { 'auth.sessionSecret': sealed }) };
      const { env, args } = containerOf(await rendered(values));
      const names = env.map(({ name }) => name).filter((name) => name !== 'NODE_EXTRA_CA_CERTS');
      expect(names.filter((name) => !known.includes(name))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
      expect(args).toBeUndefined();
    }
  });

  it.each<[string, object, string]>([
    ['no datastore', token, 'set a datastore'],
    ['no authentication', { 'redis.url': 'redis://cache' }, 'these are set: none'],
    ['two authentications', { ...usual, 'auth.insecureNoAuth': true }, 'token, insecureNoAuth'],
    [
      'a user without a password',
      { 'redis.url': 'redis://cache', 'auth.basic.user': 'ada' },
      'auth.basic needs user and secret',
    ],
    [
      'a provider without a client',
      { 'redis.url': 'redis://cache', 'auth.oidc.issuer': 'https://a' },
      'auth.oidc needs issuer and clientId',
    ],
    ['a password in a value', { ...token, 'redis.url': 'redis://:secret@cache' }, 'has a password'],
    [
      'a user and a password in a value',
      { ...token, 'pgq.url': 'postgresql://ada:secret@db/app' },
      'pgq.url has a password',
    ],
    [
      'a password as a parameter',
      { ...token, 'postgres.url': 'postgresql://db/app?user=a&password=secret@' },
      'postgres.url has a password',
    ],
    ['a URL beside a Secret', { ...usual, 'redis.url': 'redis://cache' }, 'not both'],
    ['replicas that share no sessions', { ...usual, replicaCount: 2 }, 'auth.sessionSecret'],
    [
      'sessions of nobody',
      {
        'redis.url': 'redis://cache',
        'auth.insecureNoAuth': true,
        'auth.sessionSecret': secret('session'),
      },
      'auth.sessionSecret needs',
    ],
    ['an Ingress without a host', { ...usual, 'ingress.enabled': true }, 'ingress.hosts'],
    ['an unknown value', { ...usual, 'board.readonly': true }, "'readonly' not allowed"],
    ['a Secret without a key', { ...token, 'redis.secret': { name: 'a' } }, '/redis/secret'],
    ['a path that ends its text', { ...usual, 'board.basePath': "/a'+b" }, '/board/basePath'],
    ['a list in a name', { ...usual, 'board.queues': ['a,b'] }, '/board/queues/0'],
    ['a port of the system', { ...usual, containerPort: 80 }, '/containerPort'],
  ])('refuses %s', async (_, values, message) => {
    const failed = await rendered(values).then(
      () => '',
      (error: unknown) => String(Reflect.get(Object(error), 'stderr')),
    );
    expect(failed).toContain(message);
    expect(failed).not.toContain('secret@');
  });

  /** The variables of a container, with the values of its Secrets. */
  const variablesOf = ({ env }: Container): Readonly<Record<string, string>> =>
    Object.fromEntries(
      env.map(({ name, value, valueFrom }) => [
        name,
        value ?? secrets[valueFrom?.secretKeyRef.key ?? ''] ?? '',
      ]),
    );

  /** Starts the command with what the chart renders, as in its image. */
  async function started(values: object) {
    const port = await freePort();
    const container = containerOf(await rendered({ ...values, containerPort: port }));
    const env = { ...variablesOf(container), NODE_ENV: 'production', BOARD_OPEN: 'false' };
    const board = await runBoard(['--port', String(port)], { env });
    const asked = async ({ exec: { command } }: Probe): Promise<boolean> => {
      const [program = '', ...args] = command;
      expect(program).toBe('node');
      return run(process.execPath, args, { env: { ...process.env, ...env } }).then(
        () => true,
        () => false,
      );
    };
    const { readinessProbe, livenessProbe, startupProbe } = container;
    return {
      board,
      isReady: () => asked(readinessProbe),
      isAlive: () => asked(livenessProbe),
      isStarted: () => asked(startupProbe),
    };
  }

  describe.skipIf(redisUrl === '')('started', () => {
    it.each(Object.entries(ways))('is ready behind %s', async (_, way) => {
      const values = { 'redis.secret': secret('redis'), 'board.basePath': '/admin', ...way };
      const { board, isReady, isAlive, isStarted } = await started(values);
      await expect.poll(isReady).toBe(true);
      expect([await isAlive(), await isStarted()]).toEqual([true, true]);
      expect(board.printed.err).toBe('');
      await board.stop();
      expect([await isReady(), await isAlive()]).toEqual([false, false]);
    });

    it('is ready with all settings of a board', async () => {
      const { board: settings, 'auth.sessionSecret': sealed } = everything;
      const { board, isReady } = await started({
        ...usual,
        board: settings,
        'auth.sessionSecret': sealed,
      });
      await expect.poll(isReady).toBe(true);
      expect(board.printed).toEqual({ out: expect.any(String), err: '' });
    });

    it('is alive and not ready while its datastore is away', async () => {
      const { isReady, isAlive } = await started({ ...token, 'redis.url': 'redis://127.0.0.1:9' });
      expect([await isAlive(), await isReady()]).toEqual([true, false]);
    });
  });
});
