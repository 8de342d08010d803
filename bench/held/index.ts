/**
 * Many list requests at a time for a minute: how long connections are held beside their statements, and the delay of the
 * event loop, compared with the driver by hand. The servers take turns of a few seconds.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { HttpRequest, ServerName } from '../http/contenders.ts';
import { seedPostgres } from '../lists/seed-pg.ts';
import { seedSqlite } from '../lists/seed-sqlite.ts';
import { figure, table } from '../markdown.ts';
import { quantile } from '../measure.ts';
import { clearOwnCpu, moveServer } from './own-cpu.ts';
import type { TurnFigures } from './server.ts';

const atATime = 64;
const turns = 30;
/** Until V8 has compiled and optimised what the servers run. */
const warmupMs = 12_000;

const names = [
  'Express, raw named',
  'Express, Sluice on the driver',
  'Express, Sluice on Drizzle',
  'Express, Sluice on TypeORM',
] as const satisfies readonly ServerName[];

interface Started {
  readonly name: ServerName;
  readonly child: ChildProcess;
  readonly port: number;
  readonly targets: readonly string[];
  readonly turns: TurnFigures[];
  /** Milliseconds of each request. */
  readonly times: number[];
  errors: number;
}

async function start(name: ServerName, requests: readonly HttpRequest[]): Promise<Started> {
  const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), [name, ...requests], {
    execArgv: ['--expose-gc'],
  });
  const [ready] = (await once(child, 'message')) as [Pick<Started, 'port' | 'targets'>];
  return { name, child, ...ready, turns: [], times: [], errors: 0 };
}

async function told<Answer>({ child }: Started, message: string): Promise<Answer> {
  child.send(message);
  const [answer] = (await once(child, 'message')) as [Answer];
  return answer;
}

/** Whether a request is answered with 200 and a body that is complete. */
async function isAnswered(agent: Agent, port: number, path: string): Promise<boolean> {
  try {
    const [answer] = await once(get({ agent, port, path, host: '127.0.0.1' }), 'response');
    let length = 0;
    answer.on('data', (chunk: Buffer) => (length += chunk.length));
    await once(answer, 'end');
    return answer.statusCode === 200 && length > 0;
  } catch {
    return false;
  }
}

/**
 * Sends requests of all targets until the time is over: so many at a time, or so many per second, which come when they are
 * due whether others are answered or not.
 */
async function load(
  server: Started,
  milliseconds: number,
  perSecond: number | undefined,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: atATime });
  const { port, targets, times } = server;
  const begin = performance.now();
  const until = begin + milliseconds;
  let next = 0;
  const send = async (): Promise<void> => {
    const path = targets[next % targets.length] ?? '';
    next += 1;
    const begun = performance.now();
    if (await isAnswered(agent, port, path)) times.push(performance.now() - begun);
    else server.errors += 1;
  };
  const worker = async (): Promise<void> => {
    while (performance.now() < until) await send();
  };
  if (perSecond === undefined) await Promise.all(Array.from({ length: atATime }, worker));
  else {
    const sent: Promise<void>[] = [];
    while (performance.now() < until) {
      const due = ((performance.now() - begin) / 1000) * perSecond;
      while (next < due) sent.push(send());
      await pause(1);
    }
    await Promise.all(sent);
  }
  agent.destroy();
}

interface Figures {
  readonly requestsPerSecond: number;
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
  readonly connectionsPerRequest: number;
  readonly mostInUse: number;
  readonly heldMs: number;
  readonly idleMs: number;
  readonly longestIdleMs: number;
  readonly late: number;
  readonly delay50: number;
  readonly delay99: number;
  readonly delayMax: number;
}

export interface HeldOptions {
  /** Seconds of load for each server, without its warm-up. */
  readonly seconds: number;
  readonly requests: readonly HttpRequest[];
  /** Requests per second. Default: each server gets as many as it can answer. */
  readonly perSecond?: number | undefined;
  /** Whether the server has a processor of its own. */
  readonly ownCpu: boolean;
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);

function figuresOf({ turns: own, times }: Started, seconds: number): Figures {
  const held = own.map((turn) => turn.held);
  const delays = own.map(({ delay }) => delay);
  const requests = times.length;
  return {
    requestsPerSecond: requests / seconds,
    cpu: sum(own.map(({ cpu }) => cpu)) / requests,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    connectionsPerRequest: sum(held.map(({ lent }) => lent)) / requests,
    mostInUse: Math.max(...held.map(({ mostInUse }) => mostInUse)),
    heldMs: sum(held.map(({ heldMs }) => heldMs)) / requests,
    idleMs: sum(held.map(({ idleMs }) => idleMs)) / requests,
    longestIdleMs: Math.max(...held.map(({ longestIdleMs }) => longestIdleMs)),
    late: sum(held.map(({ late }) => late)),
    delay50: quantile(
      delays.map(({ p50 }) => p50),
      0.5,
    ),
    delay99: quantile(
      delays.map(({ p99 }) => p99),
      0.5,
    ),
    delayMax: Math.max(...delays.map(({ max }) => max)),
  };
}

