/** What the board asks of a Redis client, and which clients talk to the same server. */

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
}

/** Either of the two. */
export type RedisClient = RedisConnection | RedisCluster;

/** Whether the client spreads its keys over several servers. */
export function isCluster(client: RedisClient): client is RedisCluster {
  return 'isCluster' in client && client.isCluster === true;
}

/** A property of options whose type the libraries leave open. */
export function optionOf(options: object, name: string): unknown {
  return Reflect.get(options, name);
}

/** Host, port and database out of a `redis://` address, where the options hold one. */
function fromUrl(url: unknown): object {
  if (typeof url !== 'string' || !URL.canParse(url)) return {};
  const { hostname, port, pathname, username } = new URL(url);
  return {
    ...(hostname && { host: hostname }),
    ...(port && { port: Number(port) }),
    ...(pathname.length > 1 && { db: Number(pathname.slice(1)) }),
    ...(username && { username }),
  };
}

/**
 * The same text for all clients that reach the same data with the same rights, so that one of them can read for
 * all. The default address is the libraries' own.
 */
export function serverIdentity(options: object): string {
  const all = { ...options, ...fromUrl(optionOf(options, 'url')) };
  const sentinels = optionOf(all, 'sentinels');
  const place = sentinels
    ? [sentinels, optionOf(all, 'name')]
    : (optionOf(all, 'path') ?? [
        optionOf(all, 'host') ?? '127.0.0.1',
        Number(optionOf(all, 'port') ?? 6379),
      ]);
  return JSON.stringify([
    place,
    Number(optionOf(all, 'db') ?? 0),
    optionOf(all, 'username') ?? null,
  ]);
}

/** As {@link serverIdentity}, for a cluster: the nodes it was told to start from. */
export function clusterIdentity(client: RedisCluster): string {
  const nodes = client.slots.find((slot) => slot !== undefined) ? masters(client).toSorted() : [];
  return JSON.stringify(['cluster', nodes]);
}

/** `host:port` of a node's connection, as the slots name it. */
export function nodeKey(node: RedisConnection): string {
  return `${String(optionOf(node.options, 'host'))}:${String(optionOf(node.options, 'port'))}`;
}

function masters(client: RedisCluster): string[] {
  return client.nodes('master').map(nodeKey);
}
