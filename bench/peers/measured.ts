/** Servers of peers in processes of their own, and what requests cost them, in interleaved rounds. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as open } from 'node:http';
import path from 'node:path';
import type pg from 'pg';
import { backendCpu, backendsOf } from '../backends.ts';
import { quantile } from '../measure.ts';
import type { PeerRequest } from './libraries.ts';

/** A server that runs. */
export interface Peer {
  readonly name: string;
  readonly child: ChildProcess;
  readonly port: number;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface Cost {
  /** Microseconds of the process, and of its backends in PostgreSQL. */
  readonly cpu: number;
  readonly behind: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const rounds = 20;
const warmup = 1_000;

const applicationOf = (name: string): string => `bench peer ${name}`;

/** Starts a program of `servers`. */
export async function start(
  name: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Peer> {
  const child = fork(path.join(import.meta.dirname, 'servers', program), args, {
    env: { ...process.env, NODE_ENV: 'production', PGAPPNAME: applicationOf(name), ...env },
    // Some write to the log of each request that fails.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The server of ${name} ended with ${code}.`);
  });
  const [{ port }] = (await Promise.race([once(child, 'message'), failed])) as [{ port: number }];
  failed.catch(() => undefined);
  return { name, child, port };
}

/** Sends a request; a body is sent with POST. */
export async function ask(
  agent: Agent,
  { port }: Peer,
  { path, body }: PeerRequest,
): Promise<Answer> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const method = body ? 'POST' : 'GET';
  const outgoing = open({ agent, port, path, method, headers, host: '127.0.0.1' });
  outgoing.end(body && JSON.stringify(body));
  const [answer] = await once(outgoing, 'response');
  let text = '';
  answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(answer, 'end');
  return { status: answer.statusCode, body: text };
}

async function cpuOf({ child }: Peer): Promise<number> {
  child.send('cpu');
  const [{ cpu }] = (await once(child, 'message')) as [{ readonly cpu: number }];
  return cpu;
}

/** What a request costs each server, one at a time; `requestOf` gives the requests of a server by their numbers. */
export async function costsOf(
  peers: readonly Peer[],
  requestOf: (peer: Peer, index: number) => PeerRequest,
  iterations: number,
  admin: pg.Client,
): Promise<ReadonlyMap<string, Cost>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const cells = peers.map((peer) => ({
    peer,
    next: 0,
    cpu: [] as number[],
    behind: [] as number[],
    wall: [] as number[],
  }));
  const send = async (cell: (typeof cells)[number]): Promise<void> => {
    const begun = performance.now();
    const { status, body } = await ask(agent, cell.peer, requestOf(cell.peer, cell.next++));
    cell.wall.push(performance.now() - begun);
    if (status !== 200) throw new Error(`${cell.peer.name} answered ${status}: ${body}`);
  };
  for (const cell of cells) {
    const begun = performance.now();
    for (let sent = 0; sent < warmup && performance.now() - begun < 10_000; sent += 1) {
      await send(cell);
    }
    cell.wall = [];
  }
  for (let round = 0; round < rounds; round += 1) {
    const turn = round % cells.length;
    for (const cell of [...cells.slice(turn), ...cells.slice(0, turn)]) {
      const pids = await backendsOf(admin, applicationOf(cell.peer.name));
      const [cpu, behind] = [await cpuOf(cell.peer), backendCpu(pids)];
      for (let sent = 0; sent < iterations; sent += 1) await send(cell);
      cell.cpu.push(((await cpuOf(cell.peer)) - cpu) / iterations);
      cell.behind.push((backendCpu(pids) - behind) / iterations);
    }
  }
  agent.destroy();
  return new Map(
    cells.map(({ peer, cpu, behind, wall }) => [
      peer.name,
      {
        cpu: quantile(cpu, 0.5),
        behind: quantile(behind, 0.5),
        p50: quantile(wall, 0.5),
        p99: quantile(wall, 0.99),
      },
    ]),
  );
}
