/** The interface of a Redis client, and the identity of the server that it talks to. */

/** Reply of a pipelined command. */
export type PipelineReply = [error: Error | null, reply?: unknown];

/** A command and its arguments. */
export type RedisCommand = (string | number)[];

/** The part of an ioredis connection that the board uses. */
export interface RedisConnection {
  readonly status: string;
  readonly options: object;
  pipeline(commands: RedisCommand[]): { exec(): Promise<PipelineReply[] | null> };
  call(command: string, ...args: (string | number)[]): Promise<unknown>;
  once(event: string, listener: () => void): unknown;
  removeListener(event: string, listener: () => void): unknown;
}

/** An ioredis connection to a cluster: its nodes are connections themselves. */
export interface RedisCluster extends RedisConnection {
  readonly isCluster: true;
  /** Nodes (`host:port`, the master first) by slot. */
  readonly slots: readonly (readonly string[] | undefined)[];
  nodes(role: 'master'): RedisConnection[];
  /** Asks the nodes anew who holds which slots. */
  refreshSlotsCache(callback: (error?: Error | null) => void): void;
}

/** Either of the two. */
export type RedisClient = RedisConnection | RedisCluster;

/** Whether the client spreads its keys over several servers. */
export function isCluster(client: object): client is RedisCluster {
  return optionOf(client, 'isCluster') === true;
}

/** A property of options whose type the libraries leave open. */
export function optionOf(options: object, name: string): unknown {
  return Reflect.get(options, name);
}

/** Options from an address (`redis://`, `host:port` or the path of a socket), as the libraries read it. */
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
 * The same text for all connections that reach the same data with the same rights, so that one of them can read for
 * all. A connection is given by its client, or by the options it is made with; it need not be made yet.
 */
export function connectionIdentity(connection: object): string {
  if (isCluster(connection)) return clusterIdentity(connection);
  const options = optionOf(connection, 'options');
  return serverIdentity(typeof options === 'object' && options ? options : connection);
}

/** The default address is the libraries' own. */
function serverIdentity(options: object): string {
  const all = { ...options, ...fromAddress(optionOf(options, 'url')) };
  const sentinels = optionOf(all, 'sentinels');
  const place = sentinels
    ? [sentinels, optionOf(all, 'name'), optionOf(all, 'role') ?? 'master']
    : (optionOf(all, 'path') ?? [
        optionOf(all, 'host') ?? '127.0.0.1',
        Number(optionOf(all, 'port') ?? 6379),
      ]);
  const tls = optionOf(all, 'tls');
  // One door may lead to several servers, by the name a client knocks with.
  const knock = typeof tls === 'object' && tls !== null ? optionOf(tls, 'servername') : undefined;
  return JSON.stringify([
    place,
    Number(optionOf(all, 'db') ?? 0),
    optionOf(all, 'username') ?? null,
    knock ?? null,
    optionOf(all, 'keyPrefix') || null,
  ]);
}

/** The masters of a cluster, or the nodes its client starts from until it knows them. */
function clusterIdentity(client: RedisCluster): string {
  const known = client.slots.some((slot) => slot !== undefined);
  const nodes = known ? masters(client).toSorted() : optionOf(client, 'startupNodes');
  return JSON.stringify(['cluster', nodes]);
}

/** `host:port` of a node's connection, as the slots name it. */
export function nodeKey(node: RedisConnection): string {
  return `${String(optionOf(node.options, 'host'))}:${String(optionOf(node.options, 'port'))}`;
}

function masters(client: RedisCluster): string[] {
  return client.nodes('master').map(nodeKey);
}
