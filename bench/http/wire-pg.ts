/**
 * The least that a list request on PostgreSQL can cost over HTTP: its statements are written as bytes that are known before,
 * the answer is awaited and not read, and the body and its ETag come from memory. The difference to a server without a
 * database is that of two sockets and their wakeups.
 */

import pg from 'pg';
import { runMessages } from '../../src/relational/databases/postgresql/wire/messages.ts';
import { counts, pages } from '../lists/raw-pg.ts';
import type { RequestName, RequestValues } from '../lists/requests.ts';
import { perPage } from '../lists/requests.ts';
import { postgresPool } from '../lists/services.ts';

/** The socket of a connected client, of which nobody else reads. */
interface Wire {
  write(bytes: Uint8Array): unknown;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  removeAllListeners(event: 'data'): unknown;
}

/** Runs the statements of a variant, and calls back behind their answer. */
export type RunWire = (request: RequestName, variant: number, done: () => void) => void;

const ready = 0x5a;
const readyBytes = 6;

const statements = { Q0p: pages.Q0, Q0c: counts.Q0, Q7p: pages.Q7 } as const;

function bytesOf(request: RequestName, { companyId, after }: RequestValues): Uint8Array {
  if (request === 'Q0') {
    const company = String(companyId);
    return runMessages([
      { name: 'Q0p', values: [company, String(perPage), '0'] },
      { name: 'Q0c', values: [company] },
    ]);
  }
  const values = ['true', after.createdAt.toISOString(), String(after.id), String(perPage + 1)];
  return runMessages([{ name: 'Q7p', values }]);
}

async function connected(): Promise<Wire> {
  const client = new pg.Client(postgresPool());
  await client.connect();
  for (const [name, text] of Object.entries(statements)) {
    const values = name === 'Q7p' ? [true, new Date(), 1, 1] : name === 'Q0p' ? [1, 1, 0] : [1];
    await client.query({ name, text, values });
  }
  const wire = (client as unknown as { readonly connection: { readonly stream: Wire } }).connection
    .stream;
  wire.removeAllListeners('data');
  return wire;
}

/** As many connections as the other servers have. */
export async function wirePostgres(values: readonly RequestValues[]): Promise<RunWire> {
  const known = {
    Q0: values.map((each) => bytesOf('Q0', each)),
    Q7: values.map((each) => bytesOf('Q7', each)),
  };
  const idle: ((bytes: Uint8Array, done: () => void) => void)[] = [];
  const waiting: { readonly bytes: Uint8Array; readonly done: () => void }[] = [];
  for (let index = 0; index < postgresPool().max; index += 1) {
    const wire = await connected();
    let answered = (): void => undefined;
    const run = (bytes: Uint8Array, done: () => void): void => {
      answered = done;
      wire.write(bytes);
    };
    wire.on('data', (chunk) => {
      if (chunk.at(-readyBytes) !== ready) return;
      const done = answered;
      const next = waiting.shift();
      if (next) run(next.bytes, next.done);
      else idle.push(run);
      done();
    });
    idle.push(run);
  }
  return (request, variant, done) => {
    const bytes = known[request as 'Q0' | 'Q7'][variant] as Uint8Array;
    const run = idle.pop();
    if (run) run(bytes, done);
    else waiting.push({ bytes, done });
  };
}
