/** Parses the reply of `CLIENT LIST`: the connected workers of each queue. */

/** A worker's connection. */
export interface WorkerClient {
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

/**
 * Connection names of the queues that have a connected worker, without the worker names. The separator may also occur
 * in a queue or worker name, so the prefix before each occurrence counts.
 */
export function workerNames(list: string, into: Set<string>): void {
  // A single scan, because the list of a busy server is long and most of its clients have no name.
  let at = list.indexOf(' name=');
  while (at >= 0) {
    const from = at + 6;
    const end = list.indexOf(' ', from);
    const name = list.slice(from, end < 0 ? list.length : end);
    if (name !== '') into.add(name);
    for (
      let mark = name.indexOf(workerMark);
      mark >= 0;
      mark = name.indexOf(workerMark, mark + 1)
    ) {
      into.add(name.slice(0, mark));
    }
    at = list.indexOf(' name=', from);
  }
}

/** The workers whose connection name belongs to the queue. */
export function workersNamed(list: string, clientName: string): WorkerClient[] {
  const workers: WorkerClient[] = [];
  for (const line of list.split('\n')) {
    const name = field(line, 'name');
    if (name !== clientName && !name.startsWith(clientName + workerMark)) continue;
    workers.push({
      id: field(line, 'id'),
      addr: field(line, 'addr'),
      age: Number(field(line, 'age')) || 0,
      name: name.slice(clientName.length + workerMark.length) || null,
    });
  }
  return workers;
}
