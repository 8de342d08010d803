/**
 * The server on a processor of its own, as where the database and the clients are other machines: everything else of the
 * measurement runs on the other processors. A loop at idle priority keeps each processor awake, as a virtual one that
 * sleeps may be given back late. Needs Linux, `taskset` and `chrt`, and the right to move the processes of PostgreSQL.
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import pg from 'pg';
import { databaseName, postgresUrl } from '../lists/services.ts';

/** The processor of the server under test. */
const own = '0';

/** Runs the threads of a process on a list of processors, unless it has ended. */
function moveProcess(pid: number, processors: string): void {
  try {
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', processors, String(pid)]);
  } catch (error) {
    if (existsSync(`/proc/${pid}`)) throw error;
  }
}

/** Runs the main thread of a process on the processor of the server. Threads of V8 stay with the rest. */
export function moveServer({ pid }: ChildProcess): void {
  execFileSync('taskset', ['--cpu-list', '--pid', own, String(pid)]);
}

/** The process that starts those of PostgreSQL, and these. */
async function postgresProcesses(): Promise<number[]> {
  const client = new pg.Client(postgresUrl(databaseName));
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const [status = ''] = rows.map(({ pid }) => readFileSync(`/proc/${pid}/status`, 'utf8'));
  await client.end();
  const parent = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]);
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8');
  return [parent, ...children.split(' ').filter(Boolean).map(Number)];
}

/** Keeps a processor awake at idle priority, as long as this process lives. */
function keepAwake(processor: number): ChildProcess {
  const loop =
    'const { ppid } = process; while (process.ppid === ppid) for (let i = 0; i < 1e7; i += 1);';
  const awake = ['--cpu-list', String(processor), 'chrt', '--idle', '0', process.execPath];
  return spawn('taskset', [...awake, '--eval', loop], { stdio: 'ignore' });
}

/** Leaves the processor of the server to it; the result undoes this. */
export async function clearOwnCpu(): Promise<() => void> {
  const last = availableParallelism() - 1;
  if (last < 1) throw new Error('a processor for the server alone needs two processors');
  const moved = [process.pid, ...(await postgresProcesses())];
  for (const pid of moved) moveProcess(pid, `1-${last}`);
  const awake = Array.from({ length: last + 1 }, (_, processor) => keepAwake(processor));
  const restore = () => {
    for (const child of awake) child.kill('SIGKILL');
    for (const pid of moved) moveProcess(pid, `0-${last}`);
  };
  process.once('SIGINT', () => {
    restore();
    process.exit(130);
  });
  return restore;
}
