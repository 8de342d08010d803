/** The datastores that the settings name. */

import { bossSchema, isRecord, normalizeBasePath } from '../../../lib/index.ts';
import { ownSegments } from '../../../board/core/index.ts';
import { pgqOptionTable } from '../../../board/pgq/index.ts';
import { UsageError } from '../../command.ts';
import { givenAmong, type Layers } from './layers.ts';
import type { SettingName } from './settings-table.ts';

/** Options of a client or a pool, passed on unchanged. */
type Options = Readonly<Record<string, unknown>>;

/** Redis: one server or sentinels by options of ioredis, or a cluster by its nodes. */
export interface RedisSource {
  /** For messages, without passwords. */
  readonly address: string;
  /** URL of one server. */
  readonly url?: string;
  readonly nodes?: readonly { readonly host: string; readonly port: number }[];
  readonly options: Options;
}

/** BullMQ's tables in PostgreSQL. */
export interface PostgresSource {
  readonly address: string;
  /** Settings of `pg`. */
  readonly connection: Options;
  readonly schema: string;
}

/** pg-boss's tables in PostgreSQL. */
export interface PgqSource {
  readonly address: string;
  /** A URL, settings of `pg`, or a pool. */
  readonly connection: string | Options;
  /** Options of the `pgq` board besides its connection. */
  readonly options: Options;
  /** Where the board is served beside another. */
  readonly path: string;
}

/** The configured datastores, at least one. */
export interface SourceSettings {
  readonly redis?: RedisSource;
  readonly postgres?: PostgresSource;
  readonly pgq?: PgqSource;
}

/**
 * The datastores, Redis on this machine when none is named.
 *
 * @throws {UsageError} when an address or a schema is wrong, or settings of different connections are mixed
 */
export function sourceSettings(layers: Layers): SourceSettings {
  const postgres = postgresSource(layers);
  const pgq = pgqSource(layers);
  const redis = redisSource(layers, postgres === undefined && pgq === undefined);
  if (pgq && (redis || postgres)) checkPgqPath(pgq.path, layers);
  return { ...(redis && { redis }), ...(postgres && { postgres }), ...(pgq && { pgq }) };
}

/** The settings that choose how Redis is reached; the highest layer that has one of them decides. */
const redisWays = ['kvUrl', 'sentinels', 'clusterNodes'] as const satisfies readonly SettingName[];
const redisParts = ['kvUsername', 'kvPassword', 'kvDb'] as const satisfies readonly SettingName[];
const isDatabase = (number: unknown): boolean => /^\d+$/.test(String(number));

/** Whether it is a URL or a path in which the database, if there is one, is a number. */
function isRedisAddress(text: string): boolean {
  const base = 'redis://localhost';
  if (!/^(?:rediss?:\/\/|\/)/i.test(text) || !URL.canParse(text, base)) return false;
  const { pathname, searchParams } = new URL(text, base);
  const path = text.startsWith('/') ? '' : pathname.slice(1);
  return isDatabase(path || 0) && isDatabase(searchParams.get('db') ?? 0);
}

function redisSource(layers: Layers, isDefault: boolean): RedisSource | undefined {
  const { values, config, nameOf } = layers;
  const way = redisWay(layers);
  if (way !== 'sentinels')
    refuseWithout(layers, ['sentinelName', 'sentinelPassword'], '--sentinel');
  if (way === 'clusterNodes') return clusterSource(layers);
  if (way === 'sentinels') return sentinelSource(layers);
  const parts = {
    ...(values.kvUsername !== undefined && { username: values.kvUsername }),
    ...(values.kvPassword !== undefined && { password: values.kvPassword }),
    ...(values.kvDb !== undefined && { db: values.kvDb }),
  };
  const given = values.kvUrl ?? config.kv;
  if (given === undefined || typeof given === 'string') {
    const [part] = givenAmong(layers, redisParts);
    if (part !== undefined) {
      const way = given === undefined ? 'needs --sentinel or --cluster' : 'cannot go with a URL';
      throw new UsageError(`${nameOf(part)} ${way}; write it into the URL of --redis.`);
    }
    if (given === undefined) {
      return isDefault ? urlSource('redis://localhost:6379') : undefined;
    }
    if (!isRedisAddress(given)) {
      const name = values.kvUrl === undefined ? layers.keyName('kv') : nameOf('kvUrl');
      throw new UsageError(
        `${name} must be redis://host:port, rediss://host:port, either with /number for a database, or the path of a socket.`,
      );
    }
    return urlSource(given);
  }
  const { cluster, ...options } = given;
  if (cluster === undefined) {
    if (isDatabase(options['db'] ?? 0))
      return { address: addressOf(options), options: { ...options, ...parts } };
    throw new UsageError(`${layers.keyName('kv.db')} must be a whole number of at least 0.`);
  }
  if (!Array.isArray(cluster))
    throw new UsageError(`${layers.keyName('kv.cluster')} must be a list.`);
  const nodes = cluster.map((node) => clusterNode(node, layers));
  return { address: `cluster ${nodes.map(hostAndPort).join(',')}`, nodes, options };
}

