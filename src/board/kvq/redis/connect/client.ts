/** The interface of a Redis client, and the identity of its server. */

/** Reply of a pipelined command. */
export type PipelineReply = [error: Error | null, reply?: unknown];

/** A command and its arguments. */
export type RedisCommand = (string | number)[];

/** The part of an ioredis connection that the board uses. */
export interface RedisConnection {
  /** State of the connection, such as `ready`. */
  readonly status: string;
  /** Options of the connection. */
  readonly options: object;
  /** Collects commands, which `exec` sends; it resolves to an error or a reply of each. */
  pipeline(commands: RedisCommand[]): { exec(): Promise<PipelineReply[] | null> };
  /** Sends a command. */
  call(command: string, ...args: (string | number)[]): Promise<unknown>;
  /** Listens to an event once. */
  once(event: string, listener: () => void): unknown;
  /** Ends listening. */
  removeListener(event: string, listener: () => void): unknown;
  on?(event: string, listener: () => void): unknown;
  /** A connection with the same settings, except those given; a cluster takes start nodes before them. */
  duplicate?(...overrides: object[]): RedisConnection;
  disconnect?(): void;
}

/** An ioredis connection to a cluster; each of its nodes is a connection too. */
export interface RedisCluster extends RedisConnection {
  readonly isCluster: true;
  /** Nodes (`host:port`, the master first) by slot. */
  readonly slots: readonly (readonly string[] | undefined)[];
  nodes(role: 'master'): RedisConnection[];
  /** Reloads the slot map from the nodes. */
  refreshSlotsCache(callback: (error?: Error | null) => void): void;
}

/** A connection to a single server or to a cluster. */
export type RedisClient = RedisConnection | RedisCluster;

export function isCluster(client: object): client is RedisCluster {
  return optionOf(client, 'isCluster') === true;
}

/** A property of an options object without a published type. */
export function optionOf(options: object, name: string): unknown {
  return Reflect.get(options, name);
}

/** Parses an address (`redis://`, `host:port` or a socket path) the way the libraries do. */
function fromAddress(address: unknown): Readonly<Record<string, unknown>> {
  if (typeof address !== 'string') return {};
  if (address.startsWith('/') && !address.startsWith('//')) {
    const [path, query] = address.split('?', 2);
    return { ...Object.fromEntries(new URLSearchParams(query)), path };
  }
  const text = /^(?:rediss?:)?\/\//i.test(address)
    ? address.replace(/^\/\//, 'redis://')
    : `redis://${address}`;
  if (!URL.canParse(text)) return {};
  const { hostname, port, pathname, username, searchParams } = new URL(text);
  return {
    ...Object.fromEntries(searchParams),
    ...(hostname && { host: hostname }),
    ...(port && { port }),
    ...(pathname.length > 1 && { db: pathname.slice(1) }),
    ...(username && { username }),
  };
}

/**
 * Identity of a connection: equal for connections to the same data with the same credentials, so that one of them can
 * read for all. Accepts a client or the options for one.
 */
export function connectionIdentity(connection: object): string {
  if (isCluster(connection)) return clusterIdentity(connection);
  const options = optionOf(connection, 'options');
  return serverIdentity(typeof options === 'object' && options ? options : connection);
}

/** Applies the default address of the libraries. */
function serverIdentity(options: object): string {
  const all = { ...options, ...fromAddress(optionOf(options, 'url')) };
  const sentinels = optionOf(all, 'sentinels');
  const address = sentinels
    ? [sentinels, optionOf(all, 'name'), optionOf(all, 'role') ?? 'master']
    : (optionOf(all, 'path') ?? [
        optionOf(all, 'host') ?? '127.0.0.1',
        Number(optionOf(all, 'port') ?? 6379),
      ]);
  const tls = optionOf(all, 'tls');
  // A TLS proxy may route to several servers by server name (SNI).
  const serverName =
    typeof tls === 'object' && tls !== null ? optionOf(tls, 'servername') : undefined;
  return JSON.stringify([
    address,
    Number(optionOf(all, 'db') ?? 0),
    optionOf(all, 'username') ?? null,
    serverName ?? null,
    optionOf(all, 'keyPrefix') || null,
  ]);
}

/** Numbers of the clusters whose masters are not known yet. */
const numbers = new WeakMap<RedisCluster, number>();
let given = 0;

/** The masters of a cluster; until the slot map is loaded, the cluster itself. */
function clusterIdentity(client: RedisCluster): string {
  if (client.slots.some((slot) => slot !== undefined)) {
    return JSON.stringify(['cluster', masters(client).toSorted()]);
  }
  const number = numbers.get(client) ?? (given += 1);
  numbers.set(client, number);
  return JSON.stringify(['cluster', number]);
}

/** `host:port` of a node connection, in the format of the slot map. */
export function nodeKey(node: RedisConnection): string {
  return `${String(optionOf(node.options, 'host'))}:${String(optionOf(node.options, 'port'))}`;
}

function masters(client: RedisCluster): string[] {
  return client.nodes('master').map(nodeKey);
}