const rows: readonly (readonly [title: string, of: keyof Figures])[] = [
  ['requests per second', 'requestsPerSecond'],
  ['CPU of the server per request, µs', 'cpu'],
  ['p50 of a request, ms', 'p50'],
  ['p99 of a request, ms', 'p99'],
  ['connections acquired per request', 'connectionsPerRequest'],
  ['most connections in use', 'mostInUse'],
  ['connection time per request, ms', 'heldMs'],
  ['of it without a statement, ms', 'idleMs'],
  ['longest time without a statement, ms', 'longestIdleMs'],
  ['connections held after the turn of their statements', 'late'],
  ['loop delay p50, ms', 'delay50'],
  ['loop delay p99, ms', 'delay99'],
  ['loop delay max, ms', 'delayMax'],
];

/** A figure and its ratio to the reference. */
const withRatio = (own: number, reference: number, ratio = own / reference): string =>
  reference === 0 ? figure(own) : `${figure(own)} (${figure(ratio)})`;

/** The delays of the loop whose ratio is the median of those of the turns, as servers take their turns side by side. */
const delays: Partial<Record<keyof Figures, keyof TurnFigures['delay']>> = {
  delay50: 'p50',
  delay99: 'p99',
};

/** The median ratio of a delay to that of the reference in the same turn. */
function ratioOfTurns(own: Started, reference: Started, of: keyof Figures): number | undefined {
  const delay = delays[of];
  if (!delay) return undefined;
  const ratios = own.turns.map(
    (turn, at) => turn.delay[delay] / (reference.turns[at]?.delay[delay] ?? Number.NaN),
  );
  return quantile(ratios, 0.5);
}

/** Measures all servers, turn by turn. Returns their heaps in MiB, at the start and at the end. */
async function takeTurns(
  all: readonly Started[],
  { seconds, perSecond }: HeldOptions,
): Promise<(readonly [number, number])[]> {
  for (const server of all) {
    await load(server, warmupMs, perSecond);
    server.times.length = 0;
  }
  const heapOf = async (server: Started): Promise<number> =>
    (await told<{ readonly heap: number }>(server, 'heap')).heap / 2 ** 20;
  const before: number[] = [];
  for (const server of all) before.push(await heapOf(server));
  for (let turn = 0; turn < turns; turn += 1) {
    const first = turn % all.length;
    for (const server of [...all.slice(first), ...all.slice(0, first)]) {
      await told(server, 'begin');
      await load(server, (seconds * 1000) / turns, perSecond);
      server.turns.push(await told<TurnFigures>(server, 'end'));
    }
  }
  const heap: (readonly [number, number])[] = [];
  for (const [at, server] of all.entries()) {
    heap.push([before[at] ?? Number.NaN, await heapOf(server)]);
  }
  return heap;
}

/** Measures the servers and prints the figures; false if a request failed or a connection was held too long. */
export async function runHeld(options: HeldOptions): Promise<boolean> {
  const { seconds, requests, perSecond, ownCpu } = options;
  seedSqlite('milliseconds', false);
  await seedPostgres(false);
  const restore = ownCpu ? await clearOwnCpu() : undefined;
  const all: Started[] = [];
  let heap: readonly (readonly [number, number])[];
  try {
    for (const name of names) {
      const server = await start(name, requests);
      all.push(server);
      if (ownCpu) moveServer(server.child);
    }
    heap = await takeTurns(all, options);
  } finally {
    for (const { child } of all) child.disconnect();
    restore?.();
  }
  const figures = all.map((server) => figuresOf(server, seconds));
  const [reference] = all as [Started];
  const [first] = figures as [Figures];
  const offered = perSecond === undefined ? `${atATime} at a time` : `${perSecond} per second`;
  const where = ownCpu ? ', the server on a processor of its own' : '';
  console.log(
    `\n### held: ${requests.join(', ')}, ${offered}, ${seconds} s each${where}, ratio to the first\n`,
  );
  console.log(
    table(
      ['', ...names],
      [
        ...rows.map(([title, of]) => [
          title,
          ...figures.map((own, at) =>
            withRatio(own[of], first[of], ratioOfTurns(all[at] ?? reference, reference, of)),
          ),
        ]),
        ['errors', ...all.map(({ errors }) => String(errors))],
        [
          'heap at the start and at the end, MiB',
          ...heap.map((each) => each.map(figure).join(', ')),
        ],
      ],
    ),
  );
  console.log(`\nLoad average (1 min) at the end: ${(loadavg()[0] ?? 0).toFixed(2)}`);
  return all.every(({ errors }) => errors === 0) && figures.every(({ late }) => late === 0);
}