/** The way to reach Redis; `file` and none leave it to the config file or the default. */
function redisWay(layers: Layers): (typeof redisWays)[number] | undefined {
  for (const layer of ['flag', 'environment'] as const) {
    const ways = redisWays.filter((name) => layers.layerOf(name) === layer);
    if (ways.length > 1) {
      throw new UsageError(
        `${ways.map((name) => layers.nameOf(name)).join(' and ')} exclude each other.`,
      );
    }
    if (ways[0] !== undefined) return ways[0];
  }
  return undefined;
}

function refuseWithout(layers: Layers, names: readonly SettingName[], needed: string): void {
  const [first] = givenAmong(layers, names);
  if (first !== undefined) throw new UsageError(`${layers.nameOf(first)} needs ${needed}.`);
}

const urlSource = (url: string): RedisSource => ({ address: masked(url), url, options: {} });

function addressOf(options: Options): string {
  const { host = 'localhost', port = 6379, path, sentinels, name } = options;
  if (Array.isArray(sentinels)) return `sentinels for ${String(name)}`;
  return typeof path === 'string' ? path : `redis://${String(host)}:${String(port)}`;
}

function sentinelSource({ values, nameOf }: Layers): RedisSource {
  const { sentinels = [], sentinelName, sentinelPassword, kvUsername, kvPassword, kvDb } = values;
  if (sentinelName === undefined) {
    throw new UsageError(`${nameOf('sentinels')} needs ${nameOf('sentinelName')}.`);
  }
  return {
    address: `sentinels ${sentinels.join(',')} for ${sentinelName}`,
    options: {
      sentinels: sentinels.map((node) => nodeOf(node, 26_379, nameOf('sentinels'))),
      name: sentinelName,
      ...(sentinelPassword !== undefined && { sentinelPassword }),
      ...(kvUsername !== undefined && { username: kvUsername }),
      ...(kvPassword !== undefined && { password: kvPassword }),
      ...(kvDb !== undefined && { db: kvDb }),
    },
  };
}

function clusterSource({ values, nameOf }: Layers): RedisSource {
  const { clusterNodes = [], kvUsername, kvPassword, kvDb } = values;
  if (kvDb !== undefined) {
    throw new UsageError(`${nameOf('kvDb')} cannot go with a cluster, which has one database.`);
  }
  const redisOptions = {
    ...(kvUsername !== undefined && { username: kvUsername }),
    ...(kvPassword !== undefined && { password: kvPassword }),
  };
  return {
    address: `cluster ${clusterNodes.join(',')}`,
    nodes: clusterNodes.map((node) => nodeOf(node, 6379, nameOf('clusterNodes'))),
    options: { redisOptions },
  };
}

interface Node {
  readonly host: string;
  readonly port: number;
}

/** `host`, `host:port` or `[::1]:port`. */
function nodeOf(text: string, usualPort: number, name: string): Node {
  const [, bracketed, plain, port] =
    /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && Number(port ?? 0) <= 65_535) {
    return { host, port: port === undefined ? usualPort : Number(port) };
  }
  throw new UsageError(`${name} must be a list such as host:port,host:port.`);
}

function clusterNode(node: unknown, layers: Layers): Node {
  if (typeof node === 'string') return nodeOf(node, 6379, layers.keyName('kv.cluster'));
  if (isRecord(node) && typeof node['host'] === 'string') {
    return { host: node['host'], port: Number(node['port'] ?? 6379) };
  }
  throw new UsageError(`${layers.keyName('kv.cluster')} must be a list of nodes.`);
}

const hostAndPort = ({ host, port }: Node): string => `${host}:${port}`;

const postgresUrl = /^postgres(?:ql)?:\/\//i;
const identifier = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

function requireUrl(url: string, name: string): string {
  if (postgresUrl.test(url) && URL.canParse(url)) return url;
  throw new UsageError(`${name} must be a URL such as postgresql://user@host:5432/database.`);
}

