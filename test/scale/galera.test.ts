/** Lists on a Galera cluster of three MariaDB servers: written on one, read from the others, which end under load. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnection } from 'mysql2/promise';
import type { CompiledQueryRules, KeysetResult, QuerySource } from '../../src/index.ts';
import { runQuery } from '../../src/index.ts';
import type { DatabaseCell } from '../matrix/cell.ts';
import { adapters } from '../matrix/cells.ts';
import { compileEndpoints } from '../matrix/corpus/index.ts';
import type { Scratch } from '../services/index.ts';
import { startGalera } from '../services/galera.ts';
import type { GaleraCluster } from '../services/galera.ts';
import { onMysql, withDatabase } from '../services/scratch-database.ts';
import { leaveRunning } from '../services/service.ts';
import { runSuites, started } from './chosen.ts';
import { outcomesOf } from './outcomes.ts';

let cluster: GaleraCluster | string = 'Galera: not started.';

/** Scratch databases that are written on the first node and read from `readers`; none of these: from the first. */
function scratch(readers: readonly number[] = [1, 2]): Scratch | string {
  if (typeof cluster === 'string') return cluster;
  const { nodes, replicated } = cluster;
  const [first] = nodes;
  return async (_, suite) => {
    const url = first?.url ?? '';
    const service = { name: 'mysql', url, found: 'started here', dispose: leaveRunning } as const;
    const database = await onMysql(service, suite);
    const name = new URL(database.url).pathname.slice(1);
    const replicas = readers.map((at) => withDatabase(nodes[at]?.url ?? '', name));
    return readers.length === 0 ? database : { ...database, replicas, replicated };
  };
}

beforeAll(async () => {
  cluster = await started(startGalera);
});
afterAll(async () => {
  if (typeof cluster !== 'string') await cluster.dispose();
});

runSuites('Galera', 'mysql', 2, scratch);

/** The keys of a walk through all pages, in which a page that is refused for now is asked for again. */
async function walked(source: QuerySource, rules: CompiledQueryRules, size: number) {
  const keys: unknown[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const request: string = `sort=-name&perPage=${size}&cursor=${cursor}`;
    const page: KeysetResult | null = await runQuery(source, request, rules).then(
      (result) => result as KeysetResult,
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
        return null;
      },
    );
    if (!page) continue;
    keys.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return keys;
}

describe('a Galera cluster that loses nodes', () => {
  const cells: DatabaseCell[] = [];
  /** Cells on the first node, of one adapter for each driver. */
  const onFirst: DatabaseCell[] = [];

  beforeAll(async () => {
    const [made, single] = [scratch(), scratch([])];
    if (typeof made === 'string' || typeof single === 'string') return;
    for (const { name, open } of adapters) {
      const cell = await open('mysql', 'nodes', undefined, made);
      if (typeof cell !== 'string') cells.push(cell);
      if (name !== 'sql' && name !== 'prisma') continue;
      const first = await open('mysql', 'first', undefined, single);
      if (typeof first !== 'string') onFirst.push(first);
    }
  });
  afterAll(async () => {
    // The databases end with the cluster, in which nothing can be dropped any more.
    for (const cell of [...cells, ...onFirst]) await cell.dispose().catch(() => undefined);
  });

  it('answers in full or not at all when a node ends under load', async (context) => {
    if (typeof cluster === 'string') return context.skip(cluster);
    expect(new Set(await outcomesOf(cells))).toEqual(new Set(['7 of 60']));
    const [, reader, lost] = cluster.nodes;
    const seen = new Set<string>();
    let isOver = false;
    const load = (async () => {
      while (!isOver) for (const each of await outcomesOf(cells)) seen.add(each);
    })();
    const sql = cells.at(-1) as DatabaseCell;
    const { usersKeyset } = compileEndpoints(sql.registry);
    const walks = [1, 2, 3].map((size) => walked(sql.source('user'), usersKeyset, size));
    await lost?.kill();
    for (const keys of await Promise.all(walks)) {
      expect(keys).toHaveLength(60);
      expect(new Set(keys).size).toBe(60);
    }
    // The nodes that are left still accept writes, as soon as they have noticed.
    const writer = await createConnection({ uri: sql.database.url });
    const write = () =>
      writer.query('delete from line_notes where id = 1').then(
        () => 'written',
        () => 'refused',
      );
    await expect.poll(write).toBe('written');
    await writer.end();
    isOver = true;
    await load;
    const known = ['7 of 60', 'SOURCE_UNAVAILABLE'];
    expect([...seen].filter((each) => !known.includes(each))).toEqual([]);
    await reader?.kill();
    expect(new Set(await outcomesOf(cells))).toEqual(new Set(['SOURCE_UNAVAILABLE']));
  });

  it('is unavailable on a node that has left the cluster', async (context) => {
    if (typeof cluster === 'string') return context.skip(cluster);
    await expect
      .poll(() => outcomesOf(onFirst))
      .toEqual(Array.from({ length: 8 }, () => 'SOURCE_UNAVAILABLE'));
    const [cell] = onFirst as [DatabaseCell];
    const { users } = compileEndpoints(cell.registry);
    const refused = await runQuery(cell.source('user'), '', users).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 503, details: { retryAfterSeconds: 3 } });
  });
});
