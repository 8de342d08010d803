/** Parses `INFO` into statistics of a Redis server, or the combined statistics of the masters of a cluster. */

import type { KvStats } from '../model/types.ts';

type Info = ReadonlyMap<string, string>;

function parse(text: string): Info {
  const lines = text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon > 0 && !line.startsWith('#')
      ? [[line.slice(0, colon), line.slice(colon + 1)]]
      : [];
  });
  return new Map(lines);
}

const number = (info: Info, name: string): number => Number(info.get(name)) || 0;

function memory(infos: readonly Info[]): NonNullable<KvStats['memory']> {
  const sum = (of: (info: Info) => number): number =>
    infos.reduce((total, info) => total + of(info), 0);
  const used = sum((info) => number(info, 'used_memory'));
  const resident = sum((info) => number(info, 'used_memory_rss'));
  return {
    total: sum((info) => number(info, 'maxmemory') || number(info, 'total_system_memory')),
    used,
    fragmentationRatio:
      infos.length === 1
        ? number(infos[0] ?? new Map(), 'mem_fragmentation_ratio')
        : Math.round((resident / Math.max(used, 1)) * 100) / 100,
    peak: sum((info) => number(info, 'used_memory_peak')),
  };
}

/** Statistics from the `INFO` texts, one text per server. `viaSentinel`: the connection is resolved by Sentinel. */
export function redisStats(texts: readonly string[], viaSentinel: boolean): KvStats | null {
  const infos = texts.map(parse);
  const [first] = infos;
  if (!first) return null;
  const mode = viaSentinel
    ? 'sentinel'
    : first.get('redis_mode') === 'cluster'
      ? 'cluster'
      : 'standalone';
  const os = first.get('os');
  const sum = (name: string): number =>
    infos.reduce((total, info) => total + number(info, name), 0);
  return {
    backend: 'kv',
    version: first.get('redis_version') ?? 'unknown',
    mode,
    port: number(first, 'tcp_port'),
    ...(os !== undefined && { os }),
    uptime: Math.min(...infos.map((info) => number(info, 'uptime_in_seconds'))),
    memory: memory(infos),
    clients: { connected: sum('connected_clients'), blocked: sum('blocked_clients') },
  };
}