function requireSchema(schema: unknown, name: string): string {
  if (typeof schema === 'string' && identifier.test(schema)) return schema;
  throw new UsageError(
    `${name} must be a letter or underscore, then letters, digits and underscores, at most 63.`,
  );
}

const describe = ({ connectionString, host, port, database }: Options): string =>
  typeof connectionString === 'string'
    ? masked(connectionString)
    : `postgresql://${String(host ?? 'localhost')}:${String(port ?? 5432)}/${String(database ?? '')}`;

function postgresSource(layers: Layers): PostgresSource | undefined {
  const { values, config, nameOf, keyName } = layers;
  const inFile = config.postgres;
  if (values.postgresUrl === undefined && inFile === undefined) {
    refuseWithout(layers, ['postgresSchema'], '--postgres');
    return undefined;
  }
  const { schema: fileSchema, ...settings } = isRecord(inFile) ? inFile : {};
  const url = values.postgresUrl ?? (typeof inFile === 'string' ? inFile : undefined);
  const name = values.postgresUrl === undefined ? keyName('postgres') : nameOf('postgresUrl');
  const connection = url === undefined ? settings : { connectionString: requireUrl(url, name) };
  const schema =
    values.postgresSchema === undefined
      ? requireSchema(fileSchema ?? 'bullmq', keyName('postgres.schema'))
      : requireSchema(values.postgresSchema, nameOf('postgresSchema'));
  return { address: describe(connection), connection, schema };
}

/** Options of a `pgq` board among the settings of its connection in a config file. */
const { instance: _instance, connection: _connection, ...pgqOptions } = pgqOptionTable;

function pgqSource(layers: Layers): PgqSource | undefined {
  const { values, config, nameOf, keyName } = layers;
  const inFile = config.pgq;
  if (values.pgqUrl === undefined && inFile === undefined) {
    refuseWithout(layers, ['pgqSchema', 'pgqQueues', 'pgqPath'], '--pgq');
    return undefined;
  }
  const { path: filePath, ...settings } = isRecord(inFile) ? inFile : {};
  const entries = Object.entries(settings);
  const options = Object.fromEntries(entries.filter(([key]) => Object.hasOwn(pgqOptions, key)));
  const rest = Object.fromEntries(entries.filter(([key]) => !Object.hasOwn(pgqOptions, key)));
  const url = values.pgqUrl ?? (typeof inFile === 'string' ? inFile : undefined);
  const connection =
    url === undefined
      ? rest
      : requireUrl(url, values.pgqUrl === undefined ? keyName('pgq') : nameOf('pgqUrl'));
  if (values.pgqSchema !== undefined && !bossSchema.fits(values.pgqSchema)) {
    throw new UsageError(`${nameOf('pgqSchema')} must be ${bossSchema.expected}.`);
  }
  const path = normalizeBasePath(values.pgqPath ?? filePath ?? '/pgq');
  if (path === undefined) throw new UsageError(`${pathName(layers)} must be a path such as /pgq.`);
  return {
    address: typeof connection === 'string' ? masked(connection) : describe(connection),
    connection,
    options: {
      ...options,
      ...(values.pgqSchema !== undefined && { schema: values.pgqSchema }),
      ...(values.pgqQueues && { queues: values.pgqQueues }),
    },
    path,
  };
}

function checkPgqPath(path: string, layers: Layers): void {
  const [, first = ''] = path.split('/');
  if (!ownSegments.has(first)) return;
  const own = [...ownSegments].filter((segment) => segment !== '');
  throw new UsageError(
    `${pathName(layers)} must not be the root or begin with /${own.join(', /')}: another board has these paths.`,
  );
}

/** The name of the path as the user has written it. */
const pathName = ({ values, nameOf, keyName }: Layers): string =>
  values.pgqPath === undefined ? keyName('pgq.path') : nameOf('pgqPath');

/** The URL without its password, query and fragment; only the scheme of a text that is not a URL. */
export function masked(url: string): string {
  if (url.startsWith('/')) return url.split('?', 1)[0] ?? '';
  if (!/^[a-z]+:\/\//i.test(url) || !URL.canParse(url))
    return `${/^[a-z]+:/i.exec(url)?.[0] ?? ''}...`;
  const { protocol, username, password, host, pathname } = new URL(url);
  const user = username === '' && password === '' ? '' : `${username}${password && ':***'}@`;
  return `${protocol}//${user}${host}${pathname}`;
}
