/**
 * Sluice beside libraries for lists and beside boards, over HTTP: what a request costs, what is refused, and the size of
 * an installation. Prints the tables of docs/comparison.md.
 */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Agent } from 'node:http';
import path from 'node:path';
import pg from 'pg';
import { seed as seedJobs, benchUrl } from '../board-pgq/seed.ts';
import { makeQueues, seed as seedQueues } from '../board-kvq/queues.ts';
import { listingQuery } from '../board-kvq/query.ts';
import { startRedis } from '../board-kvq/redis.ts';
import { companyCount } from '../lists/data.ts';
import { seedPostgres } from '../lists/seed-pg.ts';
import { databaseName, postgresUrl } from '../lists/services.ts';
import { figure, table } from '../markdown.ts';
import { type Library, libraries, mistakeTitles, mistakes } from './libraries.ts';
import { type Cost, type Peer, ask, costsOf, start } from './measured.ts';
import { outcomesOf } from './refusals.ts';
import { installationOf, versionOf } from './sizes.ts';

const folder = import.meta.dirname;
const generated = path.join(folder, '.scratch/zenstack');

/** The database of pg-boss. */
const jobsDatabase = 'sluice_bench_peers_pgq';

/** Queues of BullMQ on the boards. */
const queueCount = 20;

/** Installs the peers, and generates the schema that one of them needs. */
function prepare(): void {
  if (!existsSync(path.join(folder, 'node_modules'))) {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
    execFileSync('npm', ['ci', ...flags, '--prefix', folder], { stdio: 'inherit' });
  }
  const cli = path.join(folder, 'node_modules/@zenstackhq/cli/bin/cli');
  const schema = path.join(folder, 'servers/schema.zmodel');
  execFileSync(
    process.execPath,
    [cli, 'generate', '--schema', schema, '-o', generated, '--silent'],
    {
      stdio: 'ignore',
    },
  );
}

/** The rows as all libraries should have them. */
function comparable({ rows, total }: ReturnType<Library['read']>): string {
  const plain = rows.map(({ id, name, email, age, active, createdAt, companyId }) => {
    const instant = new Date(createdAt as string).toISOString();
    return [id, name, email, age, active, instant, companyId];
  });
  return JSON.stringify([plain, total]);
}

const named = (name: string): string => (name === 'Sluice' ? `**${name}**` : name);

/** A table of costs; ratios are to the first row. */
function costTable(title: string, costs: ReadonlyMap<string, Cost>, reference: string): string {
  const first = costs.get(reference);
  const rows = [...costs].map(([name, { cpu, behind, p50, p99 }]) => [
    named(name),
    figure(cpu),
    figure(cpu / (first?.cpu ?? Number.NaN)),
    behind > 0 ? figure(behind) : '',
    figure(p50),
    figure(p99),
    figure(p99 / (first?.p99 ?? Number.NaN)),
  ]);
  const head = [title, 'CPU µs', 'ratio', 'PostgreSQL µs', 'p50 ms', 'p99 ms', 'ratio'];
  return table(head, rows);
}

const sizeRow = (name: string, packages: readonly string[]): readonly string[] => {
  const installed = installationOf(packages);
  const version = versionOf(packages[0] ?? '');
  return [named(name), version, installed.megabytes.toFixed(1), String(installed.packages)];
};

async function compareLists(iterations: number, admin: pg.Client): Promise<void> {
  const env = { BENCH_DATABASE_URL: postgresUrl(databaseName) };
  const peers: Peer[] = [];
  const agent = new Agent({ keepAlive: true });
  try {
    for (const { name, program } of libraries) {
      peers.push(await start(name, program, [generated], env));
    }
    const libraryOf = ({ name }: Peer): Library =>
      libraries.find((library) => library.name === name) as Library;
    const answers = new Set<string>();
    for (const peer of peers) {
      const library = libraryOf(peer);
      const { body } = await ask(agent, peer, library.page(5));
      answers.add(comparable(library.read(JSON.parse(body))));
    }
    if (answers.size !== 1) throw new Error('The libraries answer differently.');
    const page = (peer: Peer, index: number) =>
      libraryOf(peer).page(1 + ((index * 37) % companyCount));
    const costs = await costsOf(peers, page, iterations, admin);
    console.log(`\n${costTable('list', costs, 'by hand')}\n`);
    const rows: string[][] = [];
    for (const peer of peers.slice(1)) {
      rows.push([named(peer.name), ...(await outcomesOf(agent, peer, libraryOf(peer)))]);
    }
    console.log(table(['', ...mistakes.map((mistake) => mistakeTitles[mistake])], rows));
  } finally {
    agent.destroy();
    for (const { child } of peers) child.disconnect();
  }
}

