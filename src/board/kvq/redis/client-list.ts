/** Parses the reply of `CLIENT LIST`: the connected workers of each queue. */

import type { Reply } from './connect/script.ts';

/** A worker's connection. */
interface WorkerClient {
  readonly id: string;
  readonly addr: string;
  /** Seconds since it connected. */
  readonly age: number;
  /** Name from `CLIENT SETNAME`, `null` when it has none. */
  readonly name: string | null;
}

/** Separates the connection name of the queue from the worker name. */
const workerMark = ':w:';

function field(line: string, name: string): string {
  const start = line.startsWith(`${name}=`) ? 0 : line.indexOf(` ${name}=`) + 1;
  if (start === 0 && !line.startsWith(`${name}=`)) return '';
  const from = start + name.length + 1;
  const end = line.indexOf(' ', from);
  return line.slice(from, end < 0 ? line.length : end).trimEnd();
}

/** Where the separator begins. It may also occur in a queue or worker name, so the text before each occurrence counts. */
function* marksIn(name: string): Iterable<number> {
  for (let mark = name.indexOf(workerMark); mark >= 0; mark = name.indexOf(workerMark, mark + 1)) {
    yield mark;
  }
}

/** Connection names of the queues of each client, without the worker names. */
function* clientNames(list: string): Iterable<string> {
  // A single scan, because the list of a busy server is long and most of its clients have no name.
  let at = list.indexOf(' name=');
  while (at >= 0) {
    const from = at + 6;
    const end = list.indexOf(' ', from);
    const name = list.slice(from, end < 0 ? list.length : end);
    if (name !== '') yield name;
    for (const mark of marksIn(name)) yield name.slice(0, mark);
    at = list.indexOf(' name=', from);
  }
}

/** Connection names of the queues that have a connected worker. */
export function workerNames(list: string, into: Set<string>): void {
  for (const name of clientNames(list)) into.add(name);
}

/** The workers by connection name of their queue. */
export function workersByName(list: string): ReadonlyMap<string, readonly WorkerClient[]> {
  const workers = new Map<string, WorkerClient[]>();
  const note = (queue: string, worker: WorkerClient): void => {
    const known = workers.get(queue);
    if (known) known.push(worker);
    else workers.set(queue, [worker]);
  };
  for (const line of list.split('\n')) {
    const name = field(line, 'name');
    if (name === '') continue;
    const connection = {
      id: field(line, 'id'),
      addr: field(line, 'addr'),
      age: Number(field(line, 'age')) || 0,
    };
    note(name, { ...connection, name: null });
    for (const mark of marksIn(name)) {
      const own = name.slice(mark + workerMark.length) || null;
      note(name.slice(0, mark), { ...connection, name: own });
    }
  }
  return workers;
}

/**
 * Workers by connection name of their queue; `null` if a server does not tell. A worker of a cluster connects to several
 * nodes; the highest count of any node is used.
 */
export function countWorkers(replies: readonly Reply[]): ReadonlyMap<string, number> | null {
  const most = new Map<string, number>();
  for (const reply of replies) {
    if ('error' in reply) return null;
    const here = new Map<string, number>();
    for (const name of clientNames(String(reply.value))) {
      here.set(name, (here.get(name) ?? 0) + 1);
    }
    for (const [name, count] of here) most.set(name, Math.max(count, most.get(name) ?? 0));
  }
  return most;
}
