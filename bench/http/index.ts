/**
 * List requests over HTTP: the CPU time of the server's thread and of its PostgreSQL backends, in interleaved rounds, one
 * and eight requests at a time.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { seedPostgres } from '../lists/seed-pg.ts';
import { seedSqlite } from '../lists/seed-sqlite.ts';
import { databaseName, postgresUrl } from '../lists/services.ts';
import { backendCpu, backendsOf } from '../backends.ts';
import { figure, table } from '../markdown.ts';
import { quantile } from '../measure.ts';
import { type HttpRequest, type ServerName, httpRequests, servers } from './contenders.ts';

interface Started {
  readonly name: ServerName;
  readonly child: ChildProcess;
  readonly port: number;
  readonly targets: Readonly<Record<HttpRequest, readonly string[]>>;
}

const rounds = 30;
/** Requests of a kind per server before they are measured: as in a server that has run for a minute, and not just begun. */
const warmup = 15_000;
/** The same before they are measured again. */
const rewarmup = 1_500;
const abreast = [1, 8] as const;

/** The name of a server's connections. */
const applicationOf = (name: ServerName): string => `bench ${Object.keys(servers).indexOf(name)}`;

async function start(name: ServerName): Promise<Started> {
  const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), [name], {
    env: { ...process.env, PGAPPNAME: applicationOf(name) },
  });
  const [message] = (await once(child, 'message')) as [Omit<Started, 'name' | 'child'>];
  return { name, child, ...message };
}

/** Microseconds of CPU time of a server's thread. */
async function cpuOf({ child }: Started): Promise<number> {
  child.send('cpu');
  const [{ cpu }] = (await once(child, 'message')) as [{ readonly cpu: number }];
  return cpu;
}

async function bodyOf(agent: Agent, port: number, path: string): Promise<string> {
  const [answer] = await once(get({ agent, port, path, host: '127.0.0.1' }), 'response');
  let body = '';
  answer.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  await once(answer, 'end');
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${body}`);
  return body;
}

/** Sends requests, so many at a time, and returns the milliseconds of each. */
async function load(
  agent: Agent,
  { port, targets }: Started,
  request: HttpRequest,
  count: number,
  atATime: number,
): Promise<number[]> {
  const wall: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const path = targets[request][next % targets[request].length] ?? '';
      next += 1;
      const begun = performance.now();
      await bodyOf(agent, port, path);
      wall.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return wall;
}

interface Figures {
  readonly node: number;
  readonly both: number;
  readonly p50: number;
}

async function measured(
  all: readonly Started[],
  pids: ReadonlyMap<ServerName, readonly number[]>,
  request: HttpRequest,
  atATime: number,
  requests: number,
): Promise<Map<ServerName, Figures>> {
  const agent = new Agent({ keepAlive: true, maxSockets: atATime });
  const cells = new Map(
    all.map(({ name }) => [
      name,
      { node: [] as number[], both: [] as number[], wall: [] as number[] },
    ]),
  );
  for (let round = 0; round < rounds; round += 1) {
    const turn = round % all.length;
    for (const server of [...all.slice(turn), ...all.slice(0, turn)]) {
      const cell = cells.get(server.name);
      const backends = pids.get(server.name) ?? [];
      const [node, backend] = [await cpuOf(server), backendCpu(backends)];
      cell?.wall.push(...(await load(agent, server, request, requests, atATime)));
      const [spent, behind] = [(await cpuOf(server)) - node, backendCpu(backends) - backend];
      cell?.node.push(spent / requests);
      cell?.both.push((spent + behind) / requests);
    }
  }
  agent.destroy();
  return new Map(
    [...cells].map(([name, { node, both, wall }]) => [
      name,
      { node: quantile(node, 0.5), both: quantile(both, 0.5), p50: quantile(wall, 0.5) },
    ]),
  );
}

function rowsOf(found: ReadonlyMap<ServerName, Figures>): string[][] {
  const names = Object.keys(servers) as ServerName[];
  return names.map((name) => {
    const of = (kind: 'raw' | 'floor'): Figures | undefined =>
      found.get(
        names.find(
          (other) =>
            servers[other].framework === servers[name].framework && servers[other].kind === kind,
        ) ?? name,
      );
    const [own, raw, floor] = [found.get(name), of('raw'), of('floor')];
    if (!own || !raw || !floor) return [name];
    return [
      name,
      figure(own.node),
      figure(own.node / raw.node),
      own === floor ? '' : figure((own.node - floor.node) / (raw.node - floor.node)),
      figure(own.both),
      figure(own.both / raw.both),
      figure(own.p50),
    ];
  });
}

/** A cursor belongs to the rules of its registry, which may know the family of its database. */
const withoutCursors = (body: string): string =>
  body.replaceAll(/"(next|prev)Cursor":"[^"]*"/g, '"$1Cursor":""');

/** The same bytes, before anything is measured; the same rows and totals where cursors are left out. */
async function assertSameAnswers(all: readonly Started[]): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (const request of httpRequests) {
    for (const variant of all[0]?.targets[request].keys() ?? []) {
      const bodies = new Set<string>();
      const parts = new Set<string>();
      for (const { name, port, targets } of all) {
        const body = await bodyOf(agent, port, targets[request][variant] ?? '');
        const { data, total } = JSON.parse(body) as { data: unknown; total?: number };
        parts.add(JSON.stringify({ data, total }));
        if (servers[name].kind !== 'bare') bodies.add(withoutCursors(body));
      }
      if (parts.size + bodies.size !== 2) {
        throw new Error(`The servers answer ${request} differently.`);
      }
    }
  }
  agent.destroy();
}

/** Measures all servers and prints a table for each request and number of requests at a time. */
export async function runHttp(iterations: number, requests: readonly HttpRequest[]): Promise<void> {
  seedSqlite('milliseconds', false);
  await seedPostgres(false);
  const all: Started[] = [];
  for (const name of Object.keys(servers) as ServerName[]) all.push(await start(name));
  const admin = new pg.Client(postgresUrl(databaseName));
  await admin.connect();
  try {
    await assertSameAnswers(all);
    for (const request of requests) {
      for (const [at, atATime] of abreast.entries()) {
        const agent = new Agent({ keepAlive: true, maxSockets: 8 });
        const count = at === 0 ? warmup : rewarmup;
        for (const server of all) await load(agent, server, request, count, 8);
        agent.destroy();
        const pids = new Map<ServerName, readonly number[]>();
        for (const { name } of all) {
          pids.set(name, await backendsOf(admin, applicationOf(name)));
        }
        const found = await measured(all, pids, request, atATime, iterations);
        console.log(`\n### http: ${request}, ${atATime} at a time\n`);
        console.log(
          table(
            ['server', 'CPU µs', 'of raw', 'without HTTP', 'with backends µs', 'of raw', 'p50 ms'],
            rowsOf(found),
          ),
        );
      }
    }
    console.log(`\nLoad average (1 min) at the end: ${(loadavg()[0] ?? 0).toFixed(2)}`);
  } finally {
    await admin.end();
    for (const { child } of all) child.disconnect();
  }
}