/** Boards of the same queues, and the requests that their pages send. */
async function compareBoards(
  title: string,
  boards: readonly {
    readonly name: string;
    readonly program: string;
    readonly args: readonly string[];
    readonly path: string;
  }[],
  env: NodeJS.ProcessEnv,
  iterations: number,
  admin: pg.Client,
): Promise<void> {
  const peers: Peer[] = [];
  try {
    for (const { name, program, args } of boards) {
      peers.push(await start(name, program, args, env));
    }
    const pathOf = (peer: Peer) => boards.find(({ name }) => name === peer.name)?.path ?? '';
    const costs = await costsOf(peers, (peer) => ({ path: pathOf(peer) }), iterations, admin);
    console.log(`\n${costTable(title, costs, 'Sluice')}\n`);
  } finally {
    for (const { child } of peers) child.disconnect();
  }
}

async function compareBullmq(iterations: number, admin: pg.Client): Promise<void> {
  const redis = await startRedis();
  try {
    const queues = await makeQueues(redis.port, queueCount);
    await seedQueues(queues);
    for (const queue of queues) {
      const client = await queue.getBackend().client;
      await queue.close();
      client.disconnect();
    }
    const args = [String(queueCount)];
    const boards = [
      { name: 'Sluice', program: 'sluice-board.ts', args, path: listingQuery },
      { name: 'bull-board', program: 'bull-board.mjs', args, path: listingQuery },
    ];
    const env = { BENCH_REDIS_PORT: String(redis.port) };
    await compareBoards(`poll of ${queueCount} queues`, boards, env, iterations, admin);
  } finally {
    await redis.stop();
  }
}

async function comparePgBoss(iterations: number, admin: pg.Client): Promise<void> {
  await seedJobs(false, jobsDatabase, 50_000);
  // As many as a page of the dashboard has.
  const jobs = '/api/pgq/queues/q0/jobs?state=completed&limit=50';
  const boards = [
    { name: 'Sluice', program: 'sluice-board.ts', args: [], path: jobs },
    {
      name: "pg-boss's dashboard",
      program: 'pg-boss-dashboard.mjs',
      args: [],
      path: '/queues/q0.data?state=completed',
    },
  ];
  const env = { BENCH_DATABASE_URL: benchUrl(jobsDatabase) };
  await compareBoards('jobs of a queue', boards, env, iterations, admin);
}

/** Runs the comparison; `iterations` are requests in each of its rounds. */
export async function runPeers(iterations: number): Promise<void> {
  prepare();
  await seedPostgres(false);
  const admin = new pg.Client(postgresUrl(databaseName));
  await admin.connect();
  try {
    await compareLists(iterations, admin);
    await compareBullmq(iterations, admin);
    await comparePgBoss(iterations, admin);
  } finally {
    await admin.end();
  }
  const boards = {
    'Sluice, board of BullMQ': ['sluice', 'express', 'bullmq'],
    'bull-board': ['@bull-board/express', '@bull-board/api', 'express', 'bullmq'],
    "pg-boss's dashboard": ['@pg-boss/dashboard'],
  };
  const sizes = [
    ...libraries.slice(1).map(({ name, packages }) => sizeRow(name, packages)),
    ...Object.entries(boards).map(([name, packages]) => sizeRow(name, packages)),
  ];
  console.log(
    table(['installed with its framework and driver', 'version', 'MB', 'packages'], sizes),
  );
}
